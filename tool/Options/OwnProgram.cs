using System.Reflection;

namespace Tpwatch.Options;

/// <summary>How tpwatch starts itself as a child process.</summary>
static class OwnProgram
{
    /// <summary>The command for the child that reads a target's memory; null if tpwatch does not run as a program of its own.</summary>
    public static ProgramStart? Reader => Of(
        Environment.ProcessPath, Assembly.GetEntryAssembly()?.GetName().Name == Name, AppContext.BaseDirectory);

    // By its name: serve runs the same assembly once more in a load context of its own.
    static string? Name => typeof(OwnProgram).Assembly.GetName().Name;

    /// <summary>The command for a given process.</summary>
    /// <param name="file">The executable of the process; null when unknown.</param>
    /// <param name="isTool">Whether this tool is the program that runs in it.</param>
    /// <param name="folder">The folder of its assemblies.</param>
    internal static ProgramStart? Of(string? file, bool isTool, string folder) =>
        file is null || !isTool ? null
        : Path.GetFileNameWithoutExtension(file) == "dotnet"
            ? new(file, ["exec", Path.Combine(folder, Name + ".dll")])
        : new(file, []);
}
