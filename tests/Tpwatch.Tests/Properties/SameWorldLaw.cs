using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Tests.Properties.Generators;
using Tpwatch.WhatIf;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>
/// Whoever imagines the world that was seen imagines what happened in it. The items are the true ones, so that nothing but the imagined
/// pool can differ: it was written from the engine's policies, and the one that lived was not.
/// </summary>
public sealed class SameWorldLaw
{
    /// <summary>Waits that differ by less are the same: a thread's start takes as long, milliseconds.</summary>
    const double NothingMs = 5;

    /// <summary>What the rebuilding of what was seen adds to a wait, as a share of it.</summary>
    const double Rebuilding = 0.05;

    [Fact]
    public void Waits_are_as_far_from_the_truth_as_is_stated_and_no_further()
    {
        var relied = 0;
        ForAny(Worlds, world => Check(world, (truth, answer) =>
        {
            relied += answer.ErrorShare <= 0.15 && truth > 100 ? 1 : 0;
            var doubt = (answer.ErrorShare ?? 0) + Rebuilding;
            Near("seen", answer.Seen.StartDelayMs, truth, doubt);
            Near("imagined", answer.Same.StartDelayMs, truth, doubt);
        }), tests: 200);
        Assert.True(relied > 20, $"only {relied} worlds with waits could be imagined: the law says little");
    }

    static void Near(string what, double? ms, double truth, double doubt) => Assert.True(
        ms is { } told && Math.Abs(told - truth) <= NothingMs + doubt * Math.Max(told, truth),
        FormattableString.Invariant($"mean wait {what} {ms:0.0} ms, in truth {truth:0.0} ms; stated is {doubt - Rebuilding:0.00}"));

    static void Check(PoolWorld world, Action<double, WhatIfAnswer> law)
    {
        var life = PoolLife.Of(world);
        var report = Folded.Report(life.Target, life.Facts);
        var end = Watcher.Ms(report.Timeline.Now);
        MadeItem[] items = [.. life.Items.Where(item => item.QueuedMs <= end).OrderBy(item => item.QueuedMs)];
        if (items.Length > 0)
        {
            var study = WhatIfStudy.Of(report, new ItemsSeen([.. items.Select(Simulated)], "the truth")
            {
                Ended = items.All(item => item.EndedMs <= end) ? Watcher.At(items.Max(item => item.EndedMs!.Value)) : null,
                RampMs = RampMs,
            });
            law(items.Average(item => item.WaitedMs(end)), study.Answer(new()));
        }
    }

    /// <summary>From a new worker to the next, as simulated.</summary>
    const double RampMs = 0.4;

    static SimulatedItem Simulated(MadeItem item) => new(
        Watcher.At(item.QueuedMs!.Value), item.What.By == Holds.Processor ? item.What.HoldMs : 0,
        item.What.By == Holds.Processor ? 0 : item.What.HoldMs,
        item.What.By == Holds.Task ? Blocking.TaskWait : Blocking.Unseen);

    /// <summary>
    /// What cannot be imagined is left out: a lock that all share (what-if says so), memory's veto, and limits that a call changes.
    /// </summary>
    static Arbitrary<PoolWorld> Worlds { get; } =
        Arb.From(PoolWorlds.Flat.Generator.Select(Imaginable), world => PoolWorlds.Flat.Shrinker(world).Select(Imaginable));

    static PoolWorld Imaginable(PoolWorld world) => world with
    {
        AttachMs = 0,
        Calls = [],
        Climbs = [],
        Compensates = true,
        Loads = [.. world.Loads.Select(load => load.By == Holds.Lock ? load with { By = Holds.Sleep } : load)],
    };
}
