namespace Tpwatch.Run;

/// <summary>
/// Standard error, for notes. A failed write (closed stream, full disk) is ignored, because results are still written and decide the exit
/// code.
/// </summary>
sealed class ErrorStream(Stream inner) : WritingStream
{
    /// <summary>Returns a writer on standard error that flushes after every write.</summary>
    public static StreamWriter Standard() => new(new ErrorStream(StandardOutput.OpenError())) { NewLine = "\n", AutoFlush = true };

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            inner.Write(CleanBytes.Of(buffer, keepReturn: true));
        }
        catch (Exception e) when (e is IOException or OutputClosedException or UserErrorException)
        {
            // Standard error is closed or its disk is full, so the note is lost.
        }
    }
}
