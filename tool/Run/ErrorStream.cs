namespace Tpwatch.Run;

/// <summary>
/// Standard error: what is said beside the results. Nobody may listen (closed, or a full disk behind it); results still go where they
/// belong, and the exit code is theirs.
/// </summary>
sealed class ErrorStream(Stream inner) : WritingStream
{
    /// <summary>Standard error, every line at once.</summary>
    public static StreamWriter Standard() => new(new ErrorStream(StandardOutput.OpenError())) { NewLine = "\n", AutoFlush = true };

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            inner.Write(CleanBytes.Of(buffer, keepReturn: true));
        }
        catch (Exception e) when (e is IOException or OutputClosedException or ForeseenException)
        {
            // Whoever closed it does not want to know.
        }
    }
}
