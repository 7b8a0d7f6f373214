using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Tpwatch.Tests.Structure;

/// <summary>
/// Follows the sentences of a program through its code: from the literals, over variables, fields, properties, parameters and results, to
/// the places that search in one. A sentence is a literal or an interpolation with two words and a blank between them. Outside text
/// (arguments, files, event payloads) comes from no such literal, so searching in it is fine. A needle that has no letter and no blank, or
/// that is a single character, wraps or escapes a text and finds no fact in it; a needle that comes from outside is a user's search.
/// </summary>
/// <remarks>
/// It does not follow texts through rendered pages (<c>Markup</c>), names of frames, JSON, exceptions, and other objects of libraries.
/// Comparing whole texts is no search.
/// </remarks>
sealed partial class TextFlow
{
    static readonly HashSet<string> Searches = ["Contains", "StartsWith", "EndsWith", "Replace", "Split", "IndexOf", "LastIndexOf",
        "IndexOfAny", "LastIndexOfAny", "CommonPrefixLength", "IsMatch", "Match", "Matches", "EnumerateMatches", "Count"];

    static readonly HashSet<string> Adds = ["Add", "AddRange", "Append", "AppendLine", "Insert", "Enqueue", "Push", "TryAdd", "Prepend"];

    /// <summary>Namespaces of the framework whose methods pass a text on that they are given.</summary>
    static readonly string[] Passing = ["System.Linq", "System.Collections", "System.Runtime.CompilerServices", "System.Threading.Tasks"];

    static readonly HashSet<string> PassingTypes = ["String", "StringBuilder", "MemoryExtensions", "Array", "Lazy", "Nullable",
        "ValueTuple", "FormattableString", "Func", "TextInfo", "ImmutableArray", "Volatile", "Interlocked", "Regex"];

    readonly CSharpCompilation compilation;
    readonly List<(ISymbol Owner, IOperation Body)> bodies = [];
    readonly Dictionary<ISymbol, Flow> locals = new(SymbolEqualityComparer.Default);
    readonly Dictionary<ISymbol, Flow> results = new(SymbolEqualityComparer.Default);
    readonly Dictionary<ISymbol, Text> members = new(SymbolEqualityComparer.Default);
    readonly Dictionary<ITypeSymbol, bool> carriers = new(SymbolEqualityComparer.Default);
    readonly Dictionary<ISymbol, IReadOnlyList<ISymbol>> families = new(SymbolEqualityComparer.Default);
    readonly Stack<Flow> accessed = [];
    readonly SortedSet<string> found = new(StringComparer.Ordinal);
    bool changed;
    bool looks;

    TextFlow(IEnumerable<SourceFile> files)
    {
        var options = new CSharpParseOptions(LanguageVersion.Preview, DocumentationMode.None);
        const string Usings = "global using System; global using System.Collections.Generic; global using System.Collections.Immutable; "
            + "global using System.Globalization; global using System.IO; global using System.Linq; global using System.Net.Http; "
            + "global using System.Threading; global using System.Threading.Tasks; global using Tpwatch.Core; "
            + "global using Tpwatch.Reports; global using Tpwatch.Wording; "
            + "namespace Tpwatch.Core { } namespace Tpwatch.Reports { } namespace Tpwatch.Wording { }";
        var libraries = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => Path.GetFileName(path) is not ("Tpwatch.Probes.dll" or "dotnet-tpwatch.dll" or "Tpwatch.Tests.dll"));
        compilation = CSharpCompilation.Create("All",
            files.Select(file => CSharpSyntaxTree.ParseText(file.Text, options, file.Path))
                .Append(CSharpSyntaxTree.ParseText(Usings, options)),
            libraries.Select(path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(OutputKind.ConsoleApplication, allowUnsafe: true));
        foreach (var tree in compilation.SyntaxTrees)
        {
            Collect(compilation.GetSemanticModel(tree), tree.GetRoot());
        }
    }

    /// <summary>What a value may hold.</summary>
    [Flags]
    enum Text
    {
        None = 0,

        /// <summary>A literal with a letter or a blank.</summary>
        Literal = 1,

        /// <summary>Words that make a part of a sentence.</summary>
        Sentence = 2,
    }

    /// <summary>Whether the compiler understood the files: the number of names that it does not know.</summary>
    public static (IReadOnlyCollection<string> Searches, int Unknown, int Sentences) Of(IEnumerable<SourceFile> files)
    {
        TextFlow flow = new(files);
        do
        {
            flow.changed = false;
            flow.Visit();
        }
        while (flow.changed);

        flow.looks = true;
        flow.Visit();
        return (flow.found, flow.compilation.GetDiagnostics().Count(d => d.Severity == DiagnosticSeverity.Error),
            flow.members.Values.Count(text => text.HasFlag(Text.Sentence)));
    }

    void Visit()
    {
        foreach (var (owner, body) in bodies)
        {
            Result(owner, Of(body, owner));
        }
    }

    void Collect(SemanticModel model, SyntaxNode root)
    {
        foreach (var node in root.DescendantNodes())
        {
            var owner = node switch
            {
                BaseMethodDeclarationSyntax or AccessorDeclarationSyntax => model.GetDeclaredSymbol(node),
                ArrowExpressionClauseSyntax { Parent: PropertyDeclarationSyntax or IndexerDeclarationSyntax } =>
                    model.GetDeclaredSymbol(node.Parent),
                EqualsValueClauseSyntax
                {
                    Parent: PropertyDeclarationSyntax or VariableDeclaratorSyntax { Parent.Parent: FieldDeclarationSyntax }
                } => model.GetDeclaredSymbol(node.Parent),
                PrimaryConstructorBaseTypeSyntax => model.GetDeclaredSymbol(node.Parent!.Parent!),
                _ => null,
            };
            if (owner is not null && model.GetOperation(node) is { } body)
            {
                bodies.Add((owner is IMethodSymbol { AssociatedSymbol: IPropertySymbol property, MethodKind: MethodKind.PropertyGet }
                    ? property : owner, body));
            }
        }

        if (model.GetOperation(root) is { } program && model.GetDeclaredSymbol((CompilationUnitSyntax)root) is { } main)
        {
            bodies.Add((main, program));
        }
    }

    Flow Of(IOperation? op, ISymbol owner)
    {
        if (op?.ConstantValue is { HasValue: true, Value: string constant })
        {
            return Written(constant);
        }

        switch (op)
        {
            case null:
                return Flow.None;
            case IInterpolatedStringOperation mixed:
                var pattern = string.Concat(mixed.Parts.Select(part =>
                    part is IInterpolatedStringTextOperation { Text.ConstantValue.Value: string plain } ? plain : "\u0001"));
                return Written(pattern) | mixed.Parts.OfType<IInterpolationOperation>()
                    .Aggregate(Flow.None, (all, part) => all | Of(part.Expression, owner));
            case ISpreadOperation spread:
                return Of(spread.Operand, owner);
            case IConditionalAccessOperation access:
                accessed.Push(Of(access.Operation, owner));
                var when = Of(access.WhenNotNull, owner);
                accessed.Pop();
                return Passed(when, op.Type);
            case IConditionalAccessInstanceOperation:
                return accessed.TryPeek(out var top) ? top : Flow.None;
            case ILocalReferenceOperation local:
                return locals.GetValueOrDefault(local.Local);
            case IParameterReferenceOperation { Parameter: var parameter }:
                return parameter.ContainingSymbol is IMethodSymbol { MethodKind: MethodKind.AnonymousFunction }
                    ? locals.GetValueOrDefault(parameter) : Carries(parameter.Type) ? new(Text.None, [Original(parameter)]) : Flow.None;
            case IFieldReferenceOperation field:
                var inField = Of(field.Instance, owner);
                return field.Field.ContainingType.IsTupleType ? Passed(inField, field.Type) : Member(field.Field);
            case IPropertyReferenceOperation property:
                var inProperty = Of(property.Instance, owner);
                foreach (var argument in property.Arguments)
                {
                    Of(argument, owner);
                }

                Slices(property.Instance, inProperty, property.Arguments);
                return property.Property.DeclaringSyntaxReferences.IsEmpty ? Passed(inProperty, property.Type) : Member(property.Property);
            case IImplicitIndexerReferenceOperation slice:
                var sliced = Of(slice.Instance, owner);
                Of(slice.Argument, owner);
                Slices(slice, sliced, [slice.Argument]);
                return Passed(sliced, slice.Type);
            case IInvocationOperation call:
                return Call(call, owner);
            case IObjectCreationOperation made:
                var given = Arguments(made.Arguments, made.Constructor, owner).Aggregate(Flow.None, (all, one) => all | one);
                return Passed(given | (made.Initializer is { } first ? Children(first, owner) : Flow.None), made.Type);
            case IMethodReferenceOperation method:
                Of(method.Instance, owner);
                return results.GetValueOrDefault(Original(method.Method));
            case IDeconstructionAssignmentOperation split:
                Split(split.Target, split.Value, owner);
                return Flow.None;
            case ICompoundAssignmentOperation or ISimpleAssignmentOperation or ICoalesceAssignmentOperation:
                var assignment = (IAssignmentOperation)op;
                var value = Of(assignment.Value, owner);
                Of(assignment.Target, owner);
                Assign(assignment.Target, value);
                return Passed(value, op.Type);
            case IVariableDeclaratorOperation declared:
                Local(declared.Symbol, Of(declared.Initializer, owner));
                return Flow.None;
            case ISymbolInitializerOperation initializer:
                var initial = Of(initializer.Value, owner);
                foreach (var symbol in initializer is IFieldInitializerOperation fields ? fields.InitializedFields.Cast<ISymbol>()
                    : initializer is IPropertyInitializerOperation properties ? properties.InitializedProperties : [])
                {
                    Member(symbol, initial);
                }

                return initializer is IVariableInitializerOperation ? initial : Flow.None;
            case IIsPatternOperation test:
                Bind(test.Pattern, Of(test.Value, owner), owner);
                return Flow.None;
            case ISwitchExpressionOperation choice:
                var of = Of(choice.Value, owner);
                var chosen = Flow.None;
                foreach (var arm in choice.Arms)
                {
                    Bind(arm.Pattern, of, owner, choice.Value);
                    Of(arm.Guard, owner);
                    chosen |= Of(arm.Value, owner);
                }

                return Passed(chosen, op.Type);
            case ISwitchOperation choice:
                var on = Of(choice.Value, owner);
                foreach (var part in choice.Cases)
                {
                    foreach (var clause in part.Clauses)
                    {
                        if (clause is IPatternCaseClauseOperation { Pattern: var tested } guarded)
                        {
                            Bind(tested, on, owner);
                            Of(guarded.Guard, owner);
                        }
                    }

                    foreach (var statement in part.Body)
                    {
                        Of(statement, owner);
                    }
                }

                return Flow.None;
            case IReturnOperation back:
                Result(owner, Of(back.ReturnedValue, owner));
                return Flow.None;
            case IForEachLoopOperation loop:
                var items = Of(loop.Collection, owner);
                Assign(loop.LoopControlVariable, items);
                Of(loop.Body, owner);
                return Flow.None;
            case IAnonymousFunctionOperation function:
                Of(function.Body, function.Symbol);
                return results.GetValueOrDefault(function.Symbol);
            case ILocalFunctionOperation function:
                Of(function.Body, function.Symbol);
                Of(function.IgnoredBody, function.Symbol);
                return Flow.None;
            default:
                return Passed(Children(op, owner), op.Type);
        }
    }

    Flow Children(IOperation op, ISymbol owner)
    {
        var all = Flow.None;
        foreach (var child in op.ChildOperations)
        {
            all |= Of(child, owner);
        }

        return all;
    }

    Flow Call(IInvocationOperation call, ISymbol owner)
    {
        var method = call.TargetMethod;
        var instance = Of(call.Instance, owner);
        if (!method.DeclaringSyntaxReferences.IsEmpty)
        {
            // What it returns of its parameters is what this call gives it.
            var values = Arguments(call.Arguments, method, owner);
            var result = Family(method).Aggregate(Flow.None, (all, one) => all | results.GetValueOrDefault(one));
            var passed = new Flow(result.Text, [.. result.Parameters.Where(p => !IsOf(p, method))]);
            for (var i = 0; i < values.Length; i++)
            {
                passed |= call.Arguments[i].Parameter is { } to && result.Parameters.Any(p => IsOf(p, method) && p.Ordinal == to.Ordinal)
                    ? values[i] : Flow.None;
            }

            return Passed(passed, call.Type);
        }

        var given = instance;
        var first = Flow.None;
        var needles = Flow.None;
        foreach (var argument in call.Arguments.Where(a => !IsFunction(a.Value)))
        {
            var value = Of(argument.Value, owner);
            given |= value;
            (first, needles) = (argument == call.Arguments[0] ? value : first,
                argument == call.Arguments[call.Instance is null ? Math.Min(1, call.Arguments.Length - 1) : 0] ? value : needles);
        }

        var made = Flow.None;
        foreach (var argument in call.Arguments.Where(a => IsFunction(a.Value)))
        {
            Give(argument.Value, given);
            var result = Of(argument.Value, owner);
            made |= Plain(argument.Value) is IDelegateCreationOperation { Target: IMethodReferenceOperation { Method: var group } }
                ? new Flow(result.Text, [.. result.Parameters.Where(p => !IsOf(p, group))])
                    | (result.Parameters.Any(p => IsOf(p, group)) ? given : Flow.None)
                : result;
        }

        if (Adds.Contains(method.Name) && call.Instance is { } changes)
        {
            Assign(changes, given);
        }

        Search(call, call.Instance is null ? first : instance, needles);
        return Passes(method) ? Passed(given | made, call.Type) : Flow.None;
    }

    // A function that is given to a method of the framework is called with the texts that it is given beside.
    void Give(IOperation function, Flow given)
    {
        var method = Plain(function) switch
        {
            IDelegateCreationOperation { Target: IAnonymousFunctionOperation lambda } => lambda.Symbol,
            IDelegateCreationOperation { Target: IMethodReferenceOperation group } => group.Method,
            _ => null,
        };
        foreach (var parameter in method?.Parameters ?? [])
        {
            if (method!.MethodKind == MethodKind.AnonymousFunction)
            {
                Local(parameter, given);
            }
            else
            {
                Member(parameter, given);
            }
        }
    }

    static bool IsFunction(IOperation value) => Plain(value) is IDelegateCreationOperation;

    static IOperation Plain(IOperation op) => op is IConversionOperation { Operand: var inner } ? Plain(inner) : op;

    void Search(IInvocationOperation call, Flow text, Flow needle)
    {
        var method = call.TargetMethod;
        var isPattern = method.ContainingType.Name == "Regex";
        if (looks && Searches.Contains(method.Name) && (isPattern || method.ContainingType.Name == "MemoryExtensions"
                || method.ContainingType.SpecialType == SpecialType.System_String)
            && (Resolved(text).HasFlag(Text.Sentence) && (isPattern || Resolved(needle) != Text.None)
                || isPattern && Resolved(needle).HasFlag(Text.Sentence)))
        {
            Found(call);
        }
    }

    // A text is also taken apart by the length of a word that it is known to begin with.
    void Slices(IOperation? text, Flow flow, IEnumerable<IOperation> range)
    {
        if (looks && text is not null && Resolved(flow).HasFlag(Text.Sentence) && range.SelectMany(part => part.DescendantsAndSelf())
            .Any(part => part is IPropertyReferenceOperation
            {
                Property.Name: "Length", Instance.ConstantValue.Value: string { Length: > 1 }
            }))
        {
            Found(text);
        }
    }

    void Found(IOperation op)
    {
        var span = op.Syntax.SyntaxTree.GetLineSpan(op.Syntax.Span);
        found.Add($"{span.Path}:{span.StartLinePosition.Line + 1}: {op.Syntax.ToString().Split('\n')[0]}");
    }

    Flow[] Arguments(ImmutableArray<IArgumentOperation> arguments, IMethodSymbol? method, ISymbol owner)
    {
        var all = new Flow[arguments.Length];
        for (var i = 0; i < all.Length; i++)
        {
            var argument = arguments[i];
            var value = all[i] = Of(argument.Value, owner);
            if (argument.Parameter is { } parameter)
            {
                Member(parameter, value);
                if (method is { MethodKind: MethodKind.Constructor } && Positional(method, parameter) is { } property)
                {
                    Member(property, value);
                }

                if (parameter.RefKind is RefKind.Out or RefKind.Ref)
                {
                    Assign(argument.Value, new(members.GetValueOrDefault(Original(parameter)), []));
                }
            }
        }

        return all;
    }

    // The property of a record that its constructor sets.
    static IPropertySymbol? Positional(IMethodSymbol constructor, IParameterSymbol parameter) => constructor.ContainingType.IsRecord
        ? constructor.ContainingType.GetMembers(parameter.Name).OfType<IPropertySymbol>().FirstOrDefault() : null;

    void Split(IOperation target, IOperation value, ISymbol owner)
    {
        var (to, from) = (Plain(target), Plain(value));
        if (to is IDeclarationExpressionOperation { Expression: var declared })
        {
            to = declared;
        }

        if (to is ITupleOperation left && from is ITupleOperation right && left.Elements.Length == right.Elements.Length)
        {
            for (var i = 0; i < left.Elements.Length; i++)
            {
                Split(left.Elements[i], right.Elements[i], owner);
            }
        }
        else if (to is ITupleOperation parts && from.Type is { IsTupleType: false } record)
        {
            Of(value, owner);
            for (var i = 0; i < parts.Elements.Length; i++)
            {
                Assign(parts.Elements[i], Positions(record, i) ?? Flow.None);
            }
        }
        else
        {
            Assign(to, Of(value, owner));
        }
    }

    void Assign(IOperation target, Flow value)
    {
        switch (Plain(target))
        {
            case ILocalReferenceOperation local: Local(local.Local, value); break;
            case IVariableDeclaratorOperation declared: Local(declared.Symbol, value); break;
            case IDeclarationExpressionOperation declaration: Assign(declaration.Expression, value); break;
            case IParameterReferenceOperation parameter: Member(parameter.Parameter, value); break;
            case IFieldReferenceOperation field: Member(field.Field, value); break;
            case IPropertyReferenceOperation { Property.IsIndexer: true, Instance: { } list }: Assign(list, value); break;
            case IPropertyReferenceOperation property: Member(property.Property, value); break;
            case IArrayElementReferenceOperation element: Assign(element.ArrayReference, value); break;
            case ITupleOperation tuple:
                foreach (var element in tuple.Elements)
                {
                    Assign(element, value);
                }

                break;
        }
    }

    void Bind(IPatternOperation pattern, Flow value, ISymbol owner, IOperation? of = null)
    {
        switch (pattern)
        {
            case IDeclarationPatternOperation { DeclaredSymbol: { } declared }:
                Local(declared, value);
                break;
            case IRecursivePatternOperation recursive:
                if (recursive.DeclaredSymbol is { } named)
                {
                    Local(named, value);
                }

                for (var i = 0; i < recursive.DeconstructionSubpatterns.Length; i++)
                {
                    var part = recursive.DeconstructionSubpatterns[i];
                    Bind(part, of is not null && Plain(of) is ITupleOperation tuple && i < tuple.Elements.Length
                        ? Of(tuple.Elements[i], owner) : Positions(recursive.MatchedType, i) ?? value, owner);
                }

                foreach (var part in recursive.PropertySubpatterns)
                {
                    Bind(part.Pattern, part.Member switch
                    {
                        IPropertyReferenceOperation { Property: { DeclaringSyntaxReferences.IsEmpty: false } property } => Member(property),
                        IFieldReferenceOperation { Field: { ContainingType.IsTupleType: false } field } => Member(field),
                        { } member => Passed(value, member.Type),
                        null => Flow.None,
                    }, owner);
                }

                break;
            case IListPatternOperation list:
                if (list.DeclaredSymbol is { } whole)
                {
                    Local(whole, value);
                }

                foreach (var part in list.Patterns)
                {
                    Bind(part, value, owner);
                }

                break;
            case ISlicePatternOperation { Pattern: { } rest }:
                Bind(rest, value, owner);
                break;
            case IBinaryPatternOperation two:
                Bind(two.LeftPattern, value, owner);
                Bind(two.RightPattern, value, owner);
                break;
            case INegatedPatternOperation not:
                Bind(not.Pattern, value, owner);
                break;
        }
    }

    Flow? Positions(ITypeSymbol type, int at) => type is INamedTypeSymbol { IsRecord: true } record
        && record.InstanceConstructors.FirstOrDefault(c => c.Parameters.Length > at && Positional(c, c.Parameters[at]) is not null)
            is { } constructor
        ? Member(Positional(constructor, constructor.Parameters[at])!) : null;

    // A page is searched for the words of its glossary. The name of a frame stays a name in words:
    // "lambda in Orders.Load".
    static bool IsNoSentence(ISymbol symbol) =>
        symbol.ContainingType?.Name is "Markup" or "FrameName" or "StackClassifier";

    Flow Member(ISymbol symbol)
    {
        var text = Text.None;
        foreach (var one in Family(symbol))
        {
            text |= members.GetValueOrDefault(one) | (one is IPropertySymbol ? Resolved(results.GetValueOrDefault(one)) : Text.None);
        }

        return Carries(TypeOf(symbol)) && !IsNoSentence(symbol) ? new(text, []) : Flow.None;
    }

    void Member(ISymbol symbol, Flow value)
    {
        var text = Resolved(value);
        if (text == Text.None || !Carries(TypeOf(symbol)) || IsNoSentence(symbol))
        {
            return;
        }

        foreach (var one in Family(symbol))
        {
            var before = members.GetValueOrDefault(one);
            members[one] = before | text;
            changed |= members[one] != before;
        }
    }

    void Local(ISymbol symbol, Flow value)
    {
        if (Carries(TypeOf(symbol)))
        {
            Add(locals, symbol, value);
        }
    }

    void Result(ISymbol owner, Flow value)
    {
        var type = owner switch
        {
            IMethodSymbol method => method.ReturnType,
            IPropertySymbol property => property.Type,
            _ => null,
        };
        if (type is not null && Carries(type))
        {
            foreach (var one in Family(owner))
            {
                Add(results, one, value);
            }
        }
    }

    void Add(Dictionary<ISymbol, Flow> all, ISymbol symbol, Flow value)
    {
        var before = all.GetValueOrDefault(symbol);
        var after = before | value;
        if (!after.Same(before))
        {
            (all[symbol], changed) = (after, true);
        }
    }

    Text Resolved(Flow flow)
    {
        var text = flow.Text;
        foreach (var parameter in flow.Parameters)
        {
            foreach (var one in Family(parameter))
            {
                text |= members.GetValueOrDefault(one);
            }
        }

        return text;
    }

    Flow Passed(Flow flow, ITypeSymbol? type) => type is not null && Carries(type) ? flow : Flow.None;

    // The symbol, and what it overrides or implements.
    IReadOnlyList<ISymbol> Family(ISymbol symbol)
    {
        if (!families.TryGetValue(symbol, out var known))
        {
            families[symbol] = known = FamilyOf(symbol);
        }

        return known;
    }

    List<ISymbol> FamilyOf(ISymbol symbol)
    {
        if (symbol is IParameterSymbol { ContainingSymbol: IMethodSymbol of } parameter)
        {
            return [.. Family(of).OfType<IMethodSymbol>().Where(m => m.Parameters.Length > parameter.Ordinal)
                .Select(m => (ISymbol)m.Parameters[parameter.Ordinal])];
        }

        List<ISymbol> all = [Original(symbol)];
        for (var over = Overridden(symbol); over is not null; over = Overridden(over))
        {
            all.Add(Original(over));
        }

        if (symbol is IMethodSymbol { MethodKind: MethodKind.Ordinary } or IPropertySymbol && symbol.ContainingType is { } type)
        {
            all.AddRange(type.AllInterfaces.SelectMany(i => i.GetMembers(symbol.Name))
                .Where(member => SymbolEqualityComparer.Default.Equals(type.FindImplementationForInterfaceMember(member), symbol))
                .Select(Original));
        }

        return all;
    }

    static ISymbol? Overridden(ISymbol symbol) => symbol switch
    {
        IMethodSymbol method => method.OverriddenMethod,
        IPropertySymbol property => property.OverriddenProperty,
        _ => null,
    };

    static ISymbol Original(ISymbol symbol) => symbol.OriginalDefinition;

    static IParameterSymbol Original(IParameterSymbol parameter) => parameter.OriginalDefinition;

    bool IsOf(IParameterSymbol parameter, IMethodSymbol method) =>
        Family(method).Contains(parameter.ContainingSymbol.OriginalDefinition, SymbolEqualityComparer.Default);

    static ITypeSymbol? TypeOf(ISymbol symbol) => symbol switch
    {
        ILocalSymbol local => local.Type,
        IParameterSymbol parameter => parameter.Type,
        IFieldSymbol field => field.Type,
        IPropertySymbol property => property.Type,
        _ => null,
    };

    static bool Passes(IMethodSymbol method) => PassingTypes.Contains(method.ContainingType.Name)
        || Passing.Any(space => method.ContainingNamespace.ToDisplayString().StartsWith(space, StringComparison.Ordinal));

    // Texts, and what the framework makes of them: lists, tuples, functions that return one.
    bool Carries(ITypeSymbol? type)
    {
        if (type is null)
        {
            return false;
        }

        if (!carriers.TryGetValue(type, out var known))
        {
            carriers[type] = false;
            carriers[type] = known = type switch
            {
                { SpecialType: SpecialType.System_String or SpecialType.System_Object } or ITypeParameterSymbol => true,
                IArrayTypeSymbol array => Carries(array.ElementType) || array.ElementType.SpecialType == SpecialType.System_Char,
                INamedTypeSymbol { Name: "StringBuilder" or "FormattableString" } => true,
                INamedTypeSymbol { IsTupleType: true } tuple => tuple.TupleElements.Any(element => Carries(element.Type)),
                INamedTypeSymbol { Name: "ReadOnlySpan" or "Span", TypeArguments: [{ SpecialType: SpecialType.System_Char }] } => true,
                INamedTypeSymbol { DeclaringSyntaxReferences.IsEmpty: true } named => named.TypeArguments.Any(Carries),
                _ => false,
            };
        }

        return known;
    }

    // A line that begins with dots stands for frames that are left out, among the names of others.
    static Flow Written(string text) => new(Words.IsMatch(text) && !text.StartsWith("...", StringComparison.Ordinal)
        ? Text.Sentence | Text.Literal
        : text.Length > 1 && text.Any(c => char.IsLetter(c) || c == ' ') ? Text.Literal : Text.None, []);

    /// <summary>Two words, one of which may be filled in; only letters, so that no path, option or format is one.</summary>
    [GeneratedRegex(@"(?<![^\s('""])[A-Za-z]{2,}[,;:.]? (?:[a-z]{2,}(?![^\s,;:.)'""])|\u0001)|\u0001 [a-z]{2,}(?![^\s,;:.)'""])")]
    static partial Regex Words { get; }

    /// <summary>A value: what it may hold, and the parameters that it may come from.</summary>
    readonly record struct Flow(Text Text, ImmutableArray<IParameterSymbol> From)
    {
        public static Flow None => default;

        public ImmutableArray<IParameterSymbol> Parameters => From.IsDefault ? [] : From;

        public static Flow operator |(Flow a, Flow b) => a.Parameters.IsEmpty ? new(a.Text | b.Text, b.Parameters)
            : b.Parameters.IsEmpty ? new(a.Text | b.Text, a.Parameters)
            : new(a.Text | b.Text, [.. a.Parameters.Union(b.Parameters, SymbolEqualityComparer.Default).Cast<IParameterSymbol>()]);

        public bool Same(Flow other) => Text == other.Text && Parameters.Length == other.Parameters.Length;
    }
}
