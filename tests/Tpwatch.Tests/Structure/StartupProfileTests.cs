using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Tpwatch.Tests.Structure;

/// <summary>
/// The profile by which the package's images are compiled names methods; one that is renamed is compiled at each start again, and nobody
/// would notice. `profile` of the benchmarks writes it anew.
/// </summary>
public class StartupProfileTests
{
    /// <summary>Fewer of them left, and a start takes noticeably longer: a tenth of 0.2 s.</summary>
    const double LeastShare = 0.9;

    /// <summary>A report alone runs more.</summary>
    const int LeastMethods = 1500;

    const BindingFlags Any = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    static readonly Dictionary<string, Assembly> Ours = new[] { typeof(ThreadPoolWatch).Assembly, typeof(Program).Assembly }
        .ToDictionary(assembly => assembly.GetName().Name!);

    [Fact]
    public void What_it_names_is_still_there()
    {
        using var file = new PEReader(File.OpenRead(Path.Combine(SourceTree.Root, "tool", "Startup.mibc")));
        var metadata = file.GetMetadataReader();
        var named = metadata.MemberReferences.Select(metadata.GetMemberReference)
            .Where(member => member.Parent.Kind == HandleKind.TypeReference && member.GetKind() == MemberReferenceKind.Method)
            .Select(member => (Type: TypeOf(metadata, (TypeReferenceHandle)member.Parent), Method: metadata.GetString(member.Name)))
            .Where(member => Ours.ContainsKey(member.Type.Assembly)).ToArray();
        Assert.True(named.Length >= LeastMethods, $"{named.Length} methods");
        var gone = named.Where(member => !IsThere(member.Type, member.Method)).ToArray();
        Assert.True(gone.Length <= named.Length * (1 - LeastShare),
            $"{gone.Length} of {named.Length} methods are gone, such as {string.Join(", ", gone.Take(5))}: "
            + "run `dotnet run --project tests/Tpwatch.Benchmarks -c Release -- profile`");
    }

    static bool IsThere((string Assembly, string Name) type, string method) => Ours[type.Assembly].GetType(type.Name) is { } found
        && (method.StartsWith('.') || found.GetMethods(Any).Any(m => m.Name == method));

    static (string Assembly, string Name) TypeOf(MetadataReader metadata, TypeReferenceHandle handle)
    {
        var type = metadata.GetTypeReference(handle);
        var name = metadata.GetString(type.Name);
        if (type.ResolutionScope.Kind == HandleKind.TypeReference)
        {
            var outer = TypeOf(metadata, (TypeReferenceHandle)type.ResolutionScope);
            return (outer.Assembly, $"{outer.Name}+{name}");
        }

        var assembly = metadata.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope);
        var space = metadata.GetString(type.Namespace);
        return (metadata.GetString(assembly.Name), space.Length > 0 ? $"{space}.{name}" : name);
    }
}
