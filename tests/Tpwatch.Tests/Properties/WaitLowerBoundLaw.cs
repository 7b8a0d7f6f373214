using FsCheck;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Tests.Properties.Generators;
using Tpwatch.Watch;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>What the counters prove of a wait is never more than the truth.</summary>
public sealed class WaitLowerBoundLaw
{
    /// <summary>The counters of one heartbeat are read within so long: that much of a moment is not known, milliseconds.</summary>
    const double ReadingMs = 0.5;

    [Fact]
    public void A_proven_wait_is_never_longer_than_the_longest_that_is_true() =>
        Holds(PoolWorlds.Flat, (proven, truth) => proven <= truth + ReadingMs);

    /// <summary>
    /// A worker that waits for items of its own runs them inline, as many as it has and one inside the other: they leave the queue, and
    /// nothing counts them. So the bound is no bound there. What holds is that nothing is proven where the queue shows it: of an empty one.
    /// Left out is a queue that others fill again meanwhile; the counters do not tell those two apart.
    /// </summary>
    [Fact]
    public void Where_items_run_inline_nothing_is_proven_of_an_empty_queue() =>
        Holds(PoolWorlds.Nesting, (proven, truth) => proven == 0 || truth > 0);

    /// <summary>
    /// The same where workers end many items between the readings of the queue and of the completions, which .NET 8 reads in that order.
    /// </summary>
    [Fact]
    public void Where_many_items_end_while_the_counters_are_read_nothing_is_proven_of_an_empty_queue() =>
        Holds(PoolWorlds.Dusty, (proven, truth) => proven == 0 || truth > 0);

    /// <summary>.NET 9 and later read the completions first: then what ends in between is counted, and the bound is one.</summary>
    [Fact]
    public void Where_completions_are_read_before_the_queue_items_may_end_as_fast_as_they_like() =>
        Holds(PoolWorlds.DustyCompletedFirst, (proven, truth) => proven <= truth + ReadingMs);

    static void Holds(Arbitrary<PoolWorld> worlds, Func<double, double, bool> holds)
    {
        var proofs = 0;
        ForAny(worlds, world =>
        {
            var life = PoolLife.Of(world);
            var fold = new PoolFold(life.Target, SessionSource.Live);
            var sink = fold.Sink();
            foreach (var fact in life.Facts)
            {
                sink.Tell(fact);
                if (fact is CountersRead sample)
                {
                    var (proven, now) = (fold.Ledger.CounterSamples.ProvenWaitMs, Watcher.Ms(sample.At));
                    proofs += proven > 0 ? 1 : 0;
                    var truth = life.LongestWaitMs(now - ReadingMs, now);
                    Assert.True(
                        holds(proven, truth), FormattableString.Invariant(
                            $"at {now:0.0} ms a wait of {proven:0.0} ms is called proven, and the longest is {truth:0.0} ms"));
                }
            }
        }, tests: 300);
        Assert.True(proofs > 10, $"only {proofs} waits were proven: the law says little");
    }
}
