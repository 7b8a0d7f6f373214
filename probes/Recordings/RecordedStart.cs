namespace Tpwatch.Recordings;

/// <summary>The events before counters were enabled, from the side-car of a recording that started with its program.</summary>
sealed class RecordedStart : IStartStream
{
    /// <summary>
    /// Maximum size, bytes. A start of 2 s has about 20 kB; of a program that begins with a burst of work, a few hundred kB.
    /// </summary>
    public const int MostBytes = 4 << 20;

    RecordedStart(byte[] bytes) => Events = new MemoryStream(bytes, writable: false);

    public Stream Events { get; }

    /// <summary>The start stream of a side-car; null if there is none, or it belongs to another process.</summary>
    public static RecordedStart? Of(SideCar? sideCar, TraceHeader? stream) => sideCar?.Start is { Length: > 0 and <= MostBytes } bytes
        && TraceHeader.Of(new MemoryStream(bytes)) is { } stamp && stream?.MayHave(stamp) == true ? new(bytes) : null;

    public bool IsFollowed() => true;
}
