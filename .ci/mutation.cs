#:property PublishAot=false
#:property ArtifactsPath=../artifacts/build
#:property NoWarn=CA1849;CA2007;CA1515;CA1305;CA1303
#:package Microsoft.CodeAnalysis.CSharp

// Mutants of the engine: `dotnet run .ci/mutation.cs -- N SEED ROOM...` draws N small changes of each room of probes, compiles each into an
// engine of its own, and runs the engine's examples with it. Writes tests/MUTATION.md, and fails when a room is below the goal.
// Without a room: the faults of a list, each of which must be noticed; one that the examples do not notice is shown to all fast tests.
// Our own since dotnet-stryker does not reach the processes in which xunit v3 runs its tests.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

const string Page = "tests/MUTATION.md";
// A line a mutant that may live, "file: before -> after: why". Without the number of its line, which every edit moves.
const string Justified = "tests/Mutation/justified.txt";
// A line a fault, separated by tabs: the file, the text before, the text after, what it stands for.
const string Injected = "tests/Mutation/injected.txt";
const string FaultsTitle = "## Injected faults";
const string InjectedWord = "injected";
const string Tests = "artifacts/bin/Tpwatch.Tests/mutation";
const string AllTests = "artifacts/bin/Tpwatch.Tests/release";
const string Copies = "artifacts/mutation";
const string Engine = "Tpwatch.Probes.dll";
const double GoalPercent = 75;
const int Parallel = 2;
// A mutant that takes this many times as long as the unchanged engine hangs, or waits for what never comes.
const int LimitTimes = 5;
var limit = TimeSpan.FromMinutes(2);
// All fast tests take three minutes.
var limitOfAll = TimeSpan.FromMinutes(10);

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
Directory.SetCurrentDirectory(Path.Combine(AppContext.GetData("EntryPointFileDirectoryPath") as string ?? ".", ".."));
string[] rooms = [];
var (wanted, start) = (0, 0);
if (args is not [InjectedWord] && (args is not [var size, var seed, .. var named] || (rooms = named).Length == 0
    || !int.TryParse(size, out wanted) || !int.TryParse(seed, out start)))
{
    Console.Error.WriteLine($"mutation.cs takes: N SEED ROOM..., or {InjectedWord}");
    return 3;
}

var changed = Run("git", "status --porcelain probes tests/Tpwatch.Tests") != "";
var from = $"{Run("git", "rev-parse --short HEAD").Trim()}{(changed ? " with changes" : "")}";
Run("dotnet", "build tests/Tpwatch.Tests -c Mutation -v quiet");
var engine = Compile();
var free = new ConcurrentBag<string>(Enumerable.Range(0, Parallel).Select(number => Copy(Tests, $"{number}")));
var clock = Stopwatch.StartNew();
var (unchanged, said) = await TryAsync(engine);
limit = LimitTimes * clock.Elapsed;
if (unchanged != "lived")
{
    Console.Error.WriteLine($"The examples do not pass with an engine that nothing was changed in: {unchanged}.\n{said}");
    return 1;
}

// A run takes most of an hour: one that was interrupted goes on where it was, as long as the sources are the same. Changes that are not
// committed may be others by now.
var outcomes = $"{Copies}/{from}-{start}.txt";
var known = (!changed && File.Exists(outcomes) ? File.ReadAllLines(outcomes) : []).Select(line => line.Split('\t', 2))
    .ToLookup(words => words[1], words => words[0]);
if (args is [InjectedWord])
    return await InjectAsync();

List<RoomResult> results = [];
foreach (var room in rooms)
{
    results.Add(await RoomAsync(room));
    if (results[^1].Killed == 0)
    {
        Console.Error.WriteLine("No mutant was noticed: the tests never ran with one. The page stays as it was.");
        return 1;
    }

    WritePage();
}

foreach (var row in results)
    Console.WriteLine(row.Line(from, GoalPercent));
return results.All(room => room.Percent >= GoalPercent) ? 0 : 1;

// The engine as the build compiles it, without analysers and documentation.
CSharpCompilation Compile()
{
    var project = Path.GetFullPath("probes");
    using var json = JsonDocument.Parse(Run("dotnet", "build probes -c Mutation -t:Rebuild -p:BuildProjectReferences=false "
        + "-p:ProvideCommandLineArgs=true -p:EmitCompilerGeneratedFiles=true -getItem:CscCommandLineArgs"));
    var words = json.RootElement.GetProperty("Items").GetProperty("CscCommandLineArgs").EnumerateArray()
        .Select(item => item.GetProperty("Identity").GetString()!).ToArray();
    var parsed = CSharpCommandLineParser.Default.Parse(words, project, null);
    var options = parsed.ParseOptions.WithDocumentationMode(DocumentationMode.None);
    var generated = parsed.GeneratedFilesOutputDirectory is { } folder && Directory.Exists(folder)
        ? Directory.GetFiles(folder, "*.cs", SearchOption.AllDirectories) : [];
    var trees = parsed.SourceFiles.Select(file => file.Path).Concat(generated)
        .Select(file => CSharpSyntaxTree.ParseText(SourceText.From(File.ReadAllText(file)), options, file));
    var references = parsed.MetadataReferences.Select(one => MetadataReference.CreateFromFile(one.Reference, one.Properties));
    return CSharpCompilation.Create(parsed.CompilationName, trees, references, parsed.CompilationOptions
        .WithGeneralDiagnosticOption(ReportDiagnostic.Suppress).WithSpecificDiagnosticOptions([]).WithConcurrentBuild(false));
}

string Copy(string tests, string name)
{
    var folder = Path.GetFullPath($"{Copies}/{name}");
    if (Directory.Exists(folder))
        Directory.Delete(folder, recursive: true);
    foreach (var file in Directory.GetFiles(tests, "*", SearchOption.AllDirectories))
    {
        var to = Path.Combine(folder, Path.GetRelativePath(tests, file));
        Directory.CreateDirectory(Path.GetDirectoryName(to)!);
        File.Copy(file, to);
    }

    return folder;
}

// One after another in the order of the list.
async Task<int> InjectAsync()
{
    List<(string Place, string What, string Outcome, string Test)> faults = [];
    Run("dotnet", "build tests/Tpwatch.Tests -c Release -v quiet");
    var all = Copy(AllTests, "all");
    foreach (var line in File.ReadAllLines(Injected))
    {
        var (name, before, after, what) = line.Split('\t') is [var a, var b, var c, var d] ? (a, b, c, d)
            : throw new InvalidDataException($"{Injected}: not four fields: {line}");
        var tree = engine.SyntaxTrees.Single(tree => Name(tree) == name);
        var text = tree.GetText().ToString();
        var at = text.IndexOf(before, StringComparison.Ordinal);
        if (at < 0 || text.IndexOf(before, at + 1, StringComparison.Ordinal) >= 0)
            throw new InvalidDataException($"{Injected}: not once in {name}: {before}");
        var number = tree.GetText().Lines.GetLineFromPosition(at).LineNumber + 1;
        Mutant fault = new(tree, name, number, new(at, before.Length), before, after);
        var (outcome, output) = await TryAsync(fault.In(engine));
        if (outcome == "lived")
            (outcome, output) = await TryInAsync(all, fault.In(engine), limitOfAll);
        var test = Regex.Match(output, @"Tpwatch\.Tests\.([\w.]+)[^\n]*\[FAIL\]").Groups[1].Value;
        faults.Add(($"`{name}`: `{Cell(fault.Change)}`", what, outcome, test));
        Console.WriteLine($"{faults.Count,4} {outcome,-9} {name}: {what}: {test}");
    }

    WriteFaults(faults);
    return faults.All(fault => Tried.Notices(fault.Outcome)) ? 0 : 1;
}

void WriteFaults(List<(string Place, string What, string Outcome, string Test)> faults) => File.WriteAllLines(Page,
[
    .. File.ReadLines(Page).TakeWhile(line => line != FaultsTitle).Reverse().SkipWhile(line => line == "").Reverse(),
    "",
    FaultsTitle,
    "",
    "Faults that somebody could make, each put into the engine by itself (`dotnet run build.cs -- mutate injected`). Commit "
        + $"{from}, {DateTime.UtcNow:yyyy-MM-dd}: {faults.Count(fault => Tried.Notices(fault.Outcome))} of {faults.Count} noticed.",
    "",
    "| fault | change | outcome | the first test that fails |",
    "|---|---|---|---|",
    .. faults.Select(fault => $"| {Cell(fault.What)} | {fault.Place} | {fault.Outcome} | {fault.Test} |"),
]);

async Task<RoomResult> RoomAsync(string room)
{
    var drawn = engine.SyntaxTrees.Where(tree => Name(tree).StartsWith(room + "/", StringComparison.Ordinal))
        .OrderBy(Name, StringComparer.Ordinal).SelectMany(tree => Mutations.Of(tree, engine.GetSemanticModel(tree), Name(tree))).ToArray();
    new Random(start).Shuffle(drawn);
    List<Tried> tried = [];
    List<Task<Tried>> running = [];
    var next = 0;
    // One that does not compile is replaced by the next that was drawn.
    while (tried.Count < wanted && (running.Count > 0 || next < drawn.Length))
    {
        while (running.Count < Math.Min(Parallel, wanted - tried.Count) && next < drawn.Length)
        {
            var mutant = drawn[next++];
            running.Add(known[mutant.Key].FirstOrDefault() is { } outcome
                ? Task.FromResult(new Tried(mutant, outcome))
                : Task.Run(async () => new Tried(mutant, (await TryAsync(mutant.In(engine))).Outcome)));
        }

        var done = await Task.WhenAny(running);
        running.Remove(done);
        var (which, result) = await done;
        if (!known.Contains(which.Key))
            File.AppendAllText(outcomes, $"{result}\t{which.Key}\n");
        if (result == "does not compile")
            continue;
        tried.Add(new(which, result));
        Console.WriteLine($"{tried.Count,4} {result,-9} {which.File}:{which.Line} {which.Change}");
    }

    return new(room, drawn.Length, tried);
}

// Alone with one of the folders.
async Task<(string Outcome, string Said)> TryAsync(CSharpCompilation compilation)
{
    if (!free.TryTake(out var folder))
        throw new InvalidOperationException("more mutants at once than folders");
    try
    {
        return await TryInAsync(folder, compilation, limit);
    }
    finally
    {
        free.Add(folder);
    }
}

// Noticed where a test fails, or the tests do not come to an end.
static async Task<(string Outcome, string Said)> TryInAsync(string folder, CSharpCompilation compilation, TimeSpan limit)
{
    using (var file = File.Create(Path.Combine(folder, Engine)))
        if (!compilation.Emit(file).Success)
            return ("does not compile", "");
    var begin = new ProcessStartInfo(Path.Combine(folder, "Tpwatch.Tests"), "-noColor -stopOnFail")
    {
        RedirectStandardOutput = true,
        RedirectStandardError = true,
        WorkingDirectory = folder,
    };
    using var process = Process.Start(begin)!;
    var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
    using var late = new CancellationTokenSource(limit);
    try
    {
        await process.WaitForExitAsync(late.Token);
    }
    catch (OperationCanceledException)
    {
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync();
        return ("not ended", "");
    }

    var said = await output + await error;
    return (process.ExitCode == 0 ? "lived" : "noticed", said);
}

void WritePage()
{
    var reasons = File.ReadAllLines(Justified).Where(line => line.Trim().Length > 0).ToArray();
    // Rooms that this run did not try keep their rows: each names its commit.
    var old = (File.Exists(Page) ? File.ReadAllLines(Page) : [])
        .Where(line => !results.Any(room => Regex.IsMatch(line, $"^\\| `{room.Room}[`/]"))).ToArray();
    var (rows, survivors) = (Rows(@"^\| `\w+` "), Rows(@"^\| `\w+/"));
    string[] Rows(string begin) => [.. old.Where(line => Regex.IsMatch(line, begin))];
    var faults = old.SkipWhile(line => line != FaultsTitle).ToArray();
    File.WriteAllLines(Page,
    [
        "# Mutants",
        "",
        "How many small changes of the engine the fast tests notice: a random sample, each compiled and tried by itself. Written by",
        "",
        $"    dotnet run build.cs -- mutate {wanted} {start} ROOM...",
        "",
        "The mutants of a room are drawn with the seed that its row names.",
        "Changed are comparisons, logic, arithmetic, constants true and false, conditions, patterns, `Min` and `Max`, statements and whole",
        "bodies of methods; texts are not. A change that does not compile is replaced by the next one drawn. Not all fast tests are asked:",
        "the engine's own examples and one replay of each stored recording, but no law, golden page or picture, which take many times as",
        "long; what one of those alone would notice counts as lived. \"Not ended\" are mutants whose tests did not come to an end within",
        $"{LimitTimes} times the usual time; they count as noticed. Nothing is taken off for a survivor that has a reason.",
        $"The range is that of 95 % (Wilson). The goal is {GoalPercent} % in each room.",
        "Tests were written for survivors of a seed that was tried before: what is true of a room, only a seed that is new to it says.",
        "",
        "| room | commit | tried of | noticed | of these not ended | lived | score | range | goal |",
        "|---|---|---|---|---|---|---|---|---|",
        .. results.Select(row => row.Line($"{from}, {DateTime.UtcNow:yyyy-MM-dd}, seed {start}", GoalPercent)).Concat(rows)
            .Order(StringComparer.Ordinal),
        "",
        "## Survivors",
        "",
        "| where | change | why it may live |",
        "|---|---|---|",
        .. results.SelectMany(room => room.Tried).Where(one => one.Outcome == "lived").Select(one => one.Mutant)
            .OrderBy(mutant => mutant.File, StringComparer.Ordinal).ThenBy(mutant => mutant.Line)
            .Select(mutant => $"| `{mutant.File}:{mutant.Line}` | `{Cell(mutant.Change)}` | {Cell(Why(mutant, reasons))} |")
            .Concat(survivors).OrderBy(line => line[..line.IndexOf('/', StringComparison.Ordinal)], StringComparer.Ordinal),
        .. faults is [] ? Array.Empty<string>() : ["", .. faults],
    ]);
}

static string Why(Mutant mutant, string[] reasons)
{
    var key = $"{mutant.File}: {mutant.Change}: ";
    return reasons.FirstOrDefault(line => line.StartsWith(key, StringComparison.Ordinal))?[key.Length..] ?? "";
}

// Below probes: the room and the file.
static string Name(SyntaxTree tree) => Path.GetRelativePath("probes", tree.FilePath).Replace('\\', '/');

static string Cell(string text) => text.Replace("|", @"\|");

static string Run(string program, string arguments)
{
    using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
    var said = process.StandardOutput.ReadToEnd();
    process.WaitForExit();
    return process.ExitCode == 0 ? said : throw new InvalidOperationException($"{program} {arguments} failed:\n{said}");
}

/// <summary>One change of one place of the sources.</summary>
/// <param name="File">Below probes: the room and the file.</param>
/// <param name="Line">From 1.</param>
sealed record Mutant(SyntaxTree Tree, string File, int Line, TextSpan Place, string Before, string After)
{
    const int Characters = 90;

    public string Change => $"{Short(Before)} -> {Short(After)}";

    public string Key => $"{File}:{Line} {Change}";

    public CSharpCompilation In(CSharpCompilation engine) =>
        engine.ReplaceSyntaxTree(Tree, Tree.WithChangedText(Tree.GetText().WithChanges(new TextChange(Place, After))));

    // A whole method that was emptied need not be repeated in the table.
    static string Short(string code)
    {
        var line = Regex.Replace(code, @"\s+", " ").Trim();
        return line.Length <= Characters ? line : line[..Characters] + " ...";
    }
}

/// <summary>The usual operators of mutation testing, on the syntax of C#.</summary>
static class Mutations
{
    static readonly Dictionary<SyntaxKind, string[]> Operators = new()
    {
        [SyntaxKind.LessThanToken] = ["<=", ">"],
        [SyntaxKind.GreaterThanToken] = [">=", "<"],
        [SyntaxKind.LessThanEqualsToken] = ["<", ">"],
        [SyntaxKind.GreaterThanEqualsToken] = [">", "<"],
        [SyntaxKind.EqualsEqualsToken] = ["!="],
        [SyntaxKind.ExclamationEqualsToken] = ["=="],
        [SyntaxKind.AmpersandAmpersandToken] = ["||"],
        [SyntaxKind.BarBarToken] = ["&&"],
        [SyntaxKind.PlusToken] = ["-"],
        [SyntaxKind.MinusToken] = ["+"],
        [SyntaxKind.AsteriskToken] = ["/"],
        [SyntaxKind.SlashToken] = ["*"],
        [SyntaxKind.PercentToken] = ["*"],
        [SyntaxKind.AmpersandToken] = ["|"],
        [SyntaxKind.BarToken] = ["&"],
        [SyntaxKind.PlusEqualsToken] = ["-="],
        [SyntaxKind.MinusEqualsToken] = ["+="],
        [SyntaxKind.AsteriskEqualsToken] = ["/="],
        [SyntaxKind.SlashEqualsToken] = ["*="],
        [SyntaxKind.PlusPlusToken] = ["--"],
        [SyntaxKind.MinusMinusToken] = ["++"],
        [SyntaxKind.AndKeyword] = ["or"],
        [SyntaxKind.OrKeyword] = ["and"],
    };

    public static IEnumerable<Mutant> Of(SyntaxTree tree, SemanticModel model, string file)
    {
        foreach (var node in tree.GetRoot().DescendantNodes(node => node is not AttributeListSyntax))
            foreach (var (place, after) in Of(node, model))
                yield return new(tree, file, tree.GetLineSpan(place).StartLinePosition.Line + 1, place,
                    tree.GetText().ToString(place), after);
    }

    static IEnumerable<(TextSpan Place, string After)> Of(SyntaxNode node, SemanticModel model) => node switch
    {
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } or
            => [(or.Span, $"({or.Left})"), (or.Span, $"({or.Right})")],
        BinaryExpressionSyntax two => IsText(two, model) ? [] : Around(two, two.OperatorToken),
        AssignmentExpressionSyntax set => IsText(set, model) ? [] : Around(set, set.OperatorToken),
        BinaryPatternSyntax two => Around(two, two.OperatorToken),
        RelationalPatternSyntax one => Around(one, one.OperatorToken),
        PostfixUnaryExpressionSyntax one => Around(one, one.OperatorToken),
        PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression or (int)SyntaxKind.UnaryMinusExpression } not
            => [(not.Span, $"{not.Operand}")],
        PrefixUnaryExpressionSyntax one => Around(one, one.OperatorToken),
        UnaryPatternSyntax not => [(not.Span, $"{not.Pattern}")],
        IsPatternExpressionSyntax { Pattern: not UnaryPatternSyntax } test => [(test.Span, $"{test.Expression} is not ({test.Pattern})")],
        LiteralExpressionSyntax { RawKind: (int)SyntaxKind.TrueLiteralExpression } yes => [(yes.Span, "false")],
        LiteralExpressionSyntax { RawKind: (int)SyntaxKind.FalseLiteralExpression } no => [(no.Span, "true")],
        ConditionalExpressionSyntax either => [(either.Condition.Span, "true"), (either.Condition.Span, "false")],
        IfStatementSyntax branch => [(branch.Condition.Span, $"!({branch.Condition})")],
        WhileStatementSyntax loop => [(loop.Condition.Span, $"!({loop.Condition})")],
        ExpressionStatementSyntax statement => [(statement.Span, ";")],
        BreakStatementSyntax or ContinueStatementSyntax => [(node.Span, ";")],
        MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.Text: "Math" }, Name.Identifier.Text: var name } call
            when name is "Min" or "Max" => [(call.Name.Span, name == "Min" ? "Max" : "Min")],
        MethodDeclarationSyntax { Body.Statements.Count: > 1 } method
            => [(method.Body.Span, method.ReturnType.ToString() == "void" ? "{ }" : "{ return default!; }")],
        _ => [],
    };

    // The whole expression is the place, so that the page shows what the operator stands between.
    static IEnumerable<(TextSpan Place, string After)> Around(SyntaxNode whole, SyntaxToken token) =>
        !Operators.TryGetValue(token.Kind(), out var others) ? []
            : others.Select(other => (whole.Span, whole.ToString().Remove(token.SpanStart - whole.SpanStart, token.Span.Length)
                .Insert(token.SpanStart - whole.SpanStart, other)));

    static bool IsText(ExpressionSyntax node, SemanticModel model) =>
        model.GetTypeInfo(node).Type?.SpecialType == SpecialType.System_String;
}

/// <summary>A mutant, and "lived", "noticed", "not ended" or "does not compile".</summary>
sealed record Tried(Mutant Mutant, string Outcome)
{
    public bool IsNoticed => Notices(Outcome);

    public static bool Notices(string outcome) => outcome is "noticed" or "not ended";
}

/// <summary>The mutants of one room.</summary>
/// <param name="All">How many could be drawn.</param>
sealed record RoomResult(string Room, int All, List<Tried> Tried)
{
    public int Killed => Tried.Count(one => one.IsNoticed);

    public double Percent => Tried.Count == 0 ? 0 : 100.0 * Killed / Tried.Count;

    public string Line(string from, double goal)
    {
        var (low, high) = Wilson(Killed, Tried.Count);
        var late = Tried.Count(one => one.Outcome == "not ended");
        return $"| `{Room}` | {from} | {Tried.Count} of {All} | {Killed} | {late} | {Tried.Count - Killed} | "
            + $"{Percent:0.0} % | {low:0} to {high:0} % | {(Percent >= goal ? "met" : "**missed**")} |";
    }

    // E. B. Wilson, "Probable inference", Journal of the American Statistical Association 22 (1927), per cent.
    static (double Low, double High) Wilson(int hits, int of)
    {
        const double Z = 1.96;
        var p = (double)hits / of;
        var middle = p + Z * Z / (2 * of);
        var half = Z * Math.Sqrt(p * (1 - p) / of + Z * Z / (4.0 * of * of));
        var scale = 100 / (1 + Z * Z / of);
        return ((middle - half) * scale, (middle + half) * scale);
    }
}
