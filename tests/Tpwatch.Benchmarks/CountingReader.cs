namespace Tpwatch.Benchmarks;

/// <summary>Reads a stream to its end on a thread of its own and counts.</summary>
sealed class CountingReader
{
    long bytes;

    public CountingReader(Stream stream) => new Thread(() => Drain(stream)) { IsBackground = true }.Start();

    public long Bytes => Volatile.Read(ref bytes);

    void Drain(Stream stream)
    {
        var buffer = new byte[1 << 16];
        while (stream.Read(buffer, 0, buffer.Length) is > 0 and var count)
            Volatile.Write(ref bytes, bytes + count);
    }
}
