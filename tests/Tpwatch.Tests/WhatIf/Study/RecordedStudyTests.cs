using Tpwatch.Tests.Replay;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.WhatIf.Study;

/// <summary>Real recordings: what was seen is told again, and what would have been is what arithmetic says.</summary>
public sealed class RecordedStudyTests
{
    [Theory]
    [InlineData("pool-burst", 30)]
    [InlineData("sync-over-async", 300)]
    [InlineData("trickle", 169)]
    public async Task The_same_configuration_imagined_is_what_was_seen(string name, int items)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        var seen = new EstimatedItems().Look(report);
        var answer = WhatIfStudy.Of(report, seen).Answer(new() { Async = true });

        Assert.Equal(items, seen.Items.Length);
        Assert.InRange(answer.ErrorShare!.Value, 0, 0.1);
        Assert.InRange(answer.Same.PeakWorkers!.Value - answer.Seen.PeakWorkers!.Value, -2, 2);
    }

    [Fact]
    public async Task A_min_for_all_lets_each_item_of_the_burst_start_at_once()
    {
        var answer = await AnswerAsync("pool-burst", new() { Min = 100 });

        Assert.Equal(5_000, answer.Simulated.TotalMs!.Value, 100.0);
        Assert.InRange(answer.Simulated.StartDelayMs!.Value, 0, 10);
        Assert.Equal(30, answer.Simulated.PeakWorkers);
        Assert.Equal(0, answer.Simulated.StarvedMs);
        Assert.Equal(100, answer.Settings.Min);
    }

    [Fact]
    public async Task Fewer_processors_mean_fewer_workers_at_once()
    {
        var answer = await AnswerAsync("pool-burst", new() { Processors = 2 });

        Assert.Equal(2, answer.Settings.Min);
        Assert.True(answer.Simulated.TotalMs > answer.Same.TotalMs + 1_000);
    }

    [Fact]
    public async Task Async_items_need_no_more_than_the_min()
    {
        var answer = await AnswerAsync("pool-burst", new() { Async = true });

        Assert.Equal(5_000, answer.Simulated.TotalMs!.Value, 100.0);
        Assert.Equal(8, answer.Simulated.PeakWorkers);
    }

    [Fact]
    public async Task Before_Net_6_nothing_compensates_for_waits_for_tasks()
    {
        var native = await AnswerAsync("sync-over-async", new() { Policy = PolicyKind.Native });

        Assert.InRange(native.Simulated.PeakWorkers!.Value, 8, 40);
        Assert.True(native.Same.PeakWorkers > 90);
        Assert.Contains(native.Remarks, remark => remark.Contains("assumption", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData((int)PolicyKind.Clr11, 25)]
    [InlineData((int)PolicyKind.Clr35, 250)]
    [InlineData((int)PolicyKind.Rotor, 25)]
    public async Task Each_policy_is_its_own(int policy, int workersPerProcessor)
    {
        var answer = await AnswerAsync("pool-burst", new() { Policy = (PolicyKind)policy });

        Assert.NotEqual(answer.Same.TotalMs, answer.Simulated.TotalMs);
        Assert.Equal(8 * workersPerProcessor, answer.Settings.Max);
    }

    [Fact]
    public async Task An_answer_says_what_it_rests_on_and_that_hill_climbing_is_an_input()
    {
        var answer = await AnswerAsync("trickle", new() { Min = 40 });

        Assert.StartsWith("estimated from counter samples every 1 s", answer.Basis, StringComparison.Ordinal);
        Assert.Contains("In a simulation without changes, the mean queue time up to the capture's end is ",
            answer.Uncertainty, StringComparison.Ordinal);
        Assert.StartsWith("tpwatch does not know what items wait for", answer.Remarks[0], StringComparison.Ordinal);
        Assert.Contains(answer.Remarks, remark => remark.StartsWith("Not simulated: hill climbing", StringComparison.Ordinal));
        Assert.Contains(answer.Remarks, remark => remark.StartsWith("The capture ends while items wait", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_report_tries_the_advised_min_and_async_items_where_something_waited()
    {
        var report = StandardWhatIfs.AddTo(await TestRecordings.ReplayAsync(TestRecordings.File("pool-burst")), new EstimatedItems());

        Assert.Equal(["MinThreads 30", "async instead of blocking"], report.WhatIf.Select(w => w.Change));
        Assert.All(report.WhatIf, w => Assert.StartsWith("all items complete after", w.Effect, StringComparison.Ordinal));
        Assert.Empty(StandardWhatIfs.AddTo(Render.SampleReports.Healthy(), new EstimatedItems()).WhatIf);
    }

    static async Task<WhatIfAnswer> AnswerAsync(string name, WhatIfChange change) =>
        WhatIfStudy.Of(await TestRecordings.ReplayAsync(TestRecordings.File(name)), new EstimatedItems(), out _)!.Answer(change);
}
