using System.Text;

namespace Tpwatch.Targets;

/// <summary>Parses command lines: finds the assembly that runs, and creates a short form without secrets.</summary>
static class TargetCommandLine
{
    /// <summary>
    /// Returns executable and assembly without their folders, and "..." for all other arguments, which may contain passwords.
    /// </summary>
    public static string Shorten(string commandLine) => Shorten(Split(commandLine));

    internal static string Shorten(IReadOnlyList<string> arguments)
    {
        if (arguments.Count == 0)
        {
            return "";
        }

        var kept = AssemblyIndex(arguments) ?? 0;
        var name = kept == 0 ? FileName(arguments[0]) : FileName(arguments[0]) + " " + FileName(arguments[kept]);
        return arguments.Count > kept + 1 ? name + " ..." : name;
    }

    /// <summary>Path of the assembly that <c>dotnet</c> runs; null if the executable is not <c>dotnet</c>, or no .dll is named.</summary>
    internal static string? EntryAssembly(IReadOnlyList<string> arguments) =>
        AssemblyIndex(arguments) is { } index ? arguments[index] : null;

    internal static string FileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>A file name without .dll or .exe.</summary>
    internal static string BareName(string name) =>
        name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
            ? name[..^4]
            : name;

    // Splits a command line of the runtime, which joins the arguments by spaces and quotes arguments that contain spaces.
    internal static List<string> Split(string commandLine)
    {
        List<string> arguments = [];
        StringBuilder current = new();
        var quoted = false;
        foreach (var c in commandLine + " ")
        {
            quoted ^= c == '"';
            if (c == ' ' && !quoted && current.Length > 0)
            {
                arguments.Add(current.ToString());
                current.Clear();
            }
            else if (c != '"' && (c != ' ' || quoted))
            {
                current.Append(c);
            }
        }

        return arguments;
    }

    static int? AssemblyIndex(IReadOnlyList<string> arguments) =>
        arguments.Count < 2 || !BareName(FileName(arguments[0])).Equals("dotnet", StringComparison.OrdinalIgnoreCase) ? null
        : Enumerable.Range(1, arguments.Count - 1).Where(i => arguments[i].EndsWith(".dll", StringComparison.OrdinalIgnoreCase))
            .Cast<int?>().FirstOrDefault();
}
