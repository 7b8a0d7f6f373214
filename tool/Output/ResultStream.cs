using Tpwatch.Basics;
using Tpwatch.Streams;

namespace Tpwatch.Output;

/// <summary>A stream for results: an output that cannot be written becomes a sentence instead of a stack trace.</summary>
/// <param name="inner">Where it goes.</param>
/// <param name="name">What the sentence calls it.</param>
/// <param name="emptyFirst">Throws away what a file holds, but only when there is something to put in its place.</param>
sealed class ResultStream(Stream inner, string name, bool emptyFirst = false) : Stream
{
    bool emptyFirst = emptyFirst;

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            if (emptyFirst && inner is FileStream { CanSeek: true } file && !PrivateFile.IsDevice(file))
            {
                file.SetLength(0);
            }

            emptyFirst = false;
            inner.Write(buffer);
        }
        catch (IOException e)
        {
            throw NotWritten(e);
        }
    }

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }

    ForeseenException NotWritten(IOException e) => new(
        $"{name} cannot be written: {e.Message.TrimEnd('.')}", "make room, or write elsewhere with -o FILE", ExitCode.Arguments, e);
}
