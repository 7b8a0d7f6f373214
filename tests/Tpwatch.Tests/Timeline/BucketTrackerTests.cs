using Tpwatch.Core;
using Tpwatch.Ledger;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Timeline;

public sealed class BucketTrackerTests
{
    readonly BucketTracker buckets = new();

    public BucketTrackerTests() => buckets.Open(At(0));

    [Fact]
    public void A_bucket_keeps_the_fewest_and_the_most_workers()
    {
        Workers(10, 8);
        Workers(20, 12);
        Workers(30, 9);

        Assert.Equal((8, 12), Range(0));
    }

    [Fact]
    public void The_next_bucket_begins_with_what_held_at_the_end_of_the_last()
    {
        Workers(10, 12);
        Workers(20, 9);
        Workers(60, 10);

        Assert.Equal((9, 10), Range(1));
    }

    [Fact]
    public void Silence_is_filled_with_what_holds()
    {
        Workers(10, 8);
        buckets.TargetThreads(9);
        buckets.QueueLength(40);
        buckets.AdvanceTo(At(1000));

        var series = buckets.Snapshot();
        Assert.Equal(21, series.EndIndex);
        Assert.All(Enumerable.Range(1, 20),
            i => Assert.Equal((8, 8, 9, 40), (series[i].WorkersMin, series[i].WorkersMax, series[i].TargetThreads, series[i].QueueLength)));
        Assert.All(Enumerable.Range(1, 20), i => Assert.True(float.IsNaN(series[i].Cpu)));
    }

    [Fact]
    public void Before_anything_is_known_a_bucket_is_unknown_and_not_zero()
    {
        buckets.AdvanceTo(At(100));

        Assert.Equal(Bucket.Unknown, buckets.Snapshot()[0]);
        Assert.Equal(Bucket.Unknown, buckets.Snapshot()[999]);
        Assert.Equal(Bucket.Unknown, buckets.Snapshot()[-1]);
    }

    [Fact]
    public void A_heartbeat_covers_the_time_before_it()
    {
        buckets.AdvanceTo(At(2000));
        buckets.CoverBack(At(1000), At(2000), 250, 0.5f);

        var series = buckets.Snapshot();
        Assert.True(float.IsNaN(series[19].Cpu));
        Assert.All(Enumerable.Range(20, 21), i => Assert.Equal((250f, 0.5f), (series[i].CompletedPerSecond, series[i].Cpu)));
    }

    [Fact]
    public void A_worker_change_after_a_heartbeat_keeps_what_the_heartbeat_said()
    {
        buckets.AdvanceTo(At(1010));
        buckets.CoverBack(At(10), At(1010), 250, 0.5f);
        Workers(1020, 7);

        Assert.Equal((0.5f, 7), (buckets.Snapshot()[20].Cpu, buckets.Snapshot()[20].WorkersMax));
    }

    [Fact]
    public void Loss_is_marked_where_it_was_and_nowhere_else()
    {
        buckets.AdvanceTo(At(300));
        buckets.MarkLost(At(100), At(210));
        buckets.AdvanceTo(At(500));

        var series = buckets.Snapshot();
        Assert.Equal([2L, 3, 4], Enumerable.Range(0, 10).Select(i => (long)i).Where(i => series[i].Lost));
    }

    [Fact]
    public void A_day_takes_the_memory_of_fifteen_minutes_at_full_detail_and_four_hours_in_seconds()
    {
        for (var second = 1; second <= 86_400; second++)
        {
            Workers(second * 1000.0, second % 50);
        }

        var series = buckets.Snapshot();
        Assert.Equal(86_400 * 20 + 1, series.EndIndex);
        Assert.InRange(series.EndIndex - series.DetailIndex, BucketSeries.Capacity - BucketSeries.ChunkLength,
            BucketSeries.Capacity + 2 * BucketSeries.ChunkLength);
        Assert.InRange(series.EndIndex - series.FirstIndex, BucketSeries.WholeCapacity - BucketSeries.ChunkLength,
            BucketSeries.WholeCapacity + 2 * BucketSeries.ChunkLength);
        Assert.Equal((49, 0), (series[series.EndIndex - 2].WorkersMax, series[series.EndIndex - 1].WorkersMin));
        Assert.Equal(Bucket.Unknown, series[series.FirstIndex - 1]);
    }

    [Fact]
    public void After_a_night_of_silence_the_lanes_go_on_with_the_newest_four_hours()
    {
        Workers(10, 8);
        buckets.AdvanceTo(At(8 * 3_600_000.0));
        Workers(8 * 3_600_000.0 + 60, 9);

        var series = buckets.Snapshot();
        Assert.InRange(series.EndIndex - series.FirstIndex, BucketSeries.WholeCapacity - BucketSeries.ChunkLength,
            BucketSeries.WholeCapacity + 2 * BucketSeries.ChunkLength);
        Assert.Equal((8, 8), (series[series.FirstIndex].WorkersMin, series[series.EndIndex - 2].WorkersMax));
        Assert.Equal((8, 9), (series[series.EndIndex - 1].WorkersMin, series[series.EndIndex - 1].WorkersMax));
    }

    [Fact]
    public void Seconds_keep_every_spike_of_the_detail_they_were_made_of()
    {
        var random = new Random(5);
        var all = new List<Bucket>();
        for (var ms = 25.0; ms < 40 * 60_000; ms += 50)
        {
            buckets.AdvanceTo(At(ms));
            buckets.Workers(random.Next(5, random.Next(200) == 0 ? 90 : 9));
            buckets.QueueLength(random.Next(300) == 0 ? 5000 : random.Next(40));
            buckets.TargetThreads(random.Next(8, 12));
            buckets.CoverBack(At(ms), At(ms), random.Next(1000), random.NextSingle());
            var series = buckets.Snapshot();
            all.Add(series[series.EndIndex - 1]);
        }

        var kept = buckets.Snapshot();
        Assert.Equal(0, kept.FirstIndex);
        Assert.InRange(kept.DetailIndex, 1, all.Count - BucketSeries.Capacity);
        for (var second = 0L; second < kept.DetailIndex; second = kept.Next(second))
        {
            var was = all.Skip((int)second).Take(20).ToList();
            Assert.Equal((was.Min(b => b.WorkersMin), was.Max(b => b.WorkersMax), was[^1].TargetThreads, was.Max(b => b.QueueLength)),
                (kept[second].WorkersMin, kept[second].WorkersMax, kept[second].TargetThreads, kept[second].QueueLength));
            Assert.Equal(was.Max(b => b.Cpu), kept[second].Cpu);
            Assert.Equal(was.Average(b => b.CompletedPerSecond), kept[second].CompletedPerSecond, 0.01);
            Assert.Equal(second + 20, kept.Next(second));
            Assert.Equal(kept[second], kept[second + 19]);
        }

        for (var i = kept.DetailIndex; i < kept.EndIndex; i++)
        {
            Assert.Equal(all[(int)i], kept[i]);
        }
    }

    [Fact]
    public void A_second_of_which_little_is_known_keeps_that_and_that_something_was_lost()
    {
        var second = Enumerable.Repeat(Bucket.Unknown, BucketSeries.PerCoarse).ToArray();
        second[3] = new(7, 9, 8, 40, 100, 0.5f, Lost: true);
        second[5] = Bucket.Unknown with { WorkersMin = 0, WorkersMax = 0 };

        Assert.Equal(new(0, 9, 8, 40, 100, 0.5f, Lost: true), Assert.Single(BucketDownsampler.Of(second)));
    }

    [Fact]
    public void What_is_left_out_is_unknown_and_the_rest_stays()
    {
        buckets.AdvanceTo(At(10));
        Workers(40 * 60_000, 7);
        var (whole, since) = (buckets.Snapshot(), buckets.Snapshot().Since(5000));

        Assert.Equal((5000, whole.EndIndex, whole.DetailIndex), (since.FirstIndex, since.EndIndex, since.DetailIndex));
        Assert.Equal(Bucket.Unknown, since[4999]);
        Assert.Equal(whole[5000], since[5000]);
        Assert.Equal(0, whole.Since(1_000_000_000)[whole.EndIndex].TargetThreads + 1);
    }

    [Fact]
    public void A_snapshot_does_not_change_while_the_tracker_goes_on()
    {
        Workers(10, 8);
        var before = buckets.Snapshot();
        Workers(20, 20);
        buckets.CoverBack(At(0), At(20), 9, 0.9f);
        buckets.MarkLost(At(0), At(20));
        Workers(70_000, 3);

        Assert.Equal(1, before.EndIndex);
        Assert.Equal(Bucket.Unknown with { WorkersMin = 8, WorkersMax = 8 }, before[0]);
        Assert.Equal((8, 20), Range(0));
    }

    [Fact]
    public void Snapshots_share_what_is_finished()
    {
        Workers(10, 8);
        buckets.AdvanceTo(At(10_000_000));
        buckets.Snapshot();
        buckets.AdvanceTo(At(10_000_050));
        var before = GC.GetAllocatedBytesForCurrentThread();
        buckets.Snapshot();

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, 4096);
    }

    [Fact]
    public void Index_and_time_of_a_bucket_agree()
    {
        buckets.AdvanceTo(At(1000));
        var series = buckets.Snapshot();

        Assert.Equal(7, series.IndexOf(series.TimeOf(7)));
        Assert.Equal(6, series.IndexOf(series.TimeOf(7).PlusMs(-0.001)));
        Assert.Equal(-1, series.IndexOf(At(-1)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(600)]
    [InlineData(601)]
    public void A_series_can_be_made_of_values(int count)
    {
        var series = BucketSeries.Of(At(0), [.. Enumerable.Range(0, count).Select(i => Bucket.Unknown with { TargetThreads = i })]);

        Assert.Equal(count, series.EndIndex);
        Assert.Equal(Enumerable.Range(0, count), Enumerable.Range(0, count).Select(i => series[i].TargetThreads));
        Assert.Equal(Bucket.Unknown, series[count]);
    }

    void Workers(double ms, int count)
    {
        buckets.AdvanceTo(At(ms));
        buckets.Workers(count);
    }

    (int, int) Range(long index)
    {
        var bucket = buckets.Snapshot()[index];
        return (bucket.WorkersMin, bucket.WorkersMax);
    }

    static EventTime At(double ms) => new EventTime(123_456_789_000).PlusMs(ms);
}
