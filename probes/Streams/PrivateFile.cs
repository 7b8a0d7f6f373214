using Tpwatch.Basics;

namespace Tpwatch.Streams;

/// <summary>Creates files that only their owner may read.</summary>
static class PrivateFile
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// A new file, or an existing one emptied and closed to others; a device (/dev/stdout, /dev/full) keeps its mode, it is not ours.
    /// <see cref="ForeseenException"/> (exit code 3) when that is not possible.
    /// </summary>
    public static FileStream Create(string path) => Open(path, FileMode.Create);

    /// <summary>As <see cref="Create"/>, but never where something is already, a link that leads nowhere included.</summary>
    public static FileStream CreateNew(string path) => Open(path, FileMode.CreateNew);

    /// <summary>As <see cref="Create"/>, but an existing file keeps what it holds.</summary>
    public static FileStream OpenOrCreate(string path) => Open(path, FileMode.OpenOrCreate);

    /// <summary>Whether an open file is a device, a pipe or a terminal: only of a file proper the length can be set.</summary>
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
            throw new ForeseenException($"{path} cannot be written: {e.Message}", "Give another path with -o.", ExitCode.Arguments, e);
        }
    }
}
