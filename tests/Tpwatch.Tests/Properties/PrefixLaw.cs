using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Tests.Properties.Generators;
using Tpwatch.Tests.Replay;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>Who has seen the beginning only claims nothing that the rest takes back.</summary>
public sealed class PrefixLaw
{
    [Fact]
    public void A_report_of_a_beginning_claims_no_more_than_that_of_the_whole() => ForAny(Cut, cut =>
    {
        var life = PoolLife.Of(cut.World);
        var until = (int)(life.Facts.Length * cut.Share);
        var (beginning, whole) = (Folded.Report(life.Target, life.Facts.Take(until)), Folded.Report(life.Target, life.Facts));
        Claims.AssertNoneBeyond(life, beginning, whole);
    }, tests: 300);

    /// <summary>The journal is what a live line printed: what is printed is printed.</summary>
    [Fact]
    public void What_was_told_of_a_decision_when_it_closed_stays_told() => ForAny(Cut, cut =>
    {
        var life = PoolLife.Of(cut.World);
        var until = (int)(life.Facts.Length * cut.Share);
        var (beginning, whole) = (Folded.Report(life.Target, life.Facts.Take(until)), Folded.Report(life.Target, life.Facts));
        Assert.StartsWith(TestRecordings.Lines(beginning), TestRecordings.Lines(whole), StringComparison.Ordinal);
    }, tests: 200);

    static Arbitrary<(PoolWorld World, double Share)> Cut { get; } = Arb.From(
        from world in PoolWorlds.Flat.Generator
        from share in Gen.Choose(0, 1000)
        select (world, share / 1000.0),
        cut => PoolWorlds.Flat.Shrinker(cut.Item1).Select(world => (world, cut.Item2)));
}
