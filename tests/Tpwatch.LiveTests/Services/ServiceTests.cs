using Tpwatch.Fixtures.Services.Database;
using Tpwatch.Fixtures.Services.Scenarios;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.LiveTests.Services;

/// <summary>
/// Real services, met in the middle of their incident: the service's own method first, what it waits for by its name, the remedy that fits
/// it; healthy ones are left in peace.
/// </summary>
public sealed class ServiceTests(ServiceRuns runs) : IClassFixture<ServiceRuns>
{
    const int LimitMs = 4 * 60 * 1000;

    /// <summary>What a request of the healthy route takes when no worker is missing, and far more than that.</summary>
    const double QuickMs = 1_000;

    public static TheoryData<TargetRuntime, string> Entries()
    {
        var data = new TheoryData<TargetRuntime, string>();
        foreach (var (runtime, scenario) in ServiceRuns.All)
        {
            data.Add(runtime, scenario);
        }

        return data;
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Entries))]
    public async Task The_report_names_the_method_what_it_waits_for_and_what_helps(TargetRuntime runtime, string scenario)
    {
        Assert.SkipWhen(ServiceRuns.NeedsDatabase(scenario) && !ServiceRuns.HasDatabase, "no PostgreSQL on this machine");
        var (expected, run) = (ServiceCase.All.Single(one => one.Scenario == scenario), await runs.OfAsync(runtime, scenario));
        Tell(run);
        // A service in which nothing blocks is looked at more closely only if the machine does not let it run.
        var isAsExpected = expected.Verdicts.Contains(run.Report.Verdict) && (expected.Method is not null || run.Report.Bursts is null);
        Assert.True(
            isAsExpected || (expected.Method is null && ((run.Report.Verdict.IsStarvation()
                && await VoidRow.WaitedAsync(PingTimes.LongestMs(run.Truth, run.Report.Episodes), QuickMs)) || await StoodStillAsync(run))),
            $"{run.Report.Verdict} is none of {string.Join(", ", expected.Verdicts)}, or there are stacks");
        Assert.Equal(0, run.Report.Timeline.Quality.Lost);
        if (expected.Method is not null)
        {
            IsNamed(run.Report, expected);
        }
        else if (isAsExpected)
        {
            IsLeftInPeace(run.Report);
            Assert.Equal(expected.Route is { } slow ? [slow] : [], SaidToBeSlow(run.Report));
        }
    }

    /// <summary>What the report says is so by the service's own record, and by that of its caller.</summary>
    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Entries))]
    public async Task The_service_says_so_itself(TargetRuntime runtime, string scenario)
    {
        Assert.SkipWhen(ServiceRuns.NeedsDatabase(scenario) && !ServiceRuns.HasDatabase, "no PostgreSQL on this machine");
        var run = await runs.OfAsync(runtime, scenario);
        var truth = run.Truth;
        var (pings, others) = (ServiceLoad.P99Ms(truth, isPing: true), ServiceLoad.P99Ms(truth, isPing: false));
        Assert.All(truth.Items.Where(item => item.Answered is not null), item => Assert.Equal(200, item.Status));
        var expected = ServiceCase.All.Single(one => one.Scenario == scenario);
        if (expected.Method is null)
        {
            Assert.True(PingTimes.P99Ms(truth) <= QuickMs || await StoodStillAsync(run), $"{PingTimes.P99Ms(truth):0} ms");
        }
        else if (!expected.Verdicts.Contains(Verdict.Compensated))
        {
            // Requests to a route that blocks nothing suffer as well: it is the pool. Where it adds workers for task waits it may keep up.
            Assert.InRange(pings, QuickMs, double.MaxValue);
        }

        if (scenario is "slow-database")
        {
            // More requests were in the service at once than it ever had workers: awaited ones hold none.
            Assert.InRange(MostAtOnce(truth), truth.Pool.Max(pool => pool.Threads) + 1, int.MaxValue);
        }

        if (scenario is "connection-pool" or "slow-database")
        {
            Assert.Equal(5, truth.Noted(ConnectionLog.Used).Max());
            Assert.InRange(truth.Noted(ConnectionLog.Pending).Max(), 1, double.MaxValue);
            Assert.InRange(others, QuickMs, double.MaxValue);
        }
    }

    static Task<bool> StoodStillAsync(ObservedRun run) => VoidRow.IsAsync(run.Truth, run.From, run.To, GateTiming.StarvationMs);

    static void IsNamed(PoolReport report, ServiceCase expected)
    {
        var first = report.Blockers!.Value[0];
        Assert.True(first.Frame.EndsWith("Shop." + expected.Method, StringComparison.Ordinal)
            || (expected.IsShort && first.Frame == "an ASP.NET Core endpoint"), first.Frame);
        if (expected.Route is { } route)
        {
            // No request of another route ever comes to that method.
            Assert.Equal([route], first.Routes.Select(r => r.Route));
            Assert.StartsWith(route, first.Chain, StringComparison.Ordinal);
        }

        Assert.InRange(first.Share, 0.7, 1);
        Assert.Contains(expected.Resource, KnownResource.Of(first, report.Bursts!.WaitsFor).Name, StringComparison.Ordinal);
        Assert.InRange(report.Bursts.Taken.Length, 1, 3);
        Remedy[] remedies = [.. report.Findings.SelectMany(finding => finding.Remedies)];
        Assert.Contains(remedies,
            remedy => remedy.Text.Contains(expected.Remedy, StringComparison.Ordinal)
                && remedy.Text.Contains(first.Chain, StringComparison.Ordinal));
        if (expected.IsLimited)
        {
            Assert.DoesNotContain(remedies, remedy =>
                remedy.Setting?.Contains("MinThreads\":", StringComparison.Ordinal) == true
                && (expected.Condition is null || !remedy.Text.Contains(expected.Condition, StringComparison.Ordinal)));
        }
    }

    static void IsLeftInPeace(PoolReport report)
    {
        Assert.Null(report.Blockers);
        Assert.DoesNotContain(report.Findings, finding => finding.Severity > Severity.Note);
    }

    static string[] SaidToBeSlow(PoolReport report) =>
    [
        .. report.Requests!.Routes.Select(route => route.Route)
            .Where(route => report.Headline.Contains($"Half of the {route} requests took ", StringComparison.Ordinal)
                && report.Headline.Contains(" running at once held no worker thread.", StringComparison.Ordinal)),
    ];

    static int MostAtOnce(RunTruth truth) => truth.Items.Where(item => item.Started is not null)
        .SelectMany(item => new[] { (At: item.Started!.Value, Step: 1), (At: item.Ended ?? long.MaxValue, Step: -1) })
        .OrderBy(edge => edge.At).Aggregate((Now: 0, Most: 0),
            (seen, edge) => (seen.Now + edge.Step, Math.Max(seen.Most, seen.Now + edge.Step))).Most;

    static void Tell(ObservedRun run)
    {
        var output = TestContext.Current.TestOutputHelper!;
        output.WriteLine($"{run.Report.Verdict}: {run.Report.Headline}");
        output.WriteLine(
            string.Join('\n', (run.Report.Blockers ?? []).Select(
                b => $"{b.Share:0.00} {b.Threads} {b.Kind} {b.Chain}; {b.Owner}; {Routes(b)}\n    {string.Join("\n    ", b.Stack)}")));
        output.WriteLine(string.Join('\n', run.Report.Findings.SelectMany(f => f.Remedies.Select(r => $"{f.Id}: {r.Text} {r.Setting}"))));
        output.WriteLine(FormattableString.Invariant(
            $"p99 {ServiceLoad.P99Ms(run.Truth, false):0} ms, of pings {ServiceLoad.P99Ms(run.Truth, true):0} ms"));
    }

    static string Routes(Blocker blocker) => string.Join(", ", blocker.Routes);
}
