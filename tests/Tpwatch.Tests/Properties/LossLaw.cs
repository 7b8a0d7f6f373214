using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Tests.Properties.Generators;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>Who has seen less claims no more.</summary>
public sealed class LossLaw
{
    [Fact]
    public void With_events_lost_a_report_claims_no_more() => ForAny(Lost, lost =>
    {
        var life = PoolLife.Of(lost.World);
        var (from, to) = (lost.World.AttachMs + lost.FromMs, lost.World.AttachMs + lost.FromMs + lost.ForMs);
        var lossy = LessKnown.Lossy(life.Facts, Watcher.At(from), Watcher.At(to));
        Claims.AssertNoneBeyond(life, Folded.Report(life.Target, lossy), Folded.Report(life.Target, life.Facts));
    }, tests: 500, known: KnownWorlds.Lost);

    [Fact]
    public void With_heartbeats_missing_a_report_claims_no_more() => ForAny(Lost, lost =>
    {
        var life = PoolLife.Of(lost.World);
        var thinned = LessKnown.Thinned(life.Facts, sample => ((sample + 1) * 7919 + (int)lost.FromMs) % 3 == 0);
        Claims.AssertNoneBeyond(life, Folded.Report(life.Target, thinned), Folded.Report(life.Target, life.Facts));
    }, tests: 500, known: KnownWorlds.Thinned);

    static Arbitrary<(PoolWorld World, double FromMs, double ForMs)> Lost { get; } = Arb.From(
        from world in PoolWorlds.Flat.Generator
        from at in Gen.Choose(0, (int)world.Seconds * 1000)
        from length in Gen.OneOf(Gen.Choose(1, 50), Gen.Choose(100, 3000))
        select (world, (double)at, (double)length),
        lost => PoolWorlds.Flat.Shrinker(lost.Item1).Select(world => (world, lost.Item2, lost.Item3)));
}
