using System.Text;
using Microsoft.Diagnostics.Runtime;
using Tpwatch.Stacks;

namespace Tpwatch.Inside;

/// <summary>Formats names of types and methods as stacks write them.</summary>
static class Names
{
    const string Box = "StateMachineBox<";

    /// <summary>The frame <c>module!Namespace.Type.Method</c>; a method made at run time is named as in the runtime's events.</summary>
    public static string Frame(ClrMethod method) => method.Type.Name is { } type
        ? $"{Path.GetFileNameWithoutExtension(method.Type.Module.Name)}!{Plain(type)}.{method.Name}"
        : $"{FrameName.CompiledModule}!dynamicClass.{method.Name}";

    /// <summary>The method as text, without its namespace.</summary>
    public static string Brief(ClrMethod method) => FrameName.Of(Frame(method)).Brief;

    /// <summary>The name of a type without namespaces and type arguments.</summary>
    public static string Short(string type)
    {
        var plain = Plain(type);
        return plain[(plain.LastIndexOf('.') + 1)..].Replace('+', '.');
    }

    /// <summary>A field as text: <c>OrderDesk.pending</c>; the type alone for a framework base class's field or a nameless one.</summary>
    public static string Keeper(string type, string field)
    {
        var plain = Short(type);
        var lambdas = plain.IndexOf(".<>c", StringComparison.Ordinal);
        var outer = lambdas > 0 ? plain[..lambdas] : plain;
        var owner = outer[(outer.LastIndexOf('.') + 1)..];
        return field is "" or "_task" ? owner
            : $"{owner}.{Property(field)}";
    }

    // The name of a property's backing field contains the property's name in brackets.
    static string Property(string field) =>
        field.StartsWith('<') && field.IndexOf('>', StringComparison.Ordinal) is > 0 and var end ? field[1..end] : field;

    /// <summary>Name of the state machine, from the type name of an async method's box; null for other types.</summary>
    public static string? StateMachine(string type) =>
        type.IndexOf(Box, StringComparison.Ordinal) is > 0 and var at && type.EndsWith('>') ? type[(at + Box.Length)..^1] : null;

    /// <summary>Name of a state machine's async method or iterator, and whether the method belongs to the framework.</summary>
    public static (string Name, bool IsFramework) Method(string stateMachine)
    {
        var plain = Plain(stateMachine);
        return (FrameName.Of($"?!{plain}.MoveNext") with { IsStateMachine = false } is var name ? name.Brief : plain, IsFramework(plain));
    }

    /// <summary>Whether a type belongs to the framework, judged by its namespace.</summary>
    public static bool IsFramework(string? type) => type is null || type.StartsWith("System.", StringComparison.Ordinal)
        || type.StartsWith("Microsoft.", StringComparison.Ordinal) || type.StartsWith("Interop", StringComparison.Ordinal);

    /// <summary>
    /// The type name without type arguments. Compiler-generated names also begin with a bracket, which follows a plus, a dot or another
    /// bracket.
    /// </summary>
    public static string Plain(string type)
    {
        var text = new StringBuilder(type.Length);
        for (var i = 0; i < type.Length; i++)
        {
            if (type[i] == '<' && i > 0 && type[i - 1] is not ('+' or '.' or '<'))
            {
                i = End(type, i);
                continue;
            }

            text.Append(type[i]);
        }

        return text.ToString();
    }

    static int End(string type, int from)
    {
        var depth = 0;
        for (var i = from; i < type.Length; i++)
        {
            depth += type[i] switch { '<' => 1, '>' => -1, _ => 0 };
            if (depth == 0)
            {
                return i;
            }
        }

        return type.Length;
    }
}
