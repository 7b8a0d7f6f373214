using Tpwatch.Recordings;

namespace Tpwatch.Run;

/// <summary>A stream for results: a failed write becomes an error message instead of a stack trace.</summary>
/// <param name="inner">The stream that receives the results.</param>
/// <param name="name">Name of that stream in the error message.</param>
/// <param name="emptyFirst">Whether the first write first discards the content of a file.</param>
sealed class ResultStream(Stream inner, string name, bool emptyFirst = false) : WritingStream
{
    bool emptyFirst = emptyFirst;

    /// <summary>Returns a writer on standard output. Never dispose it: the caller flushes, and writing to a closed pipe fails.</summary>
    public static StreamWriter Standard() => new(new ResultStream(StandardOutput.Open(), "standard output")) { NewLine = "\n" };

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            if (emptyFirst && inner is FileStream { CanSeek: true } file && !PrivateFile.IsDevice(file))
            {
                file.SetLength(0);
            }

            emptyFirst = false;
            inner.Write(CleanBytes.Of(buffer));
        }
        catch (IOException e)
        {
            throw NotWritten(e);
        }
    }

    public override void Flush()
    {
        try
        {
            inner.Flush();
        }
        catch (IOException e)
        {
            throw NotWritten(e);
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }

    UserErrorException NotWritten(IOException e) => new(
        $"cannot write to {name}: {e.Message.TrimEnd('.')}",
        "free some disk space, or write elsewhere with -o FILE", ExitCode.Arguments, e);
}
