using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.Recordings;

/// <summary>
/// Recognises pipes and terminals, at which an open call could block, such as a named pipe without a writer. Used before tpwatch opens a
/// file that another program may have created.
/// </summary>
static partial class RegularFile
{
    const int ReadOnly = 0;
    const int WriteOnly = 1;
    const int SeekEnd = 2;

    /// <summary>Error number ENXIO, the same on Linux and macOS: the pipe has no reader.</summary>
    const int NobodyReads = 6;

    /// <summary>
    /// Opens a regular file for reading. Throws <see cref="IOException"/> if the file is a pipe or a terminal, or cannot be opened.
    /// </summary>
    public static FileStream OpenRead(string path) => IsPipe(path)
        ? throw new IOException("it is a pipe or a terminal, not a file")
        : new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);

    /// <summary>
    /// Whether the path exists and is a pipe or a terminal, so that an open call could block; false if this cannot be determined.
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
    /// Returns a handle to hold while a pipe is opened for writing, so that the pipe's reader does not see an end before the first byte.
    /// Null for a regular file. Throws <see cref="IOException"/> if the pipe has no reader, because an open call would block.
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

    // Value of O_NONBLOCK: with this flag, opening a pipe does not wait for its other end.
    static int NonBlocking => OperatingSystem.IsMacOS() ? 0x4 : 0x800;

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    private static partial nint Seek(int file, nint offset, int whence);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    private static partial int Close(int file);
}

/// <summary>Creates files that only their owner can read.</summary>
static class PrivateFile
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Creates a new file, or empties an existing file and restricts access to the owner. A device (/dev/stdout, /dev/full) keeps its mode,
    /// because the device does not belong to tpwatch. Throws <see cref="UserErrorException"/> (exit code 3) if the file cannot be written.
    /// </summary>
    public static FileStream Create(string path) => Open(path, FileMode.Create);

    /// <summary>
    /// Creates a new file like <see cref="Create"/>, but throws if the path exists, even as a link to a missing file. With
    /// <paramref name="over"/>, replaces the existing file or link; the target of a link stays unchanged. A device is opened, not replaced.
    /// </summary>
    public static FileStream CreateNew(string path, bool over = false)
    {
        if (IsDevicePath(path))
        {
            return OpenOrCreate(path);
        }

        try
        {
            if (over)
            {
                File.Delete(path);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw NotWritten(path, e);
        }

        return Open(path, FileMode.CreateNew);
    }

    /// <summary>Whether the path exists, even as a link to a missing file.</summary>
    public static bool IsThere(string path) =>
        path.Length > 0 && new FileInfo(path) is var file && (file.Exists || file.LinkTarget is not null || Directory.Exists(path));

    /// <summary>Whether a path is a device, a pipe or a terminal; false for a link, except below /dev (such as /dev/stdout).</summary>
    public static bool IsDevicePath(string path)
    {
        if (OperatingSystem.IsWindows() || !File.Exists(path)
            || (new FileInfo(path).LinkTarget is not null && !path.StartsWith("/dev/", StringComparison.Ordinal)))
        {
            return false;
        }

        try
        {
            if (RegularFile.IsPipe(path))
            {
                return true;
            }

            using FileStream file = new(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
            return IsDevice(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>Like <see cref="Create"/>, but an existing file keeps its content.</summary>
    public static FileStream OpenOrCreate(string path) => Open(path, FileMode.OpenOrCreate);

    /// <summary>Whether an open file is a device, a pipe or a terminal, whose length cannot be set.</summary>
    public static bool IsDevice(FileStream file)
    {
        try
        {
            file.SetLength(file.Length);
            return false;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return true;
        }
    }

    static FileStream Open(string path, FileMode mode)
    {
        FileStreamOptions options = new() { Mode = mode, Access = FileAccess.Write, Share = FileShare.Read, BufferSize = 0 };
        try
        {
            if (OperatingSystem.IsWindows())
            {
                return new FileStream(path, options);
            }

            using var hold = RegularFile.Hold(path);
            options.UnixCreateMode = OwnerOnly;
            FileStream file = new(path, options);
            if (!IsDevice(file))
            {
                File.SetUnixFileMode(file.SafeFileHandle, OwnerOnly);
            }

            return file;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw NotWritten(path, e);
        }
    }

    static UserErrorException NotWritten(string path, Exception e) =>
        new($"{path} cannot be written: {e.Message}", "Give another path with -o.", ExitCode.Arguments, e);
}
