using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;
using Tpwatch.Watch;

namespace Tpwatch.Tests.Findings;

/// <summary>Slow requests over a pool with nothing to wait for: said where to look, and how much of it is proven.</summary>
public sealed class Tpw019SlowRequestsTests
{
    const string Route = "GET /orders/{n}";

    static readonly Tpw019SlowRequests Rule = new();
    readonly RequestTracker tracker = new();
    ulong next;

    public Tpw019SlowRequestsTests() => tracker.Opened(SampleReports.At(0));

    [Fact]
    public void More_requests_under_way_than_there_are_workers_prove_that_others_hold_none()
    {
        Requests(Route, 30, 4000);
        var finding = Rule.Found(Quiet());
        Assert.Equal(("TPW019", Severity.Note, Confidence.High), (finding.Id, finding.Severity, finding.Confidence));
        Assert.Equal($"Half of the {Route} requests took 4.0 s or more. "
            + "At least 22 of 30 requests running at once held no worker thread.", finding.Headline);
    }

    [Fact]
    public void Fewer_leave_it_open_and_it_says_so()
    {
        Requests(Route, 6, 1500);
        Assert.Equal(Confidence.Low, Rule.Found(Quiet()).Confidence);
    }

    [Fact]
    public void Requests_that_have_not_ended_count_with_what_they_have_behind_them()
    {
        for (var n = 0; n < 20; n++)
        {
            tracker.Started(new RequestStarted(SampleReports.At(n * 10), 1, next++, Route));
        }

        tracker.Listened(SampleReports.At(6000));
        Assert.InRange(Rule.Found(Quiet()).Evidence[0].Value!.Value, 5700, 6100);
    }

    [Fact]
    public void The_headline_of_a_healthy_pool_says_where_to_look()
    {
        Requests(Route, 30, 4000);
        var report = ReportBuilder.Of(Quiet());
        Assert.Contains($" Requests are slow anyway. Half of the {Route} requests took 4.0 s or more.", report.Headline,
            StringComparison.Ordinal);
        Assert.Null(LeadingFinding.ToActOn(report));
    }

    [Fact]
    public void Quick_requests_few_of_them_a_pool_in_trouble_and_busy_processors_are_something_else()
    {
        Requests("GET /quick", 30, 900);
        Requests("GET /once", 4, 9000);
        Rule.Clear(Quiet());
        Requests(Route, 30, 4000);
        Rule.Found(Quiet());
        Rule.Clear(Quiet() with { Verdict = Verdict.Starved });
        var busy = Quiet();
        var samples = busy.Timeline.CounterSamples.Select(sample => sample with { Cpu = 0.9 });
        Rule.Clear(busy with { Timeline = busy.Timeline with { CounterSamples = [.. samples] } });
    }

    [Fact]
    public void Without_requests_or_without_a_verdict_it_says_what_is_missing() => Rule.Open(
        ("no requests", Quiet() with { Requests = null }, MissingKind.Requests),
        ("no verdict", Quiet() with { Verdict = Verdict.Undecided }, MissingKind.CounterSamples),
        ("threads that may hang", Quiet() with { Verdict = Verdict.Undecided, MayHang = 8 }, MissingKind.Stacks));

    PoolReport Quiet() => Deepened.WithRequests(Ask.Quiet().Report() with { MaxWorkers = 8 }, tracker.Snapshot());

    // All at once, and each takes as long.
    void Requests(string route, int count, double ms)
    {
        var first = next;
        for (var n = 0; n < count; n++)
        {
            tracker.Started(new RequestStarted(SampleReports.At(100), n, next++, route));
        }

        for (var n = 0; n < count; n++)
        {
            tracker.Stopped(new RequestStopped(SampleReports.At(100 + ms), n, first + (ulong)n, route));
        }
    }
}
