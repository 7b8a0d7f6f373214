namespace Tpwatch.Recordings;

/// <summary>Keeps a copy of a start stream for the side-car, up to the side-car's limit.</summary>
sealed class StartTape(Stream inner) : PassingStream
{
    readonly MemoryStream kept = new();

    /// <summary>The bytes kept so far.</summary>
    public byte[] Bytes => kept.ToArray();

    public override int Read(Span<byte> buffer)
    {
        var count = inner.Read(buffer);
        kept.Write(buffer[..Math.Min(count, RecordedStart.MostBytes - (int)kept.Length)]);
        return count;
    }
}
