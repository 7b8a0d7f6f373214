namespace Tpwatch.Recordings;

/// <summary>
/// Passes a stream through: notifies before each read, when the reader has processed all its data and is about to wait for more, and copies
/// the bytes into a recording and a flight recorder. For blocking reads, as the decoder uses them.
/// </summary>
/// <param name="inner">The source of the bytes; not disposed here.</param>
/// <param name="beforeRead">Called on the reading thread before each read of <paramref name="inner"/>.</param>
/// <param name="recording">Receives a copy; null records nothing.</param>
/// <param name="flight">Retains the newest bytes; null retains nothing.</param>
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
