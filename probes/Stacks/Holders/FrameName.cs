namespace Tpwatch.Stacks.Holders;

/// <summary>A frame in words: whose it is, and the method as its author wrote it.</summary>
/// <param name="IsRuntime">It belongs to the runtime or its framework, not to the user.</param>
/// <param name="Space">Namespace and types.</param>
/// <param name="Method">The method, as its author wrote it.</param>
readonly record struct FrameName(bool IsRuntime, string Space, string Method)
{
    static readonly string[] Framework = ["System", "Microsoft", "mscorlib", "netstandard", "WindowsBase", "Interop"];

    /// <summary>The type without its namespace: <c>SemaphoreSlim</c>.</summary>
    public string Type => Space[(Space.LastIndexOf('.') + 1)..];

    /// <summary>
    /// <c>SemaphoreSlim.Wait</c>; of a property its name, of the runtime's inner halves that of the method that was called.
    /// </summary>
    public string Short => $"{Type}.{Called}";

    string Called => Method.StartsWith("get_", StringComparison.Ordinal) ? Method[4..]
        : Method.EndsWith("NoCheck", StringComparison.Ordinal) ? Method[..^7]
        : Method.EndsWith("_Slowpath", StringComparison.Ordinal) ? Method[..^9]
        : Method;

    /// <summary><c>Shop.Orders.Repository.Load</c>; a lambda is called by the method that it stands in.</summary>
    public string Full => Space.Length == 0 ? Method : $"{Space}.{Method}";

    /// <summary>Reads <c>module!Namespace.Type.Method(arguments)</c>.</summary>
    public static FrameName Of(string frame)
    {
        var bang = frame.IndexOf('!', StringComparison.Ordinal);
        var (module, name) = bang < 0 ? ("", frame) : (frame[..bang], WithoutArguments(frame[(bang + 1)..]));
        var (space, method) = Split(name);
        var written = Written(space, method);
        return written with { Space = Plain(written.Space), IsRuntime = bang < 0 || name == "?" || IsFramework(module) };
    }

    static bool IsFramework(string module) =>
        Framework.Any(f => module.StartsWith(f, StringComparison.Ordinal) && (module.Length == f.Length || module[f.Length] == '.'));

    static string WithoutArguments(string name) => name.IndexOf('(', StringComparison.Ordinal) is >= 0 and var at ? name[..at] : name;

    // A dot inside the brackets of type arguments does not end the type.
    static (string Space, string Method) Split(string name)
    {
        var depth = 0;
        for (var i = name.Length - 1; i > 0; i--)
        {
            depth += name[i] switch { ']' => 1, '[' => -1, _ => 0 };
            if (name[i] == '.' && depth == 0)
            {
                var dots = name[i - 1] == '.' ? i - 1 : i;
                return (name[..dots], name[(dots + 1)..].TrimStart('.'));
            }
        }

        return ("", name);
    }

    // The compiler's own types and methods carry the author's name in angle brackets: <Run>b__0,
    // <>c__DisplayClass1_0, <LoadAsync>d__5.MoveNext.
    static FrameName Written(string space, string method)
    {
        method = Plain(method);
        var plus = space.LastIndexOf("+<", StringComparison.Ordinal);
        if (plus >= 0)
        {
            var inner = space[(plus + 1)..];
            space = space[..plus];
            return method == "MoveNext" && Body(inner) is { Length: > 0 } async
                ? Written(space, async.StartsWith('<') ? async : $"<{async}>$")
                : Written(space, method);
        }

        return Between(method) is not { Length: > 0 } author ? new(false, space, method)
            : method.Contains(">g__", StringComparison.Ordinal) ? new(false, space, $"{author}.{Local(method)}")
            : new(false, space, method.Contains(">b__", StringComparison.Ordinal) ? $"{author} [lambda]" : author);
    }

    static string? Between(string name) => Body(name)?.TrimStart('<').Split('>')[0];

    // What stands in the outermost brackets: LoadAsync of <LoadAsync>d__5, and <Run>b__0 of <<Run>b__0>d.
    static string? Body(string name) => name.StartsWith('<') && name.LastIndexOf('>') is > 0 and var end ? name[1..end] : null;

    static string Local(string method)
    {
        var from = method.IndexOf(">g__", StringComparison.Ordinal) + 4;
        var to = method.IndexOf('|', from);
        return to < 0 ? method[from..] : method[from..to];
    }

    // Type arguments and the number of type parameters say little and take much room.
    static string Plain(string name)
    {
        var text = new System.Text.StringBuilder(name.Length);
        var depth = 0;
        for (var i = 0; i < name.Length; i++)
        {
            depth += name[i] == '[' ? 1 : 0;
            if (depth == 0 && name[i] == '`')
            {
                while (i + 1 < name.Length && char.IsAsciiDigit(name[i + 1]))
                {
                    i++;
                }
            }
            else if (depth == 0)
            {
                text.Append(name[i] == '+' ? '.' : name[i]);
            }

            depth -= name[i] == ']' ? 1 : 0;
        }

        return text.ToString();
    }
}
