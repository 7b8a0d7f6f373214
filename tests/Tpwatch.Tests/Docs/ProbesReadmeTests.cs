using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>
/// The engine's page: its catalogue is what the probes ask for, its example compiles for somebody who sees the public face alone.
/// </summary>
public sealed class ProbesReadmeTests
{
    const string Page = "probes/README.md";

    const string Usings = "using System; using System.Linq; using System.Threading; using System.Threading.Tasks; using Tpwatch;\n";

    [Fact]
    public void The_example_is_the_compiled_one() =>
        Assert.Contains($"```csharp\n{Example()}```\n", MarkdownText.Of(Page).Text, StringComparison.Ordinal);

    [Fact]
    public void The_example_compiles_in_an_assembly_that_sees_the_public_face_alone()
    {
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => !Path.GetFileName(p).StartsWith("Tpwatch.Fixtures", StringComparison.Ordinal))
            .Select(p => MetadataReference.CreateFromFile(p));
        var compilation = CSharpCompilation.Create(
            "Stranger", [CSharpSyntaxTree.ParseText(
                $"{Usings}static class Program\n{{\n{Example()}\n}}\n", cancellationToken: TestContext.Current.CancellationToken)],
            references, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        Assert.Empty(compilation.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity == DiagnosticSeverity.Error));
    }

    [Fact]
    public void Every_probe_is_in_the_catalogue_and_no_other() => Assert.Equal(
        SourceTree.CSharp.Where(file => file.IsUnder("probes/Events") && file.Path.EndsWith("Probe.cs", StringComparison.Ordinal)
            && !file.Path.EndsWith("/IProbe.cs", StringComparison.Ordinal))
            .Select(file => $"`{Path.GetFileNameWithoutExtension(file.Path)}`").Order(StringComparer.Ordinal),
        MarkdownText.Of(Page).FirstCells("probe").Distinct().Order(StringComparer.Ordinal));

    /// <summary>The most types between event 55 and a line of JSON. It goes down; one that is raised takes a line in DECISIONS.</summary>
    const int MostOnTheWay = 25;

    [Fact]
    public void The_way_of_an_event_names_types_that_exist()
    {
        var page = MarkdownText.Of(Page).Text;
        var way = page[page.IndexOf("<!-- way -->", StringComparison.Ordinal)..page.IndexOf("<!-- /way -->", StringComparison.Ordinal)];
        var named = way.Split('`').Where((_, k) => k % 2 == 1).ToArray();
        var declared = SourceTree.CSharp.Where(file => file.IsUnder("probes", "tool"))
            .SelectMany(file => file.Root.DescendantNodes().OfType<BaseTypeDeclarationSyntax>()).Select(type => type.Identifier.ValueText);
        Assert.Empty(named.Except(declared));
        Assert.Equal(named.Distinct(), named);
        Assert.InRange(named.Length, 20, MostOnTheWay);
    }

    static WatchOptions Everything { get; } = new()
    {
        Depth = CaptureDepth.Items | CaptureDepth.Stacks | CaptureDepth.Requests,
        CounterSample = null,
    };

    [Fact]
    public void Providers_keywords_and_levels_are_those_that_a_session_asks_for()
    {
        var needs = new[] { 8, 9 }.SelectMany(major => ProbeSet.Basic(major, WatchOptions.DefaultSampleInterval).Needs()
                .Concat(ProbeSet.Deep(new SideStreamTracker(), Everything, major).Needs()))
            .GroupBy(need => (need.Provider, need.Level))
            .Select(g => string.Create(CultureInfo.InvariantCulture,
                $"`{g.Key.Provider}` 0x{g.Aggregate(0L, (all, need) => all | need.Keywords):x} {g.Key.Level}"))
            .Order(StringComparer.Ordinal);
        var told = MarkdownText.Of(Page).Text.Split('\n').SkipWhile(line => !line.StartsWith("| probe |", StringComparison.Ordinal)).Skip(2)
            .TakeWhile(line => line.StartsWith('|')).Select(row => row.Split('|').Select(cell => cell.Trim()).ToArray())
            .GroupBy(cells => (Provider: cells[2], Level: cells[5]))
            .Select(g => string.Create(CultureInfo.InvariantCulture,
                $"{g.Key.Provider} 0x{g.Aggregate(0L, (all, cells) => all | Convert.ToInt64(cells[4], 16)):x} {g.Key.Level}"))
            .Distinct().Order(StringComparer.Ordinal);
        Assert.Equal(needs, told);
    }

    static string Example()
    {
        var file = SourceTree.CSharp.Single(f => f.Path.EndsWith("/PublicFaceExample.cs", StringComparison.Ordinal));
        var lines = file.Lines.SkipWhile(line => !line.EndsWith("// <example>", StringComparison.Ordinal)).Skip(1)
            .TakeWhile(line => !line.EndsWith("// </example>", StringComparison.Ordinal));
        return string.Concat(lines.Select(line => (line.StartsWith("    ", StringComparison.Ordinal) ? line[4..] : line) + "\n"));
    }
}
