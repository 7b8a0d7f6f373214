using FsCheck.Fluent;
using Tpwatch.Reports;
using Tpwatch.Tests.Properties.Generators;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>HEALTHY is founded: no item waited for seconds while we looked.</summary>
public sealed class HealthyLaw
{
    [Fact]
    public void Of_a_pool_that_is_called_healthy_no_item_waited_for_seconds()
    {
        var healthy = 0;
        ForAny(PoolWorlds.Flat, world =>
        {
            var life = PoolLife.Of(world);
            if (Folded.Report(life.Target, life.Facts).Verdict == Verdict.Healthy)
            {
                healthy++;
                var longest = life.Items.Select(item => WaitedWatchedMs(world, item)).DefaultIfEmpty().Max();
                Assert.True(
                    longest < LongBeats * Math.Max(1000, world.BeatMs), FormattableString.Invariant($"an item waited {longest:0} ms"));
            }
        }, tests: 300);
        Assert.True(healthy > 50, $"only {healthy} worlds are called healthy: the law says little");
    }

    /// <summary>
    /// Three heartbeats in a row at which an item would wait for a second make a wait that is told;
    /// before them and after them lies one more each.
    /// </summary>
    const double LongBeats = 4;

    static double WaitedWatchedMs(PoolWorld world, MadeItem item)
    {
        var end = world.AttachMs + world.Seconds * 1000;
        return Math.Min(item.TakenMs ?? end, end) - Math.Max(item.QueuedMs!.Value, world.AttachMs);
    }
}
