namespace Tpwatch.Sessions;

/// <summary>
/// Finds a program as a shell does: a name without a folder along PATH alone. The class library would look into our own folder and into
/// the current one first, and start something else than the same words do in a shell.
/// </summary>
static class CommandPath
{
    const UnixFileMode Executable = UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;

    /// <summary>The program's path. <see cref="ForeseenException"/> (exit code 3): there is none, or it cannot be executed.</summary>
    public static string Find(string name) => Find(name, Environment.GetEnvironmentVariable("PATH") ?? "");

    internal static string Find(string name, string searchPath)
    {
        if (OperatingSystem.IsWindows())
        {
            return name;
        }

        string[] candidates = name.Contains('/', StringComparison.Ordinal)
            ? [Path.GetFullPath(name)]
            : [.. searchPath.Split(':').Select(folder => Path.GetFullPath(Path.Combine(folder.Length == 0 ? "." : folder, name)))];
        return candidates.FirstOrDefault(IsExecutable) ?? throw WhyNot(name, candidates);
    }

    static bool IsExecutable(string path) =>
        !OperatingSystem.IsWindows() && File.Exists(path) && (File.GetUnixFileMode(path) & Executable) != 0;

    static ForeseenException WhyNot(string name, string[] candidates)
    {
        if (name.Contains('/', StringComparison.Ordinal) && Directory.Exists(name))
        {
            return WrongCommand.Refused($"'{name}' is a folder", "give the program and its arguments: -- dotnet App.dll");
        }

        if (candidates.FirstOrDefault(File.Exists) is { } file)
        {
            return WrongCommand.Refused(
                $"'{file}' cannot be executed", file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
                    ? $"write -- dotnet {name}"
                    : "make it executable (chmod +x), or name the program that runs it");
        }

        return WrongCommand.Refused($"the command '{name}' was not found", "give a program on the PATH, or its path: -- dotnet App.dll");
    }
}
