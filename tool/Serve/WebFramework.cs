using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;

namespace Tpwatch.Serve;

/// <summary>
/// ASP.NET Core's shared framework, which <c>serve</c> alone needs. The tool does not ask the host for it, since no verb would start where
/// only the plain runtime is. Instead <c>serve</c> runs the program once more, in a load context that finds the framework first: so it
/// brings its own versions of what the tool carries too.
/// </summary>
sealed class WebFramework : AssemblyLoadContext
{
    const string Framework = "Microsoft.AspNetCore.App";

    /// <summary>The framework that the tool is compiled against.</summary>
    const int Oldest = 10;

    readonly string[] folders;

    WebFramework(string folder)
        : base("serve") => folders = [folder, AppContext.BaseDirectory];

    /// <summary>Runs the program within the framework; null where that is not needed or the framework is not there.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The trimmed file carries the framework and finds no other.")]
    public static int? Run(string[] args) =>
        GetLoadContext(typeof(WebFramework).Assembly) != Default
            || Find(RuntimeEnvironment.GetRuntimeDirectory(), Environment.Version.Major) is not { } folder
            ? null
            : (int)new WebFramework(folder).LoadFromAssemblyName(typeof(WebFramework).Assembly.GetName()).EntryPoint!
                .Invoke(null, BindingFlags.DoNotWrapExceptions, null, [args], null)!;

    /// <summary>Says what is missing where it is.</summary>
    /// <exception cref="UserErrorException">The framework is not there.</exception>
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

    /// <summary>The newest framework that runs on a runtime; null where there is none.</summary>
    /// <param name="runtime">Folder of the runtime, such as <c>shared/Microsoft.NETCore.App/10.0.12</c>.</param>
    /// <param name="major">Its major version.</param>
    internal static string? Find(string runtime, int major)
    {
        DirectoryInfo all = new(Path.Combine(runtime, "..", "..", Framework));
        return !all.Exists ? null : all.GetDirectories()
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
