namespace Tpwatch.Recordings;

/// <summary>What a recording of a program from its start holds of the time before its counters were on, out of the side-car.</summary>
sealed class RecordedStart : IStartStream
{
    /// <summary>A start of 2 s has some 20 kB; a program that begins with a burst of work a few hundred.</summary>
    public const int MostBytes = 4 << 20;

    RecordedStart(byte[] bytes) => Events = new MemoryStream(bytes, writable: false);

    public Stream Events { get; }

    /// <summary>Null where there is none, or one of another process.</summary>
    public static RecordedStart? Of(SideCar? sideCar, StreamStamp? stream) => sideCar?.Start is { Length: > 0 and <= MostBytes } bytes
        && StreamStamp.Of(new MemoryStream(bytes)) is { } stamp && stream?.MayHave(stamp) == true ? new(bytes) : null;

    public bool IsFollowed() => true;
}
