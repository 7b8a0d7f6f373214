using Tpwatch.Recordings;

namespace Tpwatch.Run;

/// <summary>Checks the path of a recording before it is read or written, and names new recordings.</summary>
static class RecordingFile
{
    /// <summary>Returns the path unchanged if the file exists.</summary>
    /// <exception cref="UserErrorException">The file does not exist, or the path is a folder.</exception>
    public static string MustExist(string path, string? hint = null)
    {
        if (File.Exists(path))
        {
            return path;
        }

        var isPid = path.Length > 0 && path.All(char.IsAsciiDigit);
        throw Directory.Exists(path)
            ? new UserErrorException($"'{path}' is a folder", hint ?? "give a .nettrace file", ExitCode.Arguments)
            : new UserErrorException($"there is no file '{path}'",
                hint ?? (isPid ? $"for a process, write -p {path}" : "give a .nettrace file; for a process, write -p PID or -n NAME"),
                ExitCode.Arguments);
    }

    /// <summary>
    /// Returns the path unchanged if tpwatch can write the recording and its side-car files there. The check comes before the recording, so
    /// that a long recording is not lost at its end.
    /// </summary>
    /// <exception cref="UserErrorException">A file exists already, or cannot be written.</exception>
    public static string MustBeWritable(string path, CaptureDepth depth, bool force)
    {
        // Without --force, an existing file stays: the recording of an incident cannot be repeated, and FILE.json may be unrelated.
        if (!force && !PrivateFile.IsDevicePath(path) && Written(path, depth).FirstOrDefault(PrivateFile.IsThere) is { } there)
        {
            throw new UserErrorException(
                $"'{there}' exists already", "name another file, or overwrite it with --force", ExitCode.Arguments);
        }

        try
        {
            if (PrivateFile.IsDevicePath(path))
            {
                return path;
            }

            if (!force || !PrivateFile.IsThere(path))
            {
                PrivateFile.CreateNew(path).Dispose();
                File.Delete(path);
            }
            else if (File.Exists(path))
            {
                new FileStream(path, FileMode.Open, FileAccess.Write).Dispose();
            }

            return path;
        }
        catch (UserErrorException e) when (e.InnerException is { } cause)
        {
            throw ResultFile.NotCreated(path, cause);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw ResultFile.NotCreated(path, e);
        }
    }

    /// <summary>Returns a name for a recording for which the user gave no name: <c>OrderApi_20261121_022906.nettrace</c>.</summary>
    public static string NameFor(string process, DateTimeOffset now) =>
        $"{NamedFile.SafeName(process)}_{now.UtcDateTime.ToString("yyyyMMdd'_'HHmmss", CultureInfo.InvariantCulture)}.nettrace";

    static IEnumerable<string> Written(string path, CaptureDepth depth) =>
        [path, SideCarFile.PathFor(path), .. depth.HasSession() ? [RecordedStream.PathFor(path)] : Array.Empty<string>()];
}
