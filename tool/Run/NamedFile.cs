using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Names of files that a process has given its name.</summary>
static class NamedFile
{
    /// <summary>Names are cut so that the file's stays readable.</summary>
    const int LongestName = 40;

    /// <summary>
    /// For one of several processes: <c>run.nettrace</c> becomes <c>run.OrderApi-4711.nettrace</c>. The id keeps two of one name apart.
    /// </summary>
    public static string For(string path, ProcessRow process) => With(path, Safe(process));

    /// <summary>
    /// For one of several that come one after another: <c>run.2.OrderApi-1.nettrace</c>. In a container each of them may have the same id.
    /// </summary>
    public static string For(string path, ProcessRow process, int number) =>
        With(path, string.Create(CultureInfo.InvariantCulture, $"{number}.{Safe(process)}"));

    /// <summary>What stands above its document where several stand one after another: <c>OrderApi, process 4711</c>.</summary>
    public static string Heading(ProcessRow process) =>
        string.Create(CultureInfo.InvariantCulture, $"{process.Name}, process {process.Pid}");

    /// <summary>What a file may be called after the process: its name and its id.</summary>
    public static string Safe(ProcessRow process)
    {
        var name = SafeName(process.Name);
        return string.Create(CultureInfo.InvariantCulture, $"{name[..Math.Min(name.Length, LongestName)]}-{process.Pid}");
    }

    /// <summary>A process's name without what has a meaning in a path or on a command line.</summary>
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
