namespace Tpwatch.Attach;

/// <summary>
/// Passes a stream through: says when the reader has worked off what it had and is about to wait for more, and copies what it reads
/// into a recording. For blocking reads, as the decoder does them.
/// </summary>
/// <param name="inner">Where bytes come from; stays its owner's.</param>
/// <param name="beforeRead">Called on the reading thread before each read of <paramref name="inner"/>.</param>
/// <param name="recording">Takes a copy; null records nothing.</param>
public sealed class TappedStream(Stream inner, Action beforeRead, RecordingFile? recording = null) : PassingStream
{
    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        beforeRead();
        int count = inner.Read(buffer);
        recording?.Write(buffer[..count]);
        return count;
    }
}
