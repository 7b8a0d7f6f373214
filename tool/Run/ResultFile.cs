using Tpwatch.Options;
using Tpwatch.Recordings;

namespace Tpwatch.Run;

/// <summary>
/// The output for results: standard output, or a file that only its owner may read. The file is created before tpwatch attaches, and the
/// content of an earlier run stays until new results replace it.
/// </summary>
sealed class ResultFile : IDisposable
{
    readonly bool owned;
    readonly string? finalPath;
    string? temporary;
    bool isDevice;

    ResultFile(TextWriter writer, bool owned, string? temporary = null, string? finalPath = null)
    {
        Writer = writer;
        this.owned = owned;
        this.temporary = temporary;
        this.finalPath = finalPath;
    }

    /// <summary>The writer for results; the caller flushes after each complete line or document.</summary>
    public TextWriter Writer { get; }

    /// <summary>
    /// Opens the output for lines, which a user may follow as they arrive: <paramref name="path"/>, or standard output for null.
    /// </summary>
    /// <exception cref="UserErrorException">The file cannot be created.</exception>
    public static ResultFile ForLines(string? path, CommandContext context) => path is null
        ? new(context.Out, owned: false)
        : InPlace(path);

    /// <summary>
    /// Opens the output for a report, which is written at once: a temporary file replaces <paramref name="path"/> at the end.
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

    /// <summary>Throws if <paramref name="path"/> leads, even through links, to the recording being read or its side-car files.</summary>
    /// <exception cref="UserErrorException">The output would overwrite one of these files.</exception>
    public static void MustSpare(string recording, string? path)
    {
        if (path is { Length: > 0 } && RealPath.Of(path) is var real
            && new[]
            {
                recording,
                SideCarFile.PathFor(recording),
                RecordedStream.PathFor(recording),
            }.Any(part => real == RealPath.Of(part)))
        {
            throw new UserErrorException(
                $"'{path}' is the recording itself, or a file that belongs to it", "give another file with -o", ExitCode.Arguments);
        }
    }

    /// <summary>Returns the exception for a file that cannot be created.</summary>
    public static UserErrorException NotCreated(string path, Exception e) =>
        new($"cannot create '{path}': {e.Message.TrimEnd('.')}",
            "give -o a file in a folder that exists and that you may write to", ExitCode.Arguments, e);

    /// <summary>Writes and flushes the text; then moves a report from its temporary file to its final path.</summary>
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

    // In a folder that is not writable, an existing file may still be writable, and is then overwritten in place.
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

/// <summary>Resolves a path: absolute, with every symbolic link resolved; parts that do not exist yet stay as written.</summary>
static class RealPath
{
    /// <summary>Returns the resolved path; a path with a cycle of links stays as written.</summary>
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
