namespace Tpwatch.Attach;

/// <summary>
/// Passes a stream through: says when the reader has worked off what it had and is about to wait for more, and copies what it reads
/// into a recording.
/// </summary>
/// <param name="inner">Where bytes come from; stays its owner's.</param>
/// <param name="beforeRead">Called on the reading thread before each read of <paramref name="inner"/>.</param>
/// <param name="recording">Takes a copy; null records nothing.</param>
public sealed class TappedStream(Stream inner, Action beforeRead, RecordingFile? recording = null) : Stream
{
    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        beforeRead();
        int count = inner.Read(buffer);
        recording?.Write(buffer[..count]);
        return count;
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        beforeRead();
        int count = await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        recording?.Write(buffer.Span[..count]);
        return count;
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
