using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Recordings;

/// <summary>
/// Tells a file proper from what would keep whoever opens it waiting: a named pipe that nobody writes to, a terminal. Asked before a file
/// that somebody else has put there is opened.
/// </summary>
static partial class RegularFile
{
    const int ReadOnly = 0;
    const int WriteOnly = 1;
    const int SeekEnd = 2;

    /// <summary>ENXIO, which Linux and macOS number alike.</summary>
    const int NobodyReads = 6;

    /// <summary>The same file, opened to be read. <see cref="IOException"/> when it is a pipe or a terminal, or cannot be opened.</summary>
    public static FileStream OpenRead(string path) => IsPipe(path)
        ? throw new IOException("it is a pipe or a terminal, not a file")
        : new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);

    /// <summary>
    /// Whether something is there that is no file proper, and that opening would wait for; false where that is not known.
    /// </summary>
    public static bool IsPipe(string path)
    {
        if (OperatingSystem.IsWindows() || Directory.Exists(path))
        {
            return false;
        }

        var file = Open(path, ReadOnly | NonBlocking);
        if (file < 0)
        {
            return false;
        }

        var seeks = Seek(file, 0, SeekEnd) >= 0;
        _ = Close(file);
        return !seeks;
    }

    /// <summary>
    /// A handle to hold while a pipe is opened to be written, so that its reader sees no end before there was a beginning; null for a file
    /// proper. <see cref="IOException"/> when nobody reads the pipe: whoever opens it waits.
    /// </summary>
    public static SafeFileHandle? Hold(string path)
    {
        if (!File.Exists(path) || !IsPipe(path))
        {
            return null;
        }

        var file = Open(path, WriteOnly | NonBlocking);
        return file >= 0 ? new SafeFileHandle(file, ownsHandle: true)
            : Marshal.GetLastPInvokeError() == NobodyReads ? throw new IOException("it is a pipe without a reader")
            : null;
    }

    // O_NONBLOCK: what would wait for the other end returns at once.
    static int NonBlocking => OperatingSystem.IsMacOS() ? 0x4 : 0x800;

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    private static partial nint Seek(int file, nint offset, int whence);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    private static partial int Close(int file);
}
