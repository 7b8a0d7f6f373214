using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Findings;

/// <summary>What findings share: the readings inside the waits, and what stacks and items add.</summary>
public sealed class DeepEvidenceTests
{
    [Fact]
    public void Of_waits_that_overlap_each_reading_counts_once_and_none_outside()
    {
        var script = new PoolScript().CounterSamples(0, 20).Pass(8000);
        var inside = WaitingEpisodes.CounterSamples(
            script.Timeline.Snapshot(), [Wait(script, 2000, 4000), Wait(script, 3000, 5000), Wait(script, 7000, 8000)]);
        Assert.Equal([3000, 4000, 5000, 8000], inside.Select(sample => sample.At.MsSince(script.Origin)));
    }

    /// <summary>A wait that only meets the time at its end shares none of it; its own two ends belong to it.</summary>
    [Fact]
    public void A_wait_that_begins_where_the_time_ends_does_not_overlap_it()
    {
        var script = new PoolScript();
        EpisodeIntervals waits = new([Wait(script, 1000, 2000)]);
        Assert.Equal([false, true, true, false], (((double From, double To)[])[(0, 1000), (0, 1001), (1999, 3000), (2000, 3000)])
            .Select(time => waits.Touch(script.Origin.PlusMs(time.From), script.Origin.PlusMs(time.To))));
        Assert.Equal([false, true, true, false],
            ((double[])[999, 1000, 2000, 2001]).Select(ms => waits.Hold(script.Origin.PlusMs(ms))));
    }

    /// <summary>An item that still waits may wait longer than all others have.</summary>
    [Theory]
    [InlineData(0, "Longest queue time")]
    [InlineData(1, "Longest queue time: at least")]
    public void The_longest_queue_time_is_a_lower_bound_while_an_item_waits(long waiting, string said)
    {
        var report = Ask.Starving().Report() with
        {
            QueueDelay = new(100, 0, 500, 900, 1000, 1100, 1200, []) { Unfinished = waiting },
        };
        Assert.Equal(said, Assert.Single(new Tpw001Starvation().Found(report).Evidence, e => e.Value == 1200).Text);
    }

    [Theory]
    [InlineData("lambda in Orders.Load", true, ": a lambda in Orders.Load calls Sql.Run while it holds the lock.")]
    [InlineData("Orders.Load", false, ": Orders.Load calls Sql.Run while it holds the lock.")]
    public void Who_holds_the_lock_is_named(string method, bool isLambda, string said)
    {
        var report = Ask.Starving().Report() with
        {
            Blockers =
            [
                new("Shop.Pay", 0.9, 8, BlockKind.Lock, ["Shop.Pay"]) { OwnerDoes = new(method, "Orders.Load", isLambda, ["Sql.Run"]) },
            ],
        };
        Assert.Contains(said, new Tpw001Starvation().Found(report).Remedies[0].Text, StringComparison.Ordinal);
    }

    static StarvedEpisode Wait(PoolScript script, double from, double to) =>
        new(new(script.Origin.PlusMs(from), script.Origin.PlusMs(to)), Verdict.Starved, Over: true, 0);
}
