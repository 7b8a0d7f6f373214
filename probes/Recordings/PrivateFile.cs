namespace Tpwatch.Recordings;

/// <summary>Creates files that only their owner may read.</summary>
static class PrivateFile
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// A new file, or an existing one emptied and closed to others; a device (/dev/stdout, /dev/full) keeps its mode, it is not ours.
    /// <see cref="ForeseenException"/> (exit code 3) when that is not possible.
    /// </summary>
    public static FileStream Create(string path) => Open(path, FileMode.Create);

    /// <summary>
    /// As <see cref="Create"/>, but never where something is already, a link that leads nowhere included; with <paramref name="over"/> in
    /// its place, and what a link leads to stays as it is. A device is written as it is.
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

    /// <summary>Whether something is there, be it a link that leads nowhere.</summary>
    public static bool IsThere(string path) =>
        path.Length > 0 && new FileInfo(path) is var file && (file.Exists || file.LinkTarget is not null || Directory.Exists(path));

    /// <summary>Whether a path leads to a device, a pipe or a terminal, by no link but the system's own (/dev/stdout is one).</summary>
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
            throw NotWritten(path, e);
        }
    }

    static ForeseenException NotWritten(string path, Exception e) =>
        new($"{path} cannot be written: {e.Message}", "Give another path with -o.", ExitCode.Arguments, e);
}
