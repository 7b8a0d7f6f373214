namespace Tpwatch.Run;

/// <summary>Where a path leads: absolute, every link on the way resolved; what does not exist yet stays as written.</summary>
static class RealPath
{
    /// <summary>The path; one whose links lead in a circle stays as written.</summary>
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
