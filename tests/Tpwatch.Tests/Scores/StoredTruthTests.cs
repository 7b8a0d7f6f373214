using Tpwatch.Fixtures.Truth;
using Tpwatch.Scoring.Readings;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Fixtures;

namespace Tpwatch.Tests.Scores;

/// <summary>What lies beside a recording, and how a recorded stream comes once more.</summary>
public sealed class StoredTruthTests
{
    [Fact]
    public void A_truth_is_read_as_it_was_written_to_the_microsecond()
    {
        using var folder = new TempFolder();
        var run = SampleTruth.Of(1000, (0, 1.5, 900.25, 1), (10, null, null, 0)).Noting(("late", 3.5)) with
        {
            Pool = [new TruthPool { At = 5_000_100_000, Threads = 3, Pending = 7, Completed = 9, Min = 2, Max = 400, CpuMs = 12.5 }],
        };
        var truth = new StoredTruth(run, [new(100, new(5_000_001_000)), new(250, new(5_100_000_000))])
        {
            LoadBefore = 0.25,
            Incomplete = ["events were lost"],
        };

        StoredTruthFile.Write(folder["a.truth.json"], truth);
        var read = StoredTruthFile.Read(folder["a.truth.json"]);

        Assert.Equal(run.Items, read.Run.Items);
        Assert.Equal(run.Hiccups, read.Run.Hiccups);
        Assert.Equal(run.Pool, read.Run.Pool);
        Assert.Equal(run.Figures, read.Run.Figures);
        Assert.Equal(run.End, read.Run.End);
        Assert.Equal(run.Header.Anchor, read.Run.Header.Anchor);
        Assert.Equal(truth.Delivered, read.Delivered);
        Assert.Equal((0.25, "events were lost"), (read.LoadBefore, Assert.Single(read.Incomplete)));
    }

    [Fact]
    public void A_delivered_stream_gives_no_more_than_had_come_and_tells_when_it_was_worked_off()
    {
        var told = new List<(long Read, double Ms)>();
        var read = 0L;
        using var stream = new DeliveredStream(
            new MemoryStream(new byte[100]), [new(30, new(1_000_000)), new(70, new(2_000_000)), new(100, new(3_000_000))],
            at => told.Add((read, at.Milliseconds)));
        var buffer = new byte[64];
        var counts = new List<int>();
        for (var count = stream.Read(buffer, 0, 64); count > 0; count = stream.Read(buffer, 0, 64))
        {
            counts.Add(count);
            read += count;
        }

        Assert.Equal([30, 40, 30], counts);
        Assert.Equal([(30, 1.0), (70, 2.0), (100, 3.0)], told);
    }
}
