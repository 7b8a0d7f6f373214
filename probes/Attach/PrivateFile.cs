namespace Tpwatch.Attach;

/// <summary>Creates files that only their owner may read.</summary>
internal static class PrivateFile
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// A new file, or an existing one emptied and closed to others; a device (/dev/stdout, /dev/full) keeps its mode, it is not ours.
    /// <see cref="ForeseenException"/> (exit code 3) when that is not possible.
    /// </summary>
    public static FileStream Create(string path)
    {
        FileStreamOptions options = new() { Mode = FileMode.Create, Access = FileAccess.Write, Share = FileShare.Read, BufferSize = 0 };
        try
        {
            if (OperatingSystem.IsWindows())
            {
                return new FileStream(path, options);
            }

            options.UnixCreateMode = OwnerOnly;
            FileStream file = new(path, options);
            if (!Path.GetFullPath(path).StartsWith("/dev/", StringComparison.Ordinal))
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
