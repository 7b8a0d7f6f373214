using Tpwatch.Recordings;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>File names that contain the name of a process.</summary>
static class NamedFile
{
    /// <summary>Most characters of a process's name, so that the file name stays readable.</summary>
    const int LongestName = 40;

    /// <summary>
    /// The file for one of several processes: <c>run.nettrace</c> becomes <c>run.OrderApi-4711.nettrace</c>. The id distinguishes processes
    /// of one name.
    /// </summary>
    public static string For(string path, ProcessRow process) => With(path, Safe(process));

    /// <summary>
    /// The file for one of several consecutive processes: <c>run.2.OrderApi-1.nettrace</c>. In a container all of them may have one id.
    /// </summary>
    public static string For(string path, ProcessRow process, int number) =>
        With(path, string.Create(CultureInfo.InvariantCulture, $"{number}.{Safe(process)}"));

    /// <summary>The heading of its document if several follow each other: <c>OrderApi, process 4711</c>.</summary>
    public static string Heading(ProcessRow process) =>
        string.Create(CultureInfo.InvariantCulture, $"{process.Name}, process {process.Pid}");

    /// <summary>The process's name and id in a form that is safe in a file name.</summary>
    public static string Safe(ProcessRow process)
    {
        var name = SafeName(process.Name);
        return string.Create(CultureInfo.InvariantCulture, $"{name[..Math.Min(name.Length, LongestName)]}-{process.Pid}");
    }

    /// <summary>A process's name without characters that have a meaning in a path or on a command line.</summary>
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
