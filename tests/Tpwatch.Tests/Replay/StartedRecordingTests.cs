using System.Text.Json.Nodes;
using Tpwatch.Reports;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Replay;

/// <summary>
/// A recording of a program from its start has two streams: what came before the counters were on lies in the side-car. They overlap for
/// some milliseconds.
/// </summary>
public sealed class StartedRecordingTests
{
    static string Started => TestRecordings.File("Deep/started");

    [Fact]
    public async Task The_start_is_read_first_and_nothing_twice()
    {
        var whole = await TestRecordings.ReplayAsync(Started);
        using var folder = new TempFolder();
        var rest = await TestRecordings.ReplayAsync(WithoutStart(folder));

        Assert.True(whole.Timeline.Start < rest.Timeline.Start, $"{whole.Timeline.Start} and {rest.Timeline.Start}");
        // Each thread count is reached once: one that was missed or told twice would break the row.
        var starved = whole.InjectionDelays.Where(delay => delay.Reason == AdjustmentReason.Starvation).ToArray();
        Assert.Equal(starved.Skip(1).Select(delay => delay.TargetThreadsBefore), starved.SkipLast(1)
            .Select(delay => delay.TargetThreadsAfter));
        Assert.Equal(whole.Adjustments[AdjustmentReason.Starvation], starved.Length);
        Assert.InRange(rest.Adjustments[AdjustmentReason.Starvation], 1, starved.Length - 1);
        Assert.Equal(rest.Timeline.CounterSamples.Length, whole.Timeline.CounterSamples.Length);
        Assert.Equal((0, 0, 0), (whole.Tally.Early, whole.Tally.Late, whole.Tally.NoRule));
        Assert.Equal((0, false), (whole.Timeline.Quality.Lost, whole.Timeline.Quality.LossUnknown));
        Assert.True(whole.Timeline.Quality.Events > rest.Timeline.Quality.Events);
    }

    [Fact]
    public async Task A_start_that_is_no_stream_costs_the_start_alone()
    {
        using var folder = new TempFolder();
        var damaged = await TestRecordings.ReplayAsync(WithoutStart(folder, "bm8gc3RyZWFt"));
        using var other = new TempFolder();
        var rest = await TestRecordings.ReplayAsync(WithoutStart(other));

        Assert.Equal((rest.Verdict, rest.Timeline.Quality.Events), (damaged.Verdict, damaged.Timeline.Quality.Events));
        Assert.Equal(rest.End, damaged.End);
    }

    static string WithoutStart(TempFolder folder, string? instead = null)
    {
        var path = folder["rest.nettrace"];
        File.Copy(Started, path);
        var sideCar = JsonNode.Parse(File.ReadAllText(Started + ".json"))!.AsObject();
        Assert.True(sideCar.Remove("start"));
        if (instead is not null)
        {
            sideCar["start"] = instead;
        }

        File.WriteAllText(path + ".json", sideCar.ToJsonString());
        return path;
    }
}
