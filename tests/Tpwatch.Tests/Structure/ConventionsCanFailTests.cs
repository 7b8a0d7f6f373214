using Tpwatch.Tests.Structure.Conventions;

namespace Tpwatch.Tests.Structure;

/// <summary>Each convention, held against invented files: one that breaches it and one that only looks so.</summary>
public sealed class ConventionsCanFailTests
{
    static readonly Dictionary<string, Func<SourceFile, IEnumerable<string>>> Conventions = new()
    {
        ["arrows"] = Arrows.Breaches,
        ["namespaces"] = Namespaces.Breaches,
        ["client"] = Boundaries.DiagnosticsClient,
        ["tracing"] = Boundaries.TracingLibrary,
        ["terminal"] = Boundaries.Terminal,
        ["views"] = Boundaries.ViewLibrary,
        ["agents"] = Boundaries.AgentProtocol,
        ["blocking"] = Blocking.Breaches,
        ["clocks"] = Clocks.Breaches,
        ["state"] = SharedState.Breaches,
        ["names"] = Names.Breaches,
        ["words"] = Vocabulary.Types,
        ["comments"] = Vocabulary.Comments,
        ["sentences"] = Sentences.Breaches,
        ["tuples"] = Tuples.Breaches,
        ["directives"] = Texts.Directives,
        ["machines"] = Texts.MachinesAndHosts,
        ["limits"] = LiveTestLimits.Breaches,
        ["skips"] = SilentSkips.Breaches,
    };

    [Fact]
    public void A_line_of_141_columns_is_found_and_one_of_140_is_not()
    {
        Assert.Single(Widths.Breaches(new("probes/A.cs", "// " + new string('a', 138))));
        Assert.Empty(Widths.Breaches(new("probes/A.cs", "// " + new string('a', 137))));
    }

    [Theory]
    [InlineData("arrows", "probes/Events/A.cs", "using Tpwatch.Ledger;")]
    [InlineData("arrows", "probes/Targets/A.cs", "class A { Tpwatch.Ledger.GapLedger G; }")]
    [InlineData("arrows", "probes/Items/A.cs", "using static Tpwatch.Pool.GateTiming;")]
    [InlineData("arrows", "probes/Core/Format.cs", "using Tpwatch.Sessions;")]
    [InlineData("arrows", "tool/Text/A.cs", "using B = global::Tpwatch.Cli.B;")]
    [InlineData("arrows", "probes/Elsewhere/A.cs", "")]
    [InlineData("arrows", "probes/Items/A.cs", "class A { Tpwatch.Ledger.BucketTracker T; }")]
    [InlineData("arrows", "probes/Ledger/A.cs", "class A { ThreadPoolWatch W; }")]
    [InlineData("arrows", "probes/WatchOptions.cs", "using Tpwatch.Watch;")]
    [InlineData("namespaces", "probes/Items/A.cs", "namespace Tpwatch.Ledger;")]
    [InlineData("namespaces", "tool/Cli/A.cs", "namespace Tpwatch.Verbs { }")]
    public void A_breach_of_the_order_of_folders_is_found(string convention, string path, string text) =>
        Assert.NotEmpty(Conventions[convention](new SourceFile(path, text)));

    [Theory]
    [InlineData("client", "tool/Cli/A.cs", "using Microsoft.Diagnostics.NETCore.Client;")]
    [InlineData("tracing", "probes/Sessions/LiveSession.cs", "using Microsoft.Diagnostics.Tracing.Etlx;")]
    [InlineData("terminal", "tool/Text/A.cs", "class A { void M() => System.Console.Write(1); }")]
    [InlineData("terminal", "tool/Screen/A.cs", "class A { string S = \"\\u001b[2J\"; }")]
    [InlineData("views", "tool/Screen/Commands/A.cs", "using Terminal.Gui.ViewBase;")]
    [InlineData("agents", "tool/Cli/PsCommand.cs", "using ModelContextProtocol.Server;")]
    [InlineData("terminal", "tool/Screen/A.cs", "class A { string S(int n) => $\"\\e[{n}m\"; }")]
    [InlineData("blocking", "tool/Cli/A.cs", "class A { int M(Task<int> t) => t.Result; }")]
    [InlineData("blocking", "tests/Tpwatch.Tests/A.cs", "class A { void M(Task? t) => t?.Wait(100); }")]
    [InlineData("blocking", "probes/Sessions/A.cs", "class A { void M(Task t) => t.GetAwaiter().GetResult(); }")]
    [InlineData("clocks", "probes/Sessions/A.cs", "class A { long M() => System.Diagnostics.Stopwatch.GetTimestamp(); }")]
    [InlineData("clocks", "tool/Text/A.cs", "class A { object M() => System.DateTime.UtcNow; }")]
    [InlineData("clocks", "tool/Text/A.cs", "class A { object M() => Environment.TickCount64; }")]
    [InlineData("state", "probes/Ledger/A.cs", "class A { static int s_count; }")]
    [InlineData("state", "probes/Ledger/A.cs", "class A { static readonly Dictionary<int, int> Seen = []; }")]
    [InlineData("state", "probes/Ledger/A.cs", "class A { public static int Count { get; set; } }")]
    [InlineData("state", "probes/Ledger/A.cs", "class A { void M() { lock (this) { } } }")]
    [InlineData("state", "tool/Cli/A.cs", "class A { async void M() { } }")]
    [InlineData("words", "probes/Core/A.cs", "class LongestGap;")]
    [InlineData("comments", "tool/Text/A.cs", "class A; // told to whoever asks")]
    [InlineData("comments", "probes/Core/A.cs", "/// <summary>A heartbeat of the pool.</summary>\nclass A;")]
    [InlineData("names", "probes/Sessions/A.cs", "class SocketHelper;")]
    [InlineData("names", "fixtures/A.cs", "interface IEventProcessor;")]
    [InlineData("sentences", "probes/Ledger/A.cs", "class A { string B = \"The pool \" + \"added a thread.\"; }")]
    [InlineData("sentences", "probes/Ledger/A.cs", "class A { string B(int n) => $\"The pool added {n}. \"; }")]
    [InlineData("tuples", "probes/Pool/A.cs", "class A { void M(in (int X, int Y) at) { } }")]
    [InlineData("tuples", "tool/Screen/A.cs", "sealed record A((int X, int Y)? At);")]
    [InlineData("tuples", "tool/Screen/A.cs", "class A { void M() { int N((int X, int Y) at) => at.X; } }")]
    [InlineData("directives", "probes/A.cs", "#if NET9_0\nclass A;\n#endif")]
    [InlineData("directives", "probes/A.cs", "#region A\nclass A;\n#endregion")]
    [InlineData("machines", "README.md", "see /wor" + "k/notes.md")]
    [InlineData("machines", "README.md", "from https://api.nuge" + "t.org/v3")]
    [InlineData("limits", "tests/Tpwatch.LiveTests/A.cs", "class A { [Fact] void M() { } }")]
    [InlineData("skips", "tests/Tpwatch.Tests/A.cs", "class A { [Fact] void M() { if (!File.Exists(F)) { return; } Assert.True(B); } }")]
    [InlineData("skips", "tests/Tpwatch.LiveTests/A.cs",
        "class A { [Theory(Timeout = 1)] Task M() { try { if (B) return Task.CompletedTask; } finally { } return N(); } }")]
    public void A_breach_is_found(string convention, string path, string text) =>
        Assert.NotEmpty(Conventions[convention](new SourceFile(path, text)));

    [Theory]
    [InlineData("arrows", "probes/Diagnosis/A.cs", "using Tpwatch.Items; using Tpwatch.Ledger;\nnamespace Tpwatch.Diagnosis;")]
    [InlineData("arrows", "tool/Program.cs", "using Tpwatch.Cli;")]
    [InlineData("namespaces", "tool/Screen/Drawing/A.cs", "namespace Tpwatch.Screen.Drawing;")]
    [InlineData("client", "probes/Targets/A.cs", "using Microsoft.Diagnostics.NETCore.Client;")]
    [InlineData("client", "tool/Cli/A.cs", "// Microsoft.Diagnostics.NETCore.Client is not named here.")]
    [InlineData("tracing", "probes/Recordings/RecordedSession.cs", "using Microsoft.Diagnostics.Tracing;")]
    [InlineData("views", "tool/Screen/A.cs", "using Terminal.Gui.ViewBase;")]
    [InlineData("agents", "tool/Cli/McpCommand.cs", "using ModelContextProtocol.Server;")]
    [InlineData("terminal", "tool/Screen/ScreenHost.cs", "class A { void M() => System.Console.Write(\"\\e[2J\"); }")]
    [InlineData("blocking", "fixtures/Scenarios/A.cs", "class A { int M(Task<int> t) => t.Result; }")]
    [InlineData("blocking", "tool/Text/A.cs", "class A { RuleResult M(Gap g) => g.Results(g.WaitHandle, g.RuleResult); }")]
    [InlineData("clocks", "tool/Text/A.cs", "class A { object M(TimeProvider t) => (t.GetUtcNow(), Now.UtcNow); }")]
    [InlineData("state", "probes/Ledger/A.cs",
        "class A { static readonly int[] Steps = [1]; const int B = 2; static int C { get; } = 3; int _d; }")]
    [InlineData("names", "probes/Sessions/A.cs", "class ProcessorCount;")]
    [InlineData("words", "probes/Core/A.cs", "class TickerTape;")]
    [InlineData("comments", "probes/Core/A.cs", "class A { string B = \"nobody\"; } // as long as the caller waits")]
    [InlineData("sentences", "probes/Ledger/A.cs",
        "class A { string B(string rule) => $\"{rule}.\" + \"System.Threading.ThreadPool.\"; } // The pool added a thread.")]
    [InlineData("sentences", "probes/Wording/A.cs", "class A { string B = \"The pool added a thread.\"; }")]
    [InlineData("tuples", "tool/Text/A.cs", "class A { (int, int) M() => N(((int X, int Y) a) => a.X); }")]
    [InlineData("tuples", "fixtures/A.cs", "class A { void M((int X, int Y) at) { } }")]
    [InlineData("directives", "probes/A.cs", "#nullable enable\nclass A;")]
    [InlineData("machines", "README.md", "the network/work/ folder, /proc/self/root")]
    [InlineData("limits", "tests/Tpwatch.LiveTests/A.cs", "class A { [Fact(Timeout = 60_000)] void M() { } }")]
    [InlineData("skips", "tests/Tpwatch.Tests/A.cs", "class A { [Fact] Task M() { Assert.SkipUnless(B, R); N(() => { return; }); "
        + "return Task.CompletedTask; void N(Action a) { return; } } }")]
    [InlineData("skips", "tests/Tpwatch.Tests/A.cs", "class A { void Helper() { if (B) return; } }")]
    public void What_only_looks_like_a_breach_is_not(string convention, string path, string text) =>
        Assert.Empty(Conventions[convention](new SourceFile(path, text)));
}
