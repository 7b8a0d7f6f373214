namespace Tpwatch.Recordings;

/// <summary>
/// Passes a stream through: says when the reader has worked off what it had and is about to wait for more, and copies what it reads
/// into a recording and a flight recorder. For blocking reads, as the decoder does them.
/// </summary>
/// <param name="inner">Where bytes come from; stays its owner's.</param>
/// <param name="beforeRead">Called on the reading thread before each read of <paramref name="inner"/>.</param>
/// <param name="recording">Takes a copy; null records nothing.</param>
/// <param name="flight">Retains the newest; null retains nothing.</param>
sealed class TappedStream(Stream inner, Action beforeRead, RecordingFile? recording = null, FlightRecorder? flight = null)
    : PassingStream
{
    public override int Read(Span<byte> buffer)
    {
        beforeRead();
        var count = inner.Read(buffer);
        recording?.Write(buffer[..count]);
        flight?.Write(buffer[..count]);
        return count;
    }
}
