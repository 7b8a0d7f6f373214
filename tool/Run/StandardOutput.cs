using System.Runtime.InteropServices;

namespace Tpwatch.Run;

/// <summary>
/// Standard output with reports of failed writes. The console's own stream hides a closed pipe, so that <c>tpwatch | head -1</c> would run
/// for hours. A file stream on the handle would write at its own offsets and overwrite data that other processes append.
/// </summary>
sealed partial class StandardOutput(int handle) : WritingStream
{
    const int Out = 1;
    const int Error = 2;
    const int Interrupted = 4;
    const int BrokenPipe = 32;

    /// <summary>Opens standard output for this platform.</summary>
    public static Stream Open() => OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : new StandardOutput(Out);

    /// <summary>
    /// Opens standard error for this platform. The console's own writer permanently switches a terminal to keypad mode, and ends the
    /// process if standard error is closed.
    /// </summary>
    public static Stream OpenError() => OperatingSystem.IsWindows() ? Console.OpenStandardError() : new StandardOutput(Error);

    public override unsafe void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            nint written;
            fixed (byte* start = buffer)
            {
                written = WriteCall(handle, start, buffer.Length);
            }

            buffer = buffer[(written >= 0 ? (int)written : Failed(Marshal.GetLastPInvokeError()))..];
        }
    }

    // A full non-blocking pipe (EAGAIN) is rare; a retry after 1 ms is better than a lost line.
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
    private static unsafe partial nint WriteCall(int file, byte* buffer, nint count);
}
