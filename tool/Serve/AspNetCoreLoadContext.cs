using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;

namespace Tpwatch.Serve;

/// <summary>
/// Load context with the shared framework of ASP.NET Core, which only <c>serve</c> needs. The runtimeconfig does not name the framework,
/// because otherwise no command would start on a machine that has only the .NET runtime. <c>serve</c> loads the program again in this
/// context. The context searches the framework first, so the framework's versions of shared assemblies win.
/// </summary>
sealed class AspNetCoreLoadContext : AssemblyLoadContext
{
    const string Framework = "Microsoft.AspNetCore.App";

    /// <summary>Minimum major version of ASP.NET Core: the version that the tool is compiled against.</summary>
    const int Oldest = 10;

    readonly string[] folders;

    AspNetCoreLoadContext(string folder)
        : base("serve") => folders = [folder, AppContext.BaseDirectory];

    /// <summary>Runs tpwatch in this context. Returns the exit code; null if it already runs there or no framework is found.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The trimmed file carries the framework and finds no other.")]
    public static int? Run(string[] args) =>
        GetLoadContext(typeof(AspNetCoreLoadContext).Assembly) != Default
            || Find(RuntimeEnvironment.GetRuntimeDirectory(), Environment.Version.Major) is not { } folder
            ? null
            : (int)new AspNetCoreLoadContext(folder).LoadFromAssemblyName(typeof(AspNetCoreLoadContext).Assembly.GetName()).EntryPoint!
                .Invoke(null, BindingFlags.DoNotWrapExceptions, null, [args], null)!;

    /// <summary>Throws if the framework is missing, before any type of the framework is used.</summary>
    /// <exception cref="UserErrorException">The framework is missing.</exception>
    public static void MustBeThere()
    {
        try
        {
            Assembly.Load("Microsoft.AspNetCore.Server.Kestrel.Core");
        }
        catch (FileNotFoundException e)
        {
            throw new UserErrorException(
                FormattableString.Invariant($"'serve' needs ASP.NET Core {Environment.Version.Major}, which is not beside this runtime"),
                "install the package aspnetcore-runtime, use an image that has it, or use the single-file build of tpwatch",
                ExitCode.Unsupported, e);
        }
    }

    /// <summary>Returns the folder of the newest framework that fits a runtime; null if there is none.</summary>
    /// <param name="runtime">The folder of the runtime, such as <c>shared/Microsoft.NETCore.App/10.0.12</c>.</param>
    /// <param name="major">The major version of the runtime.</param>
    internal static string? Find(string runtime, int major)
    {
        // Searches only next to an installed runtime, because any user could have put a framework next to a self-contained program.
        var ofRuntimes = new DirectoryInfo(Path.TrimEndingDirectorySeparator(runtime)).Parent;
        DirectoryInfo all = new(Path.Combine(runtime, "..", "..", Framework));
        return ofRuntimes?.Name != "Microsoft.NETCore.App" || !all.Exists ? null : all.GetDirectories()
            .Select(folder => (folder.FullName, Version: Version.TryParse(folder.Name.Split('-')[0], out var read) ? read : new()))
            .Where(folder => folder.Version.Major >= Oldest && folder.Version.Major <= major)
            .OrderBy(folder => folder.Version).LastOrDefault().FullName;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The trimmed file carries the framework and finds no other.")]
    protected override Assembly? Load(AssemblyName assemblyName) =>
        folders.Select(folder => Path.Combine(folder, assemblyName.Name + ".dll")).FirstOrDefault(File.Exists) is { } file
            ? LoadFromAssemblyPath(file)
            : null;
}
