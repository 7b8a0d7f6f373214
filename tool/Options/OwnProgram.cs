using System.Reflection;

namespace Tpwatch.Options;

/// <summary>How this program starts itself.</summary>
static class OwnProgram
{
    /// <summary>As the child that reads a target's memory; null where it does not run as a program of its own.</summary>
    public static ProgramStart? Reader => Of(
        Environment.ProcessPath, Assembly.GetEntryAssembly() == typeof(OwnProgram).Assembly, AppContext.BaseDirectory);

    /// <summary>The same of what is running.</summary>
    /// <param name="file">The file of the process; null where nobody knows it.</param>
    /// <param name="isTool">Whether it is this tool that runs in it.</param>
    /// <param name="folder">Where its assemblies lie.</param>
    internal static ProgramStart? Of(string? file, bool isTool, string folder) =>
        file is null || !isTool ? null
        : Path.GetFileNameWithoutExtension(file) == "dotnet"
            ? new(file, ["exec", Path.Combine(folder, typeof(OwnProgram).Assembly.GetName().Name + ".dll")])
        : new(file, []);
}
