using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>
/// The output for results: standard output, or a file that only the user who runs tpwatch may read. The file is created before tpwatch
/// attaches. Its earlier content stays until new results replace it.
/// </summary>
/// <param name="owned">Whether disposing this object closes the writer.</param>
/// <param name="temporary">Path of the file that is written, if it later replaces the file at <paramref name="finalPath"/>.</param>
sealed class ResultFile(TextWriter writer, bool owned, string? temporary = null, string? finalPath = null) : IDisposable
{
    bool isDevice;

    /// <summary>The writer for results. The caller flushes after each complete line or document.</summary>
    public TextWriter Writer => writer;

    /// <summary>
    /// Opens the output for lines: <paramref name="path"/>, or standard output if it is null. Each line can be read once it is written.
    /// </summary>
    /// <exception cref="UserErrorException">The file cannot be created.</exception>
    public static ResultFile ForLines(string? path, CommandContext context) => path is null
        ? new(context.Out, owned: false)
        : InPlace(path);

    /// <summary>
    /// Opens standard output if <paramref name="path"/> is null, otherwise a temporary file that later replaces the file at the path.
    /// </summary>
    /// <exception cref="UserErrorException">The file cannot be created.</exception>
    public static ResultFile ForReport(string? path, CommandContext context)
    {
        if (path is null)
        {
            return new(context.Out, owned: false);
        }

        var existed = File.Exists(path);
        var direct = InPlace(path);
        if (direct.isDevice)
        {
            return direct;
        }

        direct.Dispose();
        var real = RealPath.Of(path);
        if (!existed)
        {
            File.Delete(real);
        }

        return Side(real);
    }

    /// <summary>Throws if <paramref name="path"/> is, perhaps through links, the recording that is read or one of its side files.</summary>
    /// <exception cref="UserErrorException">The output would overwrite one of these files.</exception>
    public static void MustSpare(string recording, string? path)
    {
        if (path is { Length: > 0 } && RealPath.Of(path) is var real
            && new[]
            {
                recording,
                SideCarFile.PathFor(recording),
                SideStreamRecording.PathFor(recording),
            }.Any(part => real == RealPath.Of(part)))
        {
            throw new UserErrorException(
                $"'{path}' is the recording itself, or a file that belongs to it", "give another file with -o", ExitCode.Arguments);
        }
    }

    public static UserErrorException NotCreated(string path, Exception e) =>
        new($"cannot create '{path}': {e.Message.TrimEnd('.')}",
            "give -o a file in a folder that exists and that you may write to", ExitCode.Arguments, e);

    /// <summary>Writes and flushes the text. For a report, then moves the temporary file to the final path.</summary>
    public void Write(string text)
    {
        Writer.Write(text);
        Writer.Flush();
        if (temporary is { } written && finalPath is { } place)
        {
            Writer.Dispose();
            Put(written, place);
            temporary = null;
        }
    }

    public void Dispose()
    {
        if (owned)
        {
            Writer.Dispose();
        }

        if (temporary is { } unfinished)
        {
            File.Delete(unfinished);
        }
    }

    static void Put(string written, string place)
    {
        try
        {
            File.Move(written, place, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw NotCreated(place, e);
        }
    }

    static ResultFile InPlace(string path)
    {
        var file = Opened(path, PrivateFile.OpenOrCreate);
        return new(Writing(file, path, emptyFirst: true), owned: true) { isDevice = PrivateFile.IsDevice(file) };
    }

    // Opens a temporary file next to the path. If the folder does not permit that, overwrites an existing file in place.
    static ResultFile Side(string path)
    {
        var temporary = $"{path}.{Path.GetRandomFileName()}";
        try
        {
            return new(Writing(PrivateFile.Create(temporary), path, emptyFirst: false), owned: true, temporary, path);
        }
        catch (UserErrorException) when (File.Exists(path))
        {
            return InPlace(path);
        }
    }

    static FileStream Opened(string path, Func<string, FileStream> open)
    {
        try
        {
            return open(path);
        }
        catch (UserErrorException e) when (e.InnerException is { } cause)
        {
            throw NotCreated(path, cause);
        }
    }

    static StreamWriter Writing(FileStream file, string path, bool emptyFirst) =>
        new(new ResultStream(file, path, emptyFirst)) { NewLine = "\n" };
}

/// <summary>Resolves a path: makes it absolute and follows every symbolic link in it, also if the file does not exist.</summary>
static class RealPath
{
    /// <summary>Returns the resolved path; links that form a cycle stay as they are.</summary>
    public static string Of(string path)
    {
        var full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (Path.GetDirectoryName(full) is not { } folder)
        {
            return full;
        }

        var here = Path.Combine(Of(folder), Path.GetFileName(full));
        return Target(here) is { } target ? Of(target) : here;
    }

    static string? Target(string path)
    {
        try
        {
            return new FileInfo(path).ResolveLinkTarget(returnFinalTarget: true)?.FullName;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

/// <summary>Builds file names that contain the name of a process.</summary>
static class ProcessFileName
{
    /// <summary>Maximum number of characters of the process's name in a file name.</summary>
    const int LongestName = 40;

    /// <summary>
    /// Returns the path for one of several processes: <c>run.nettrace</c> becomes <c>run.OrderApi-4711.nettrace</c>. The process id
    /// distinguishes processes with the same name.
    /// </summary>
    public static string For(string path, ProcessRow process) => With(path, Safe(process));

    /// <summary>
    /// Returns the path for one of consecutive processes: <c>run.2.OrderApi-1.nettrace</c>. In containers, their process ids may be equal.
    /// </summary>
    public static string For(string path, ProcessRow process, int number) =>
        With(path, string.Create(CultureInfo.InvariantCulture, $"{number}.{Safe(process)}"));

    /// <summary>Returns the heading of a document if the output contains several: <c>OrderApi, process 4711</c>.</summary>
    public static string Heading(ProcessRow process) =>
        string.Create(CultureInfo.InvariantCulture, $"{process.Name}, process {process.Pid}");

    /// <summary>Returns the process's name and id with only characters that are safe in a file name.</summary>
    public static string Safe(ProcessRow process)
    {
        var name = SafeName(process.Name);
        return string.Create(CultureInfo.InvariantCulture, $"{name[..Math.Min(name.Length, LongestName)]}-{process.Pid}");
    }

    /// <summary>Returns the name with "_" in place of characters that have a meaning in a path or on a command line.</summary>
    public static string SafeName(string process) =>
        new([.. process.Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_' ? c : '_')]);

    static string With(string path, string part)
    {
        if (PrivateFile.IsDevicePath(path))
        {
            return path;
        }

        var ending = Path.GetExtension(path);
        return $"{path[..^ending.Length]}.{part}{ending}";
    }
}

/// <summary>Checks and builds the paths of recordings.</summary>
static class RecordingPath
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
    /// Returns the path unchanged if tpwatch can write the recording and its side files there. Callers check this before a recording, which
    /// would otherwise be lost at its end.
    /// </summary>
    /// <exception cref="UserErrorException">A file exists already, or cannot be written.</exception>
    public static string MustBeWritable(string path, CaptureDepth depth, bool force)
    {
        // Without --force, existing files stay: a recording cannot be repeated, and FILE.json may belong to something else.
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

    /// <summary>Returns the default name of a recording: <c>OrderApi_20261121_022906.nettrace</c>.</summary>
    public static string NameFor(string process, DateTimeOffset now) =>
        $"{ProcessFileName.SafeName(process)}_{now.UtcDateTime.ToString("yyyyMMdd'_'HHmmss", CultureInfo.InvariantCulture)}.nettrace";

    static IEnumerable<string> Written(string path, CaptureDepth depth) =>
        [path, SideCarFile.PathFor(path), .. depth.HasSession() ? [SideStreamRecording.PathFor(path)] : Array.Empty<string>()];
}

/// <summary>Where and how a command writes its results.</summary>
/// <param name="File">Path of a file; null for standard output.</param>
/// <param name="Format">One of the formats of the command, in lower case.</param>
/// <param name="Time">Whether times are in UTC or in seconds since the start.</param>
/// <param name="ShowCommandLine">Whether the target's command line is written in full.</param>
sealed record OutputRequest(string? File, string Format, TimeStyle Time, bool ShowCommandLine)
{
    /// <summary>Whether the text contains every detail instead of being short.</summary>
    public bool Verbose { get; init; }
}
