using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Reports;
using Tpwatch.Tests.Properties.Generators;
using Tpwatch.Tests.Replay;
using Tpwatch.Watch;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>Looking changes nothing: who asks for a report in between gets the same ones later as who never asked.</summary>
public sealed class SnapshotLaw
{
    [Fact]
    public void Reports_in_between_change_no_later_report() => ForAny(Looks, look =>
    {
        var life = PoolLife.Of(look.World);
        var fold = new PoolFold(life.Target, SessionSource.Live);
        var sink = fold.Sink();
        for (var i = 0; i < life.Facts.Length; i++)
        {
            sink.Tell(life.Facts[i]);
            if (i % look.Every == 0)
            {
                _ = TestRecordings.Json(fold.Report(SessionEnd.StillOpen));
            }
        }

        Assert.Equal(TestRecordings.Json(Folded.Report(life.Target, life.Facts)), TestRecordings.Json(fold.Report(SessionEnd.StillOpen)));
    }, tests: 100);

    /// <summary>A report is immutable: what is folded later does not reach it.</summary>
    [Fact]
    public void A_report_does_not_change_after_it_was_taken() => ForAny(Looks, look =>
    {
        var life = PoolLife.Of(look.World);
        var fold = new PoolFold(life.Target, SessionSource.Live);
        var sink = fold.Sink();
        var taken = new List<(PoolReport Report, string Json)>();
        for (var i = 0; i < life.Facts.Length; i++)
        {
            sink.Tell(life.Facts[i]);
            if (i % look.Every == 0)
            {
                var report = fold.Report(SessionEnd.StillOpen);
                taken.Add((report, TestRecordings.Json(report)));
            }
        }

        Assert.All(taken, then => Assert.Equal(then.Json, TestRecordings.Json(then.Report)));
    }, tests: 60);

    static Arbitrary<(PoolWorld World, int Every)> Looks { get; } = Arb.From(
        from world in PoolWorlds.Flat.Generator
        from every in Gen.Choose(1, 40)
        select (world, every),
        look => PoolWorlds.Flat.Shrinker(look.Item1).Select(world => (world, look.Item2)));
}
