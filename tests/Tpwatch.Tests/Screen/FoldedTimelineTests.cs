using Tpwatch.Reports;
using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

public sealed class FoldedTimelineTests
{
    static readonly int[] Scales = [50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

    [Fact]
    public void Zooming_in_and_out_goes_through_every_scale()
    {
        Assert.Equal(Scales.Skip(1), Scales.SkipLast(1).Select(Zoom.Out));
        Assert.Equal(Scales.SkipLast(1), Scales.Skip(1).Select(Zoom.In));
        Assert.Equal((50, 60_000), (Zoom.In(50), Zoom.Out(60_000)));
    }

    [Fact]
    public void No_spike_is_lost_at_any_scale()
    {
        var random = new Random(3);
        var buckets = Enumerable.Range(0, 4000).Select(_ => Bucket(random)).ToList();
        var series = BucketSeries.Of(Some.Start, buckets);
        foreach (var scale in Scales)
        {
            var columns = FoldedTimeline.Of(series, new TimeWindow(Some.Start, scale, 0, 4000 * 50 / scale + 1)).Columns;
            Assert.Equal(buckets.Max(b => b.WorkersMax), columns.Max(c => c.Workers.Max));
            Assert.Equal(buckets.Where(b => b.WorkersMin >= 0).Min(b => b.WorkersMin),
                columns.Where(c => c.Workers.IsKnown).Min(c => c.Workers.Min));
            Assert.Equal(buckets.Max(b => b.QueueLength), columns.Max(c => c.QueueLength));
            Assert.Equal(buckets.Max(b => b.Cpu), columns.Max(c => c.Cpu));
        }
    }

    [Fact]
    public void The_same_columns_are_seen_wherever_the_screen_is()
    {
        var random = new Random(5);
        var series = BucketSeries.Of(Some.Start, [.. Enumerable.Range(0, 2000).Select(_ => Bucket(random))]);
        foreach (var scale in Scales)
        {
            var here = FoldedTimeline.Of(series, new TimeWindow(Some.Start, scale, 3, 60)).Columns;
            var there = FoldedTimeline.Of(series, new TimeWindow(Some.Start, scale, 10, 60)).Columns;
            Assert.Equal(here[7..], there[..53]);
        }
    }

    [Fact]
    public void A_moment_lies_in_exactly_one_column()
    {
        var random = new Random(8);
        foreach (var scale in Scales)
        {
            var window = new TimeWindow(Some.Start, scale, 0, 100);
            for (var i = 0; i < 500; i++)
            {
                var at = Some.Start.PlusMs(random.NextDouble() * 100 * scale);
                Assert.True(window.TimeOf(window.ColumnOf(at)) <= at && at < window.TimeOf(window.ColumnOf(at) + 1));
                Assert.Equal(window.ColumnOf(at), window.XOf(at));
            }
        }
    }

    [Fact]
    public void What_is_not_known_stays_unknown()
    {
        var column = Assert.Single(
            FoldedTimeline.Of(BucketSeries.Of(Some.Start, [Tpwatch.Reports.Bucket.Unknown]), new TimeWindow(Some.Start, 50, 0, 1)).Columns);
        Assert.True(column.Seen);
        Assert.False(column.Workers.IsKnown);
        Assert.True(double.IsNaN(column.Cpu) && double.IsNaN(column.Done));
        Assert.Equal((-1, -1), (column.TargetThreads, column.QueueLength));
    }

    static Bucket Bucket(Random random)
    {
        var low = random.Next(-1, 50);
        return new(low, low < 0 ? -1 : low + random.Next(5), random.Next(-1, 60), random.Next(-1, 500),
            random.Next(5) == 0 ? float.NaN : random.NextSingle() * 900, random.NextSingle(), Lost: false);
    }
}
