using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>Article 001: how long until the pool has another worker, item for item.</summary>
public sealed class InjectionLatencyTests
{
    const double SameShare = 0.01;

    /// <summary>An explanation that is called sure may still be wrong once in twenty, and once in a run with fewer.</summary>
    const double WrongShare = 0.05;

    [Fact]
    public async Task The_fixtures_average_is_ours()
    {
        var run = await StoredRuns.OfAsync("injection-latency");
        var ours = Injections(run).Skip(1).Select(g => g.ObservedMs!.Value).ToArray();
        // The wait of each item that had to have a new worker; the first one's gap begins before its item.
        var theirs = run.Truth.Waits().Skip(run.Truth.Header.MinWorkers + 1).ToArray();
        Assert.Equal(theirs.Length, ours.Length);
        // From the injection to the item's first line the thread may have been kept from a processor.
        var stolen = TrueStandstill.MsWithin(run.Truth, Injections(run)[0].End, run.To) / theirs.Length;
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"ours {ours.Average():0.0} ms, the fixture's {theirs.Average():0.0} ms, stolen {stolen:0.0} ms");
        Assert.InRange(ours.Average(), (theirs.Average() * (1 - SameShare)) - stolen, (theirs.Average() * (1 + SameShare)) + stolen);
    }

    [Fact]
    public async Task Each_item_beyond_min_has_one_injection_of_its_own_and_begins_before_the_next()
    {
        var run = await StoredRuns.OfAsync("injection-latency");
        var begun = run.Truth.Starts().Skip(run.Truth.Header.MinWorkers).Select(i => ObservedRun.At(i.Started!.Value)).ToArray();
        var injected = Injections(run).Select(g => g.End).ToArray();
        Assert.Equal(begun.Length, injected.Length);
        Assert.All(begun.Zip(injected), pair => Assert.True(pair.First > pair.Second));
        Assert.All(begun.Zip(injected.Skip(1)), pair => Assert.True(pair.First < pair.Second));
    }

    [Fact]
    public async Task Each_gap_is_a_whole_number_of_ticks()
    {
        var run = await StoredRuns.OfAsync("injection-latency");
        var timed = Injections(run).Where(g => !g.Ticks.IsEmpty).ToArray();
        Assert.True(timed.Length >= Injections(run).Length - 1, ObservedRun.Describe(Injections(run)));
        // It ended at its last tick, and no tick before had injected.
        Assert.All(timed, g => Assert.True(g.Ticks[^1].Fired && g.Ticks.SkipLast(1).All(t => !t.Fired), g.Because));
        Assert.All(
            timed, g => Assert.InRange(g.End.MsSince(g.Ticks[^1].At), -1, 1 + TrueStandstill.MsWithin(run.Truth, g.Start!.Value, g.End)));
        Assert.True(run.Misfits().Count <= 1, ObservedRun.Describe(run.Misfits()));
    }

    [Fact]
    public async Task Why_a_tick_did_not_inject_is_right_where_it_is_called_sure()
    {
        var run = await StoredRuns.OfAsync("injection-latency");
        var unfired = Injections(run).SelectMany(g => g.Ticks.Where(t => !t.Fired && t.SinceDequeueMs is not null)).ToArray();
        var sure = unfired.Where(t => t.Sure).ToArray();
        var wrong = sure.Where(t => !IsRight(run, t)).ToArray();
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{unfired.Length} ticks did not inject, {sure.Length} explained and sure, {wrong.Length} of them wrong");
        Assert.True(wrong.Length <= Math.Max(1, WrongShare * sure.Length), string.Join('\n', wrong.Select(t => t.ToString())));
        // Doubt is said: nothing stands between sure and borderline.
        Assert.All(unfired.Where(t => !t.Sure), t => Assert.NotEmpty(t.Why));
    }

    /// <summary>
    /// The rule holds a tick back when at most 500 ms have gone since the last dequeue by the runtime's coarse clock, so an explanation is
    /// right when it says so and the last item had begun about so long before.
    /// </summary>
    static bool IsRight(ObservedRun run, GateCheck check)
    {
        var last = run.Truth.Starts().Select(i => ObservedRun.At(i.Started!.Value)).Where(at => at < check.At).Max();
        var coarse = 2 * (run.Report.Timeline.Clock?.StepMs ?? 4);
        return check.SinceDequeueMs <= 500
            && Math.Abs(check.At.MsSince(last) - check.SinceDequeueMs!.Value) <= coarse + TrueStandstill
            .MsWithin(run.Truth, last, check.At);
    }

    static InjectionDelay[] Injections(ObservedRun run) =>
        [.. run.Report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.Starvation)];
}
