using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Recordings;

/// <summary>
/// Distinguishes regular files from files whose opening would block: a named pipe without a writer, a terminal. Used before opening a file
/// that another program may have created.
/// </summary>
static partial class RegularFile
{
    const int ReadOnly = 0;
    const int WriteOnly = 1;
    const int SeekEnd = 2;

    /// <summary>ENXIO, which is the same number on Linux and macOS: the pipe has no reader.</summary>
    const int NobodyReads = 6;

    /// <summary>
    /// Opens a regular file for reading. Throws <see cref="IOException"/> if it is a pipe or a terminal, or cannot be opened.
    /// </summary>
    public static FileStream OpenRead(string path) => IsPipe(path)
        ? throw new IOException("it is a pipe or a terminal, not a file")
        : new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);

    /// <summary>
    /// Whether the path exists and is not a regular file, so that opening it would block; false if that cannot be determined.
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
    /// A handle to hold while a pipe is opened for writing, so that its reader does not see the end before the first byte; null for a
    /// regular file. Throws <see cref="IOException"/> if the pipe has no reader, because opening it would block.
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

    // O_NONBLOCK: calls that would wait for the other end return at once.
    static int NonBlocking => OperatingSystem.IsMacOS() ? 0x4 : 0x800;

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    private static partial nint Seek(int file, nint offset, int whence);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    private static partial int Close(int file);
}
