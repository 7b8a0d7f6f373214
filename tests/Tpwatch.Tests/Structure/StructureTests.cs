using Tpwatch.Tests.Structure.Conventions;

namespace Tpwatch.Tests.Structure;

/// <summary>
/// The rules that keep the program simple, held against its own source. ConventionsCanFailTests shows that each finds its breach.
/// </summary>
public sealed class StructureTests
{
    [Fact]
    public void A_folder_names_only_folders_before_it() => Holds(Arrows.Breaches);

    /// <summary>Rooms are in an order, so that no circle can be where no arrow is against it.</summary>
    [Fact]
    public void The_page_of_the_engine_shows_the_arrows() => Docs.GoldenPart.Verify("probes/README.md", "arrows", ArrowTable.Markdown());

    [Fact]
    public void A_namespace_is_its_folder() => Holds(Namespaces.Breaches);

    [Fact]
    public void Only_Attach_names_the_diagnostics_client() => Holds(Boundaries.DiagnosticsClient);

    [Fact]
    public void Only_probes_and_the_recorded_session_name_the_tracing_library() => Holds(Boundaries.TracingLibrary);

    [Fact]
    public void Only_the_host_of_the_screen_knows_a_terminal() => Holds(Boundaries.Terminal);

    [Fact]
    public void Only_the_front_of_the_screen_names_the_view_library() => Holds(Boundaries.ViewLibrary);

    [Fact]
    public void Only_the_verb_for_agents_names_the_library_of_their_protocol() => Holds(Boundaries.AgentProtocol);

    [Fact]
    public void Nothing_blocks_a_worker_outside_the_fixtures() => Holds(Blocking.Breaches);

    [Fact]
    public void Only_the_adapters_read_a_clock_of_the_machine() => Holds(Clocks.Breaches);

    [Fact]
    public void Nothing_static_changes_and_nothing_locks() => Holds(SharedState.Breaches);

    [Fact]
    public void No_type_has_a_suffix_that_says_nothing() => Holds(Names.Breaches);

    [Fact]
    public void A_type_is_called_what_users_read() => Holds(Vocabulary.Types);

    [Fact]
    public void Comments_are_plain_and_have_a_subject() => Holds(Vocabulary.Comments);

    [Fact]
    public void The_ledger_judges_and_says_nothing() => Holds(Sentences.Breaches);

    [Fact]
    public void What_belongs_together_has_a_name() => Holds(Tuples.Breaches);

    [Fact]
    public void No_line_is_wider_than_two_windows_side_by_side_show() => Holds(Widths.Breaches);

    [Fact]
    public void No_code_is_conditional_or_folded_away() => Holds(Texts.Directives);

    [Fact]
    public void No_text_names_a_machine_or_a_package_host() => Holds(Texts.MachinesAndHosts, SourceTree.Files);

    [Fact]
    public void Every_live_test_has_a_limit() => Holds(LiveTestLimits.Breaches);

    [Fact]
    public void No_test_passes_by_leaving_early() => Holds(SilentSkips.Breaches);

    [Fact]
    public void The_source_is_seen_at_all()
    {
        var seen = SourceTree.Files.Select(file => file.Path).ToArray();
        Assert.Superset(
            new HashSet<string> { "README.md", "build.cs", "probes/Core/Format.cs", "tool/Program.cs", "fixtures/Program.cs", ".ci/run" },
            new HashSet<string>(seen));
        Assert.DoesNotContain(seen, path => path.StartsWith("artifacts/", StringComparison.Ordinal));
    }

    static void Holds(Func<SourceFile, IEnumerable<string>> convention, IEnumerable<SourceFile>? files = null)
    {
        var breaches = (files ?? SourceTree.CSharp).SelectMany(convention).ToArray();
        Assert.True(breaches.Length == 0, string.Join('\n', breaches));
    }
}
