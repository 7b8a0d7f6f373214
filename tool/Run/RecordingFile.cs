using Tpwatch.Recordings;

namespace Tpwatch.Run;

/// <summary>A recording that is to be read or written.</summary>
static class RecordingFile
{
    /// <summary>The same path, when there is something to read.</summary>
    /// <exception cref="ForeseenException">There is not.</exception>
    public static string MustExist(string path, string? hint = null)
    {
        if (File.Exists(path))
        {
            return path;
        }

        var isPid = path.Length > 0 && path.All(char.IsAsciiDigit);
        throw Directory.Exists(path)
            ? new ForeseenException($"'{path}' is a folder", hint ?? "give a .nettrace file", ExitCode.Arguments)
            : new ForeseenException($"there is no file '{path}'",
                hint ?? (isPid ? $"for a process, write -p {path}" : "give a .nettrace file; for a process, write -p PID or -n NAME"),
                ExitCode.Arguments);
    }

    /// <summary>
    /// The same path, when a file can be written there and what belongs beside it; tried now, so that nobody records an hour for nothing.
    /// </summary>
    /// <exception cref="ForeseenException">It cannot.</exception>
    public static string MustBeWritable(string path, CaptureDepth depth, bool force)
    {
        // The recording of an incident is the only one there will ever be, and FILE.json may be somebody's settings.
        if (!force && !PrivateFile.IsDevicePath(path) && Written(path, depth).FirstOrDefault(PrivateFile.IsThere) is { } there)
        {
            throw new ForeseenException(
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
        catch (ForeseenException e) when (e.InnerException is { } cause)
        {
            throw ResultFile.NotCreated(path, cause);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw ResultFile.NotCreated(path, e);
        }
    }

    /// <summary>A name for a recording when none was given: <c>OrderApi_20261121_022906.nettrace</c>.</summary>
    public static string NameFor(string process, DateTimeOffset now) =>
        $"{NamedFile.SafeName(process)}_{now.UtcDateTime.ToString("yyyyMMdd'_'HHmmss", CultureInfo.InvariantCulture)}.nettrace";

    static IEnumerable<string> Written(string path, CaptureDepth depth) =>
        [path, SideCarFile.PathFor(path), .. depth.HasSession() ? [RecordedStream.PathFor(path)] : Array.Empty<string>()];
}
