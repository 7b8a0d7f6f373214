using System.Runtime.InteropServices;

namespace Tpwatch.Output;

/// <summary>
/// Standard output that says when it cannot be written. The console's own stream hides a closed pipe, so that <c>tpwatch | head -1</c>
/// would run on for hours; a file stream on the handle would write at offsets of its own and overwrite what others append.
/// </summary>
sealed partial class StandardOutput : Stream
{
    const int Handle = 1;
    const int Interrupted = 4;
    const int BrokenPipe = 32;

    /// <summary>The stream that suits this platform.</summary>
    public static Stream Open() => OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : new StandardOutput();

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
    public override unsafe void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            nint written;
            fixed (byte* start = buffer)
            {
                written = WriteCall(Handle, start, buffer.Length);
            }

            buffer = buffer[(written >= 0 ? (int)written : Failed(Marshal.GetLastPInvokeError()))..];
        }
    }

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    // A reader that set the pipe to not blocking is rare; waiting a little for it is better than losing the line.
    static int Failed(int error)
    {
        switch (error)
        {
            case Interrupted:
                return 0;
            case BrokenPipe:
                throw new OutputClosedException();
            case var again when again == TryAgain:
                Thread.Sleep(1);
                return 0;
            default:
                throw new IOException(Marshal.GetPInvokeErrorMessage(error));
        }
    }

    // EAGAIN is 11 on Linux and 35 on macOS.
    static int TryAgain => OperatingSystem.IsMacOS() ? 35 : 11;

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    private static unsafe partial nint WriteCall(int handle, byte* buffer, nint count);
}
