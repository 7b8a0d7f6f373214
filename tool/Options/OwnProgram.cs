using System.Reflection;

namespace Tpwatch.Options;

/// <summary>The command line by which tpwatch starts its own executable as a child process.</summary>
static class OwnProgram
{
    /// <summary>The command for the child process that reads a target's memory; null if tpwatch runs inside another program.</summary>
    public static ProgramStart? Reader => Of(
        Environment.ProcessPath, Assembly.GetEntryAssembly()?.GetName().Name == Name, AppContext.BaseDirectory);

    // Compared by name, because serve loads the same assembly a second time, in another load context.
    static string? Name => typeof(OwnProgram).Assembly.GetName().Name;

    /// <summary>Returns the command that starts tpwatch once more; null if the process runs another program.</summary>
    /// <param name="file">The executable of the current process; null if unknown.</param>
    /// <param name="isTool">Whether tpwatch is the program that runs in the process.</param>
    /// <param name="folder">The folder with the assemblies of the process.</param>
    internal static ProgramStart? Of(string? file, bool isTool, string folder) =>
        file is null || !isTool ? null
        : Path.GetFileNameWithoutExtension(file) == "dotnet"
            ? new(file, ["exec", Path.Combine(folder, Name + ".dll")])
        : new(file, []);
}
