using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Scoring.Recorded;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Stored;

/// <summary>Silent starvation: the runtime's detector never fires, and it is found all the same.</summary>
public sealed class TrickleTests
{
    /// <summary>Heartbeats that prove it, and what the stream holds them back.</summary>
    const double FoundMs = 4_500;

    [Theory]
    [InlineData("trickle")]
    [InlineData("trickle.net8")]
    [InlineData("trickle.late")]
    public async Task It_can_be_read_within_seconds(string name)
    {
        var run = await StoredRuns.OfAsync(name);
        var begin = EventTime.Max(run.From, ObservedRun.At(run.Truth.Items.Min(i => i.Enqueued)));
        var read = await RecordedRun.FirstReadAsync(TestRecordings.Folder, name, report => report.Verdict == Verdict.SilentlyStarved);

        Assert.InRange(read!.Value.MsSince(begin), 0, FoundMs);
    }
}
