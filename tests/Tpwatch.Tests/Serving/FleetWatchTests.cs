using System.Text;
using Tpwatch.Cli;
using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Serve;
using Tpwatch.Tests.Verbs;
using Tpwatch.Text;

namespace Tpwatch.Tests.Serving;

/// <summary>Processes come, are watched, told of and left.</summary>
public sealed class FleetWatchTests : IDisposable
{
    static readonly ServeRequest All = new(ListenAddress.Default, null) { OlderThan = TimeSpan.FromSeconds(10), Limit = 200 };

    readonly RecordedFleet machine = new();
    readonly StringWriter output = new() { NewLine = "\n" };
    readonly StringWriter error = new() { NewLine = "\n" };

    public void Dispose()
    {
        machine.Dispose();
        output.Dispose();
        error.Dispose();
    }

    [Fact]
    public async Task A_process_is_watched_from_when_it_comes_until_it_ends()
    {
        await using var fleet = Fleet(All);
        machine.Coming.Add(RecordedFleet.Row(7));
        await RoundsAsync(fleet, 3);
        var state = Assert.Single(fleet.Latest.Targets);
        Assert.Equal(("pool-burst-7", "dotnet"), (state.Page, state.Labels.Process));
        Assert.True(fleet.IsReady);
        Assert.NotNull(fleet.Report("pool-burst-7"));

        machine.Watched[7].End(SessionEnd.TargetExited);
        await RoundsAsync(fleet, 2);
        Assert.Empty(fleet.Latest.Targets);
        Assert.Null(fleet.Report("pool-burst-7"));
        Assert.True(machine.Watched[7].Disposed);
        Assert.Equal(1, fleet.Latest.Own.Ended);
        Assert.Empty(machine.Again);
    }

    [Fact]
    public async Task A_stream_that_broke_is_opened_again_later()
    {
        await using var fleet = Fleet(All);
        machine.Coming.Add(RecordedFleet.Row(7));
        await RoundsAsync(fleet, 3);
        machine.Watched[7].End(SessionEnd.StreamBroken);
        await RoundsAsync(fleet, 1);
        Assert.Equal([7], machine.Again);
    }

    [Fact]
    public async Task Only_those_that_were_asked_for_are_touched()
    {
        await using var fleet = Fleet(All with { Names = ["pool-burst"], Pids = [9], Except = ["wedged"] });
        machine.Coming.AddRange(
            [RecordedFleet.Row(7), RecordedFleet.Row(8, "ceiling"), RecordedFleet.Row(9, "held"), RecordedFleet.Row(10, "wedged")]);
        await RoundsAsync(fleet, 3);
        Assert.Equal([7, 9], machine.Watched.Keys.Order());
    }

    [Theory]
    [InlineData(2, 0, "2 processes are watched, as of")]
    [InlineData(2, 3, "2 processes are watched; 3 more processes wait to be watched, as of")]
    [InlineData(5, 1, "5 processes are watched, which is the limit; 1 more process waits to be watched, as of")]
    public void The_list_speaks_of_the_limit_only_where_it_is_reached(int watched, int waiting, string told) =>
        Assert.Contains(told, FleetHtmlPage.Render(new(DateTime.UnixEpoch, [], new(watched, waiting, Limit: 5, 0, 0, 0, 0))),
            StringComparison.Ordinal);

    [Fact]
    public async Task At_the_limit_it_is_said_once_and_who_waits_takes_the_place_of_who_leaves()
    {
        await using var fleet = Fleet(All with { Limit = 2 });
        machine.Coming.AddRange([RecordedFleet.Row(7), RecordedFleet.Row(8), RecordedFleet.Row(9)]);
        await RoundsAsync(fleet, 4);
        Assert.Equal((2, 1), (fleet.Latest.Own.Watched, fleet.Latest.Own.Waiting));
        Assert.StartsWith("tpwatch: 2 processes are watched, which is the limit; 1 more process waits to be watched.\n", error.ToString(),
            StringComparison.Ordinal);
        Assert.Equal(2, error.ToString().TrimEnd('\n').Split('\n').Length);

        machine.Watched[7].End(SessionEnd.TargetKilled);
        await RoundsAsync(fleet, 3);
        Assert.Equal([8, 9], fleet.Latest.Targets.Select(t => t.Row.Pid).Order());
    }

    [Fact]
    public async Task Processes_that_are_alike_have_series_of_their_own_and_a_number_that_was_left_is_taken_again()
    {
        await using var fleet = Fleet(All);
        machine.Coming.AddRange([RecordedFleet.Row(7), RecordedFleet.Row(8)]);
        await RoundsAsync(fleet, 3);
        Assert.Equal(2, fleet.Latest.Targets.Select(t => t.Labels).Distinct().Count());
        var first = fleet.Latest.Targets.Single(t => t.Row.Pid == 7).Labels;

        machine.Watched[7].End(SessionEnd.TargetExited);
        machine.Coming.Add(RecordedFleet.Row(9));
        await RoundsAsync(fleet, 3);
        Assert.Equal(first, fleet.Latest.Targets.Single(t => t.Row.Pid == 9).Labels);
    }

    /// <summary>Behind a port each container counts its processes from one.</summary>
    [Fact]
    public async Task Two_containers_whose_processes_have_one_name_and_number_have_a_page_each()
    {
        await using var fleet = Fleet(All);
        machine.Coming.AddRange([OfPort(), OfPort()]);
        await RoundsAsync(fleet, 3);
        Assert.Equal(["pool-burst-1", "pool-burst-1-1"], fleet.Latest.Targets.Select(t => t.Page).Order());
        Assert.Equal(2, fleet.Latest.Targets.Select(t => t.Labels).Distinct().Count());
        Assert.NotNull(fleet.Report("pool-burst-1"));
        Assert.NotNull(fleet.Report("pool-burst-1-1"));
        Assert.NotEqual(fleet.Process("pool-burst-1")!.Run, fleet.Process("pool-burst-1-1")!.Run);

        static ProcessRow OfPort() => RecordedFleet.Row(1) with { StartTime = null, Run = Guid.NewGuid() };
    }

    [Fact]
    public async Task Who_cannot_be_watched_is_told_once_and_tried_again_later()
    {
        await using var fleet = Fleet(All);
        machine.Refusal = new("the process refuses", "do something", ExitCode.NoSession);
        machine.Coming.Add(RecordedFleet.Row(7));
        await RoundsAsync(fleet, 3);
        machine.Coming.AddRange([RecordedFleet.Row(7), RecordedFleet.Row(8, whyNot: "it belongs to another user")]);
        await RoundsAsync(fleet, 3);
        Assert.Equal([7, 7], machine.Again);
        Assert.Equal(3, fleet.Latest.Own.Refused);
        Assert.Equal(
            [
                "tpwatch: Not watching 7 (pool-burst): the process refuses.", "  Do something.",
                "tpwatch: Not watching 8 (pool-burst): it belongs to another user.",
            ],
            error.ToString().TrimEnd('\n').Split('\n'));
    }

    [Fact]
    public async Task A_watch_that_has_grown_old_is_replaced_and_no_counter_goes_back()
    {
        await using var fleet = Fleet(All);
        machine.Coming.Add(RecordedFleet.Row(7, "oscillation"));
        await RoundsAsync(fleet, 3);
        var (old, before) = (machine.Watched[7], fleet.Latest.Targets.Single());
        old.AgeMs = 3_700_000;
        await RoundsAsync(fleet, 1);
        Assert.False(old.Disposed);
        await RoundsAsync(fleet, 1);
        Assert.True(old.Disposed);
        Assert.Single(fleet.Latest.Targets);
        await RoundsAsync(fleet, 2);

        var after = fleet.Latest.Targets.Single();
        Assert.NotSame(old, machine.Watched[7]);
        Assert.Equal(before.Labels, after.Labels);
        Assert.Equal(2 * before.Tally.Injected.Values.Sum(), after.Tally.Injected.Values.Sum());
        Assert.NotNull(fleet.Report(after.Page));
    }

    [Fact]
    public async Task A_process_that_cannot_be_attached_to_again_is_left_and_comes_later()
    {
        await using var fleet = Fleet(All);
        machine.Coming.Add(RecordedFleet.Row(7, "oscillation"));
        await RoundsAsync(fleet, 3);
        machine.Watched[7].AgeMs = 3_700_000;
        machine.Refusal = new("the process refuses", "do something", ExitCode.NoSession);
        await RoundsAsync(fleet, 3);
        Assert.Empty(fleet.Latest.Targets);
        Assert.Null(fleet.Process("oscillation-7"));
        Assert.Equal([7], machine.Again);
    }

    [Fact]
    public async Task At_the_end_every_process_is_left()
    {
        await using (var fleet = Fleet(All))
        {
            machine.Coming.AddRange([RecordedFleet.Row(7), RecordedFleet.Row(8)]);
            await RoundsAsync(fleet, 3);
        }

        Assert.All(machine.Watched.Values, w => Assert.True(w.Disposed));
    }

    [Fact]
    public async Task Both_formats_have_the_same_series()
    {
        using PrometheusPage metrics = new("both formats");
        await using FleetWatch fleet = new(machine, All, Context(), metrics);
        machine.Coming.AddRange([RecordedFleet.Row(7), RecordedFleet.Row(8, "ceiling")]);
        await RoundsAsync(fleet, 3);
        var text = await TextAsync(metrics, fleet);
        var open = await TextAsync(metrics, fleet, open: true);
        Assert.Equal(Series(text), Series(open));
        Assert.EndsWith("# EOF\n", open, StringComparison.Ordinal);
        Assert.DoesNotContain("# EOF", text, StringComparison.Ordinal);
        Assert.Equal(Series(text).Length, Series(text).Select(line => line[..line.LastIndexOf(' ')]).Distinct().Count());
        Assert.All(text.Split('\n').Where(l => l.StartsWith("# TYPE", StringComparison.Ordinal)).GroupBy(l => l), g => Assert.Single(g));
        Assert.Equal(2, Series(text).Count(
            l => l.StartsWith("tpwatch_verdict", StringComparison.Ordinal) && l.EndsWith(" 1", StringComparison.Ordinal)));
    }

    /// <summary>Another collection in between must not bring back what is over: of a target that ended nothing is told.</summary>
    [Fact]
    public async Task Series_of_a_process_end_with_it_and_begin_anew_with_the_next()
    {
        using PrometheusPage metrics = new("begin anew");
        await using FleetWatch fleet = new(machine, All, Context(), metrics);
        machine.Coming.Add(RecordedFleet.Row(7));
        await RoundsAsync(fleet, 3);
        const string Delays = "tpwatch_injection_delay_seconds_count";
        Assert.Contains(Delays, await TextAsync(metrics, fleet), StringComparison.Ordinal);

        machine.Watched[7].End(SessionEnd.TargetExited);
        await RoundsAsync(fleet, 2);
        var text = await TextAsync(metrics, fleet);
        Assert.DoesNotContain("process=", text, StringComparison.Ordinal);
        Assert.Contains("tpwatch_targets_ended_total 1\n", text, StringComparison.Ordinal);

        machine.Coming.Add(RecordedFleet.Row(9));
        await RoundsAsync(fleet, 3);
        var lines = Series(await TextAsync(metrics, fleet));
        Assert.Equal(lines.Length, lines.Select(line => line[..line.LastIndexOf(' ')]).Distinct().Count());
        Assert.Contains(lines, line => line.StartsWith(Delays, StringComparison.Ordinal));
    }

    /// <summary>Whatever OpenTelemetry keeps of a level that is no longer known.</summary>
    [Fact]
    public async Task A_level_that_is_no_longer_known_is_left_out()
    {
        using PrometheusPage metrics = new("left out");
        await using FleetWatch fleet = new(machine, All, Context(), metrics);
        machine.Coming.Add(RecordedFleet.Row(7));
        await RoundsAsync(fleet, 3);
        Assert.Contains("\ntpwatch_queue_length{", await TextAsync(metrics, fleet), StringComparison.Ordinal);
        machine.Watched[7].Silence = new(TimeSpan.FromSeconds(5), Stopped: true);
        await RoundsAsync(fleet, 1);
        var text = await TextAsync(metrics, fleet);
        Assert.DoesNotContain("\ntpwatch_queue_length{", text, StringComparison.Ordinal);
        Assert.Contains("verdict=\"notThePool\"} 1\n", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("a\\b\"c", "a\\\\b\\\"c")]
    [InlineData("a\nb", "a?b")]
    public async Task A_name_that_somebody_gave_breaks_no_line(string name, string written)
    {
        using PrometheusPage metrics = new("names " + name.Length);
        metrics.Begin(() => new(0, 0, 0, 0, 0, 0, 0));
        using var meter = metrics.Add(new(name, "assembly", "", 0), () => null);
        meter.Record(new(Mechanism.G0Ramp, 1));
        var bytes = await metrics.TextAsync(new(DateTime.UnixEpoch, [], null!), false, false, TestContext.Current.CancellationToken);
        Assert.Contains($"process=\"{written}\",replica=\"0\"", Encoding.UTF8.GetString(bytes), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/", 200, "text/html")]
    [InlineData("/metrics", 200, "text/plain")]
    [InlineData("/healthz", 200, "text/plain")]
    [InlineData("/readyz", 200, "text/plain")]
    [InlineData("/report/pool-burst-7", 200, "text/html")]
    [InlineData("/report/pool-burst-7.json", 200, "application/json")]
    [InlineData("/report/pool-burst-8", 404, "text/plain")]
    [InlineData("/report/", 404, "text/plain")]
    [InlineData("/favicon.ico", 404, "text/plain")]
    public async Task Every_address_is_answered(string path, int status, string type)
    {
        using PrometheusPage metrics = new("every address");
        await using FleetWatch fleet = new(machine, All, Context(), metrics);
        machine.Coming.Add(RecordedFleet.Row(7));
        await RoundsAsync(fleet, 3);
        using var pages = new HttpRouter(fleet, metrics, new HttpAccess(null), Context());
        var reply = await OfPages.AnswerAsync(pages, path, method: "GET");
        Assert.Equal(status, reply.Status);
        Assert.StartsWith(type, reply.Type, StringComparison.Ordinal);
        Assert.True(reply.Body.Length > 0);
    }

    /// <summary>It answers, and has looked at no process for so long.</summary>
    [Theory]
    [InlineData(29, 200)]
    [InlineData(30, 503)]
    public async Task A_server_that_looks_at_nothing_any_more_is_not_healthy(int seconds, int status)
    {
        ManualClock clock = new();
        using PrometheusPage metrics = new("health");
        await using FleetWatch fleet = new(machine, All, Context() with { Time = clock }, metrics);
        clock.Advance(TimeSpan.FromSeconds(seconds));
        using var pages = new HttpRouter(fleet, metrics, new HttpAccess(null), Context() with { Time = clock });
        var reply = await OfPages.AnswerAsync(pages, "/healthz", method: "GET");
        Assert.Equal(status, reply.Status);
    }

    /// <summary>All rules have been met; five more come and go: bounds of the start delay, the empty queue, the next thread.</summary>
    [Fact]
    public async Task A_process_has_at_most_250_series()
    {
        using PrometheusPage metrics = new("at most");
        await using FleetWatch fleet = new(machine, All, Context(), metrics);
        machine.Coming.Add(RecordedFleet.Row(7, "ceiling"));
        await RoundsAsync(fleet, 3);
        using var meter = metrics.Add(new("every-rule", "assembly", "", 0), () => fleet.Latest.Targets.Single());
        foreach (var rule in Enum.GetValues<Mechanism>().Where(rule => rule != Mechanism.None))
        {
            meter.Record(new(rule, 1));
        }

        Assert.InRange(
            Series(await TextAsync(metrics, fleet)).Count(line => line.Contains("\"every-rule\"", StringComparison.Ordinal)), 220, 245);
    }

    [Fact]
    public void What_is_asked_on_the_command_line_is_what_is_watched_and_kept()
    {
        ServeOptions options = new();
        var command = new System.CommandLine.Command(ServeCommand.Verb).With(options.All);
        var asked = options.Read(command.Parse("--name a --except b --except c --incidents folder --limit 3"));
        Assert.Equal(["a", "b", "c"], asked.Names.Concat(asked.Except));
        Assert.Equal(("folder", 3), (asked.Incidents, asked.Limit));
    }

    static async Task<string> TextAsync(PrometheusPage metrics, FleetWatch fleet, bool open = false) =>
        Encoding.UTF8.GetString(await metrics.TextAsync(fleet.Latest, open, small: false, TestContext.Current.CancellationToken));

    static string[] Series(string text) =>
        [.. text.Split('\n').Where(l => l.Length > 0 && l[0] != '#' && !l.StartsWith("process_", StringComparison.Ordinal))];

    FleetWatch Fleet(ServeRequest asked) => new(machine, asked, Context());

    CommandContext Context() =>
        new(new FakeEngine(), output, error, TerminalFacts.None, new QuickTime(), TestContext.Current.CancellationToken);

    // Attaching goes on beside the rounds; here it is to be over between two of them.
    async Task RoundsAsync(FleetWatch fleet, int rounds)
    {
        for (var i = 0; i < rounds; i++)
        {
            await fleet.RoundAsync(TestContext.Current.CancellationToken);
            await Task.WhenAny(Task.WhenAll(machine.Attempts));
        }
    }
}
