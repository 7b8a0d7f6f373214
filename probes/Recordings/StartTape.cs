namespace Tpwatch.Recordings;

/// <summary>Keeps what is read of a start, for the side-car; more than that holds is kept as far as it goes.</summary>
sealed class StartTape(Stream inner) : PassingStream
{
    readonly MemoryStream kept = new();

    /// <summary>What was kept.</summary>
    public byte[] Bytes => kept.ToArray();

    public override int Read(Span<byte> buffer)
    {
        var count = inner.Read(buffer);
        kept.Write(buffer[..Math.Min(count, RecordedStart.MostBytes - (int)kept.Length)]);
        return count;
    }
}
