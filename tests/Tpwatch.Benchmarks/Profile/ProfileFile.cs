using System.Reflection;
using System.Reflection.Emit;

namespace Tpwatch.Benchmarks.Profile;

/// <summary>
/// A profile as crossgen2 reads it (.mibc): an assembly whose global method AssemblyDictionary names, for each assembly, a global method
/// that loads the token of each of its methods and drops it. Format: dotnet/runtime, MIbcProfileParser.
/// </summary>
static class ProfileFile
{
    const MethodAttributes Global = MethodAttributes.Public | MethodAttributes.Static;

    /// <summary>Writes the methods; how many there are.</summary>
    public static int Write(string file, IReadOnlyCollection<MethodBase> methods)
    {
        var assembly = new PersistedAssemblyBuilder(new AssemblyName(Path.GetFileName(file)), typeof(object).Assembly);
        var module = assembly.DefineDynamicModule(Path.GetFileName(file));
        var dictionary = module.DefineGlobalMethod("AssemblyDictionary", Global, typeof(void), []).GetILGenerator();
        var groups = methods.GroupBy(method => method.Module.Assembly.GetName().Name!);
        foreach (var group in groups.OrderBy(group => group.Key, StringComparer.Ordinal))
        {
            dictionary.Emit(OpCodes.Ldstr, group.Key + ";");
            dictionary.Emit(OpCodes.Ldtoken, Listed(module, group.Key, group));
            dictionary.Emit(OpCodes.Pop);
        }

        dictionary.Emit(OpCodes.Ret);
        module.CreateGlobalFunctions();
        assembly.Save(file);
        return methods.Count;
    }

    static MethodBuilder Listed(ModuleBuilder module, string assembly, IEnumerable<MethodBase> methods)
    {
        var list = module.DefineGlobalMethod("Assemblies_" + assembly, Global, typeof(void), []);
        var code = list.GetILGenerator();
        foreach (var method in methods.OrderBy(m => $"{m.DeclaringType} {m}", StringComparer.Ordinal))
        {
            code.Emit(OpCodes.Ldtoken, method is ConstructorInfo constructor
                ? module.GetMethodMetadataToken(constructor)
                : module.GetMethodMetadataToken((MethodInfo)method));
            code.Emit(OpCodes.Pop);
        }

        code.Emit(OpCodes.Ret);
        return list;
    }
}
