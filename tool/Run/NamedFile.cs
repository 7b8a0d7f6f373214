using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Builds file names that contain the name of a process.</summary>
static class NamedFile
{
    /// <summary>Maximum number of characters from a process's name, which keeps the file name readable.</summary>
    const int LongestName = 40;

    /// <summary>
    /// Returns the path for one of several processes: <c>run.nettrace</c> becomes <c>run.OrderApi-4711.nettrace</c>. The process id
    /// distinguishes processes with the same name.
    /// </summary>
    public static string For(string path, ProcessRow process) => With(path, Safe(process));

    /// <summary>
    /// Returns the path for one of several consecutive processes: <c>run.2.OrderApi-1.nettrace</c>. In a container, the ids may be equal.
    /// </summary>
    public static string For(string path, ProcessRow process, int number) =>
        With(path, string.Create(CultureInfo.InvariantCulture, $"{number}.{Safe(process)}"));

    /// <summary>Returns the heading of a document if several documents follow each other: <c>OrderApi, process 4711</c>.</summary>
    public static string Heading(ProcessRow process) =>
        string.Create(CultureInfo.InvariantCulture, $"{process.Name}, process {process.Pid}");

    /// <summary>Returns the process's name and id in a form that is safe in a file name.</summary>
    public static string Safe(ProcessRow process)
    {
        var name = SafeName(process.Name);
        return string.Create(CultureInfo.InvariantCulture, $"{name[..Math.Min(name.Length, LongestName)]}-{process.Pid}");
    }

    /// <summary>Returns a process's name without characters that have a meaning in a path or on a command line.</summary>
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
