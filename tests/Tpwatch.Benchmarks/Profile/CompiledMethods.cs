using System.Reflection;
using System.Runtime.Loader;
using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Benchmarks.Profile;

/// <summary>
/// The methods that traced runs compiled, found in the assemblies that ran. Instances over type arguments are told by the runtime's
/// MethodDetails and BulkType events. What the framework defines is left out, over our types too: an image holds its own code alone.
/// </summary>
sealed class CompiledMethods(string folder) : IDisposable
{
    readonly AssemblyLoadContext assemblies = new(nameof(CompiledMethods), isCollectible: true);
    readonly HashSet<MethodBase> found = [];

    /// <summary>In no order.</summary>
    public IReadOnlyCollection<MethodBase> Found => found;

    /// <summary>Reads one trace; how many methods it has, each time that one was compiled.</summary>
    public int Read(string trace)
    {
        using var source = new EventPipeEventSource(trace);
        var modules = new Dictionary<long, string>();
        var types = new TracedTypes(modules, Load);
        List<(long Id, long Module, int Token)> compiled = [];
        Dictionary<long, (ulong Owner, ulong[] Arguments)> details = [];
        source.Clr.LoaderModuleLoad += module => modules[module.ModuleID] = Path.GetFileNameWithoutExtension(module.ModuleILPath);
        source.Clr.MethodLoadVerbose += method => compiled.Add((method.MethodID, method.ModuleID, method.MethodToken));
        source.Clr.MethodMethodDetails += method => details[method.MethodID] = ((ulong)method.TypeID,
            [.. Enumerable.Range(0, method.TypeParameterCount).Select(i => (ulong)method.TypeParameters(i))]);
        source.Clr.TypeBulkType += types.Add;
        source.Process();
        foreach (var (id, module, token) in compiled)
        {
            if (modules.TryGetValue(module, out var name) && details.TryGetValue(id, out var detail)
                && MethodOf(Load(name), token, detail.Owner, detail.Arguments, types) is { } method && IsOurs(method))
            {
                found.Add(method);
            }
        }

        return compiled.Count;
    }

    public void Dispose() => assemblies.Unload();

    Assembly Load(string name)
    {
        var file = Path.Combine(folder, name + ".dll");
        return File.Exists(file) ? assemblies.LoadFromAssemblyPath(file) : assemblies.LoadFromAssemblyName(new AssemblyName(name));
    }

    /// <summary>Null where its type arguments cannot be told, or are ones that the stand-in for any class may not be.</summary>
    static MethodBase? MethodOf(Assembly assembly, int token, ulong owner, ulong[] arguments, TracedTypes types)
    {
        try
        {
            var method = assembly.ManifestModule.ResolveMethod(token)!;
            if (method.DeclaringType is not { } declaring)
                return null;
            if (declaring.ContainsGenericParameters)
                method = MethodBase.GetMethodFromHandle(method.MethodHandle, types.Of(owner).TypeHandle)!;
            return method.IsGenericMethodDefinition ? ((MethodInfo)method).MakeGenericMethod([.. arguments.Select(types.Of)]) : method;
        }
        catch (Exception e) when (e is ArgumentException or KeyNotFoundException)
        {
            return null;
        }
    }

    bool IsOurs(MethodBase method) => File.Exists(Path.Combine(folder, method.Module.Assembly.GetName().Name + ".dll"));
}
