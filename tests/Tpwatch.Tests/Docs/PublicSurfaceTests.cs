using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Tpwatch.Assertions;
using Tpwatch.Core;

namespace Tpwatch.Tests.Docs;

/// <summary>What the package shows to the tests of others: a change of it is seen in a review, and none comes by accident.</summary>
public sealed class PublicSurfaceTests
{
    const int MostTypes = 72;

    [Fact]
    public void The_public_face_of_the_engine_is_its_golden_file() =>
        Golden.Verify("Docs/public-surface.txt", Surface(typeof(ThreadPoolWatch).Assembly));

    /// <summary>
    /// What a stranger can hold follows from what the face hands out and takes: a type that cannot be
    /// reached from there is of no use to anybody outside.
    /// </summary>
    [Fact]
    public void Every_type_that_is_shown_is_reached_from_the_face_and_they_are_few()
    {
        var shown = typeof(ThreadPoolWatch).Assembly.GetExportedTypes().ToHashSet();
        var reached = new HashSet<Type> { typeof(ThreadPoolWatch), typeof(UserErrorException), typeof(PoolAssertions) };
        var open = new Queue<Type>(reached);
        while (open.TryDequeue(out var type))
        {
            foreach (var next in NamedBy(type).SelectMany(Parts).Where(shown.Contains).Where(reached.Add))
            {
                open.Enqueue(next);
            }
        }

        // Thrown by the assertions, which no signature says.
        Assert.Equal([nameof(PoolAssertionException)], shown.Except(reached).Select(type => type.Name));
        Assert.InRange(shown.Count, 1, MostTypes);
    }

    static IEnumerable<Type> NamedBy(Type type) => type.GetMembers(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static)
        .SelectMany(member => member switch
        {
            MethodInfo method => method.GetParameters().Select(p => p.ParameterType).Append(method.ReturnType),
            ConstructorInfo constructor => constructor.GetParameters().Select(p => p.ParameterType),
            PropertyInfo property => [property.PropertyType],
            FieldInfo field => [field.FieldType],
            _ => [],
        });

    static IEnumerable<Type> Parts(Type type) =>
        type.HasElementType ? Parts(type.GetElementType()!)
        : type.IsGenericType ? type.GetGenericArguments().SelectMany(Parts).Append(type)
        : [type];

    static string Surface(Assembly assembly)
    {
        var text = new StringBuilder();
        foreach (var type in assembly.GetExportedTypes().OrderBy(t => t.FullName, StringComparer.Ordinal))
        {
            text.Append(Kind(type)).Append(' ').Append(type.FullName).Append('\n');
            foreach (var member in Members(type).Order(StringComparer.Ordinal))
            {
                text.Append("    ").Append(member).Append('\n');
            }
        }

        return text.ToString();
    }

    static string Kind(Type type) => type switch
    {
        { IsEnum: true } => "enum",
        { IsInterface: true } => "interface",
        { IsValueType: true } => "struct",
        { IsAbstract: true, IsSealed: true } => "static class",
        { IsSealed: true } => "sealed class",
        _ => "class",
    };

    static IEnumerable<string> Members(Type type) => type.IsEnum
        ? Enum.GetValuesAsUnderlyingType(type).Cast<object>().Select(v => $"{Enum.GetName(type, v)} = {v}")
        : type.GetMembers(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly)
            .Where(m => m.GetCustomAttribute<CompilerGeneratedAttribute>() is null && !m.Name.Contains('$', StringComparison.Ordinal))
            .Select(Written).OfType<string>();

    static string? Written(MemberInfo member) => member switch
    {
        ConstructorInfo c => $"new({Parameters(c)})",
        PropertyInfo p => $"{Name(p.PropertyType)} {p.Name} {{ {(p.GetMethod is { IsPublic: true } ? "get; " : "")}"
            + $"{(p.SetMethod is { IsPublic: true } set ? IsInit(set) ? "init; " : "set; " : "")}}}",
        FieldInfo f => $"{(f.IsStatic ? "static " : "")}{Name(f.FieldType)} {f.Name}",
        MethodInfo { IsSpecialName: true } => null,
        MethodInfo m => $"{(m.IsStatic ? "static " : "")}{Name(m.ReturnType)} {m.Name}({Parameters(m)})",
        _ => null,
    };

    static bool IsInit(MethodInfo set) => set.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));

    static string Parameters(MethodBase method) =>
        string.Join(", ", method.GetParameters().Select(p => $"{Name(p.ParameterType)} {p.Name}"));

    static string Name(Type type) => type.IsGenericType
        ? $"{type.Name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(Name))}>"
        : type.Name;
}
