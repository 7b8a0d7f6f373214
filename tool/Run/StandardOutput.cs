using System.Runtime.InteropServices;
using Tpwatch.Recordings;
using Tpwatch.Screen;

namespace Tpwatch.Run;

/// <summary>
/// Standard output that reports failed writes. The console's own stream ignores a closed pipe, so that <c>tpwatch | head -1</c> would run
/// for hours. A file stream would write at its own offsets and overwrite data that other processes append.
/// </summary>
sealed class StandardOutput(int handle) : WriteOnlyStream
{
    const int Error = 2;
    const int BrokenPipe = 32;

    /// <summary>Opens standard output; on Windows, the console's own stream.</summary>
    public static Stream Open() => OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : new StandardOutput(Libc.Stdout);

    /// <summary>
    /// Opens standard error; on Windows, the console's own stream. On other systems, the console's own writer would switch a terminal to
    /// keypad mode for good. It would also end the process if standard error is closed.
    /// </summary>
    public static Stream OpenError() => OperatingSystem.IsWindows() ? Console.OpenStandardError() : new StandardOutput(Error);

    public override unsafe void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            nint written;
            fixed (byte* start = buffer)
            {
                written = Libc.Write(handle, start, buffer.Length);
            }

            buffer = buffer[(written >= 0 ? (int)written : Failed(Marshal.GetLastPInvokeError()))..];
        }
    }

    // Returns 0 to retry the write, or throws. A full non-blocking pipe (EAGAIN) is rare and is retried after 1 ms.
    static int Failed(int error)
    {
        switch (error)
        {
            case Libc.Interrupted:
                return 0;
            case BrokenPipe:
                throw new OutputClosedException();
            case var again when again == Libc.TryAgain:
                Thread.Sleep(1);
                return 0;
            default:
                throw new IOException(Marshal.GetPInvokeErrorMessage(error));
        }
    }
}

/// <summary>
/// Standard error, for notes. Ignores a failed write (closed stream, full disk), because the results decide the exit code.
/// </summary>
sealed class ErrorStream(Stream inner) : WriteOnlyStream
{
    /// <summary>Returns a writer on standard error that flushes after every write.</summary>
    public static StreamWriter Standard() => new(new ErrorStream(StandardOutput.OpenError())) { NewLine = "\n", AutoFlush = true };

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            inner.Write(ControlCharacterFilter.Of(buffer, keepReturn: true));
        }
        catch (Exception e) when (e is IOException or OutputClosedException or UserErrorException)
        {
            // Standard error is closed or its disk is full, so the note is lost.
        }
    }
}

/// <summary>A stream for results. A failed write throws <see cref="UserErrorException"/> with a sentence for the user.</summary>
/// <param name="inner">The stream that receives the results.</param>
/// <param name="name">Name of <paramref name="inner"/> in the error message.</param>
/// <param name="emptyFirst">Whether the first write discards the earlier content of a file.</param>
sealed class ResultStream(Stream inner, string name, bool emptyFirst = false) : WriteOnlyStream
{
    bool emptyFirst = emptyFirst;

    /// <summary>Returns a writer on standard output. Callers flush it and never dispose it, because the pipe may be closed.</summary>
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
            inner.Write(ControlCharacterFilter.Of(buffer));
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

/// <summary>Base of streams that can only be written to.</summary>
abstract class WriteOnlyStream : Stream
{
    public override bool CanRead => false;
    public override bool CanSeek => false;
    public override bool CanWrite => true;
    public override long Length => throw new NotSupportedException();
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public abstract override void Write(ReadOnlySpan<byte> buffer);

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    // The asynchronous methods write synchronously, because those of the base class would start the thread pool of tpwatch.

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken)
    {
        Flush();
        return Task.CompletedTask;
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}

/// <summary>
/// Cleans text that tpwatch writes to a terminal, a log or a file. Control characters become question marks, because an escape sequence in
/// a process name could move the cursor or rename the window.
/// </summary>
static class ControlCharacterFilter
{
    const byte Delete = 0x7F;

    // In UTF-8, the characters U+0080 to U+009F begin with this byte. Terminals interpret them as escape sequences.
    const byte ControlLead = 0xC2;
    const byte FirstControl = 0x80;
    const byte LastControl = 0x9F;

    /// <summary>Returns the text with question marks for control characters. Line feeds and tabs stay.</summary>
    /// <param name="text">UTF-8 without incomplete characters.</param>
    /// <param name="keepReturn">Whether carriage returns stay too; a progress line needs them to overwrite itself.</param>
    public static ReadOnlySpan<byte> Of(ReadOnlySpan<byte> text, bool keepReturn = false)
    {
        byte[]? clean = null;
        for (var i = 0; i < text.Length; i++)
        {
            if (IsControl(text, i, keepReturn))
            {
                clean ??= text.ToArray();
                clean[i] = (byte)'?';
            }
            else if (text[i] == ControlLead && i + 1 < text.Length && text[i + 1] is >= FirstControl and <= LastControl)
            {
                clean ??= text.ToArray();
                clean[i] = clean[++i] = (byte)'?';
            }
        }

        return clean ?? text;
    }

    static bool IsControl(ReadOnlySpan<byte> text, int i, bool keepReturn) =>
        text[i] == Delete || (text[i] < (byte)' ' && text[i] is not ((byte)'\n' or (byte)'\t') && !(keepReturn && text[i] == '\r'));
}

/// <summary>Thrown when the reader of standard output has closed the pipe, as <c>head</c> does after its last line; not an error.</summary>
sealed class OutputClosedException() : Exception("the reader of the output has gone");
