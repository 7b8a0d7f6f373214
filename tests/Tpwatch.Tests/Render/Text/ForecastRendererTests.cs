using Tpwatch.Reports;
using Tpwatch.Text;

namespace Tpwatch.Tests.Render.Text;

public sealed class ForecastRendererTests
{
    [Fact]
    public void Nothing_is_printed_where_nothing_waits_and_nothing_was_predicted()
    {
        Assert.Empty(ForecastRenderer.Lines(SampleReports.Healthy()));
        Assert.Empty(ForecastRenderer.Lines(
            SampleReports.Healthy() with { Forecast = new() { At = SampleReports.At(100) } }));
    }

    [Fact]
    public void An_unsure_countdown_names_both_moments_and_a_sure_one_which_is_meant()
    {
        Assert.Contains("in 312 ms or 817 ms, unless an item is dequeued first", Text(SampleReports.Draining()), StringComparison.Ordinal);
        var sure = SampleReports.Draining() with { NextInjection = SampleReports.Draining().NextInjection! with { Sure = true } };
        Assert.Contains("in 312 ms (less likely in 817 ms), unless an item is dequeued first", Text(sure), StringComparison.Ordinal);
    }

    [Fact]
    public void A_lower_bound_says_too_little_to_be_told()
    {
        var draining = SampleReports.Draining();
        var bound = draining with
        {
            StartDelayOfNewItem = draining.StartDelayOfNewItem! with { MaxMs = null, EstimateMs = null },
            QueueEmpty = new(null, Never: false, "Nothing has completed."),
        };
        Assert.DoesNotContain("queued now", Text(bound), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0.4, 0.2, "starts in less than 1 ms.")]
    [InlineData(0.4, 3, "starts in less than 3 ms.")]
    [InlineData(2, 2, "starts in about 2 ms.")]
    public void What_is_less_than_a_millisecond_is_not_about_it(double estimateMs, double mostMs, string told)
    {
        var draining = SampleReports.Draining();
        var soon = draining.StartDelayOfNewItem! with { MinMs = Math.Min(estimateMs, mostMs), EstimateMs = estimateMs, MaxMs = mostMs };
        Assert.Contains($"an item queued now {told}", Text(draining with { StartDelayOfNewItem = soon }), StringComparison.Ordinal);
    }

    [Fact]
    public void The_end_of_the_backlog_is_a_duration_or_never()
    {
        Assert.Contains("The queue does not become empty: 10/s arrive", Text(SampleReports.Draining()), StringComparison.Ordinal);
        var ends = SampleReports.Draining() with { QueueEmpty = new(SampleReports.At(54_000), Never: false, "") };
        Assert.Contains("The queue is empty in about 50 s", Text(ends), StringComparison.Ordinal);
    }

    [Fact]
    public void The_queue_is_not_empty_before_an_item_queued_now_starts()
    {
        var sooner = SampleReports.Draining() with { QueueEmpty = new(SampleReports.At(29_300), Never: false, "") };
        Assert.Contains("starts in 32 s to 44 s", Text(sooner), StringComparison.Ordinal);
        Assert.Contains(". The queue is then empty", Text(sooner), StringComparison.Ordinal);
    }

    [Fact]
    public void A_range_is_told_in_one_unit_or_not_at_all()
    {
        var draining = SampleReports.Draining();
        var brief = draining with
        {
            StartDelayOfNewItem = draining.StartDelayOfNewItem! with { MinMs = 979, EstimateMs = 1000, MaxMs = 1010 },
        };
        Assert.Contains("starts in about 1.0 s.", Text(brief), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_rise_after_the_newest_counter_sample_puts_an_inferred_max_in_question(bool rose)
    {
        var starved = SampleReports.SilentlyStarved();
        var newest = SampleReports.At(9000);
        var rise = SampleReports.GateCheck(1) with
        {
            End = newest.PlusMs(100),
            Reason = AdjustmentReason.CooperativeBlocking,
            TargetThreadsBefore = 12,
            TargetThreadsAfter = 13,
        };
        var told = ForecastRenderer.Lines(starved with
        {
            Verdict = Verdict.StarvedAtMax,
            IsNow = true,
            Forecast = new() { At = newest },
            Timeline = starved.Timeline with
            {
                CounterSamples = [new(newest, 1000, 12, 30, 0, 0.05)],
                Target = starved.Timeline.Target with { MaxWorkers = SourcedValue.Unknown },
            },
            InjectionDelays = [.. starved.InjectionDelays.Where(g => g.End <= newest), .. rose ? [rise] : Array.Empty<InjectionDelay>()],
        });

        Assert.Equal(!rose, told.Any(line => line.Contains("none: MaxThreads", StringComparison.Ordinal)));
    }

    static string Text(PoolForecast forecast) =>
        string.Join(' ', ForecastRenderer.Lines(SampleReports.SilentlyStarved() with { Forecast = forecast }).Select(l => l.Trim()));
}
