using System.Reflection;
using System.Reflection.Emit;

namespace Tpwatch.Benchmarks.Profile;

/// <summary>
/// Code is shared among instances over classes; the runtime writes such an argument as System.__Canon. In a profile it is a type of that
/// name in an assembly that does not exist (System.Private.Canon): crossgen2 reads it so.
/// </summary>
static class AnyClass
{
    public const string Name = "System.__Canon";

    const string AssemblyName = "System.Private.Canon";

    public static Type Type { get; } = Make();

    static Type Make()
    {
        var assembly = new PersistedAssemblyBuilder(new AssemblyName(AssemblyName), typeof(object).Assembly);
        assembly.DefineDynamicModule(AssemblyName).DefineType(Name, TypeAttributes.Public).CreateType();
        using var image = new MemoryStream();
        assembly.Save(image);
        return Assembly.Load(image.ToArray()).GetType(Name, throwOnError: true)!;
    }
}
