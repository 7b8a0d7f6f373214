namespace Tpwatch.Stacks;

/// <summary>The kind of source code from which the compiler made a method.</summary>
enum FrameMethodKind
{
    Method,
    Lambda,
    Local,
}

/// <summary>A stack frame: the assembly it belongs to, and the method as its author wrote it.</summary>
/// <param name="IsRuntime">Whether the frame belongs to the runtime or its framework, not to the application or a package.</param>
/// <param name="Space">Namespace and types.</param>
/// <param name="Method">The method as its author wrote it; for a lambda or a local function, the method that contains it.</param>
readonly record struct FrameName(bool IsRuntime, string Space, string Method)
{
    /// <summary>The module of methods made at run time, as the runtime's events name it.</summary>
    public const string CompiledModule = "Anonymously Hosted DynamicMethods Assembly";

    /// <summary>The name prefix of methods compiled from expression trees.</summary>
    const string CompiledMethod = "lambda_method";

    static readonly string[] Framework = ["System", "Microsoft", "mscorlib", "netstandard", "WindowsBase", "Interop"];

    /// <summary>Packages whose names begin like the framework's: database drivers, and packages built on them.</summary>
    static readonly string[] Packages = ["Microsoft.Data", "Microsoft.EntityFrameworkCore", "Microsoft.Azure", "System.Data.SqlClient"];

    /// <summary>The assembly name; empty if the runtime names no assembly.</summary>
    public string Module { get; init; } = "";

    public FrameMethodKind Form { get; init; }

    /// <summary>The name of a local function; otherwise empty.</summary>
    public string Local { get; init; } = "";

    /// <summary>Whether the frame is the continuation part (MoveNext) of an async method or an iterator.</summary>
    public bool IsStateMachine { get; init; }

    /// <summary>Whether the method was compiled from an expression tree at run time; the number in its name carries no meaning.</summary>
    public bool IsCompiled => Module == CompiledModule && Method.StartsWith(CompiledMethod, StringComparison.Ordinal);

    /// <summary>The type without its namespace: <c>SemaphoreSlim</c>.</summary>
    public string Type => Space[(Space.LastIndexOf('.') + 1)..];

    /// <summary>
    /// Type and method: <c>SemaphoreSlim.Wait</c>. Gives the property for its getter, and the public method for an internal helper.
    /// </summary>
    public string Short => $"{Type}.{Called}";

    string Called => Method.StartsWith("get_", StringComparison.Ordinal) ? Method[4..]
        : Method.EndsWith("NoCheck", StringComparison.Ordinal) ? Method[..^7]
        : Method.EndsWith("_Slowpath", StringComparison.Ordinal) ? Method[..^9]
        : (Type, Method) switch
        {
            ("Task", "GetResultCore") => "Result",

            // In optimized code, the public method has no frame. Wait and Result both call these methods.
            ("Task", "InternalWait" or "InternalWaitCore" or "SpinThenBlockingWait") => "Wait or Result",
            ("Task", "WaitAllBlockingCore" or "WaitAllCore") => "WaitAll",
            ("TaskAwaiter", _) => "GetResult",
            ("SemaphoreSlim", "WaitCore") => "Wait",
            ("Thread", "SleepInternal") => "Sleep",
            _ => Method,
        };

    /// <summary>The full name: <c>Shop.Orders.Repository.Load</c>; for an application's lambda <c>lambda in Shop.Start.Main</c>.</summary>
    public string Full => IsRuntime ? Joined(Space, Local.Length > 0 ? $"{Method}.{Local}" : Method) : Spoken(Joined(Space, Method));

    /// <summary>Type and method as written: <c>Start.Main</c>.</summary>
    public string Bare => Joined(Type, Method);

    /// <summary>The full name without the namespace: <c>lambda in Start.Main</c>.</summary>
    public string Brief => Spoken(Bare);

    string Spoken(string name) => (IsStateMachine ? "async " : "") + Form switch
    {
        FrameMethodKind.Lambda => $"lambda in {name}",
        FrameMethodKind.Local => $"local function {Local} of {name}",
        _ => name,
    };

    static string Joined(string space, string method) => space.Length == 0 ? method : $"{space}.{method}";

    /// <summary>Parses <c>module!Namespace.Type.Method(arguments)</c>.</summary>
    public static FrameName Of(string frame)
    {
        var bang = frame.IndexOf('!', StringComparison.Ordinal);
        var (module, name) = bang < 0 ? ("", frame) : (frame[..bang], WithoutArguments(frame[(bang + 1)..]));
        var (space, method) = Split(name);
        var written = Written(space, method);
        return written with
        {
            Space = Plain(written.Space),
            Module = module,
            IsRuntime = bang < 0 || name == "?" || (IsOneOf(Framework, module) && !IsOneOf(Packages, module)),
        };
    }

    static bool IsOneOf(string[] names, string module) =>
        names.Any(f => module.StartsWith(f, StringComparison.Ordinal) && (module.Length == f.Length || module[f.Length] == '.'));

    static string WithoutArguments(string name) => name.IndexOf('(', StringComparison.Ordinal) is >= 0 and var at ? name[..at] : name;

    // Splits at the last dot outside brackets: type arguments contain dots, and so do compiler-generated names such as <.cctor>b__4_0.
    static (string Space, string Method) Split(string name)
    {
        var depth = 0;
        for (var i = name.Length - 1; i > 0; i--)
        {
            depth += name[i] switch { ']' or '>' => 1, '[' or '<' => -1, _ => 0 };
            if (name[i] == '.' && depth == 0)
            {
                var dots = name[i - 1] == '.' ? i - 1 : i;
                return (OfImplementer(name[..dots]), name[(dots + 1)..].TrimStart('.'));
            }
        }

        return ("", name);
    }

    // A method that implements an interface explicitly has the interface before its own name: A.B.Engine.System.Threading.IItem.Execute.
    static string OfImplementer(string space)
    {
        var at = space.IndexOf(".System.", StringComparison.Ordinal);
        var type = space[(space.LastIndexOf('.') + 1)..];
        return at > 0 && type.Length > 1 && type[0] == 'I' && char.IsAsciiLetterUpper(type[1]) ? space[..at] : space;
    }

    // Compiler-generated types and methods have the author's name in angle brackets: <Run>b__0, <>c__DisplayClass1_0,
    // <LoadAsync>d__5.MoveNext.
    static FrameName Written(string space, string method)
    {
        method = Plain(method);
        var plus = space.LastIndexOf("+<", StringComparison.Ordinal);
        if (plus >= 0)
        {
            var inner = space[(plus + 1)..];
            space = space[..plus];
            return method == "MoveNext" && Body(inner) is { Length: > 0 } of
                ? Written(space, of.StartsWith('<') ? of : $"<{of}>$") with { IsStateMachine = true }
                : Written(space, method);
        }

        return Between(method) is not { Length: > 0 } author ? new(false, space, method)
            : method.Contains(">g__", StringComparison.Ordinal)
                ? new(false, space, author) { Form = FrameMethodKind.Local, Local = LocalName(method) }
            : new(false, space, author)
            {
                Form = method.Contains(">b__", StringComparison.Ordinal) ? FrameMethodKind.Lambda : FrameMethodKind.Method,
            };
    }

    static string? Between(string name) => Body(name)?.TrimStart('<').Split('>')[0].TrimStart('.', '-');

    // The text in the outermost brackets: LoadAsync of <LoadAsync>d__5, and <Run>b__0 of <<Run>b__0>d.
    static string? Body(string name) => name.StartsWith('<') && name.LastIndexOf('>') is > 0 and var end ? name[1..end] : null;

    static string LocalName(string method)
    {
        var from = method.IndexOf(">g__", StringComparison.Ordinal) + 4;
        var to = method.IndexOf('|', from);
        return to < 0 ? method[from..] : method[from..to];
    }

    // Removes type arguments and the number of type parameters, which add length but little information.
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
