using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Stored;

/// <summary>Since when, until when, and that it is over.</summary>
public sealed class RecoveringTests
{
    /// <summary>Two readings of a second each, and what makes two stretches one.</summary>
    const double ReadingsMs = 3500;

    [Fact]
    public async Task It_is_told_since_when_until_when_and_that_it_is_over()
    {
        var run = await StoredRuns.OfAsync("recovering");
        var waiting = Waiting(run);
        Assert.False(run.Report.IsNow, run.Report.Headline);
        Assert.All(run.Report.Episodes, e => Assert.True(e.Over));
        // Not before anything waited, and not long after it began to.
        Assert.InRange(run.Report.Since!.Value.MsSince(waiting.From), -1, ReadingsMs);
        // Not long after the last that waited, and not before the last injection that somebody waited for.
        var until = run.Report.Episodes[^1].Span.To;
        Assert.True(until.MsSince(waiting.To) <= ReadingsMs, $"over {until.MsSince(waiting.To)} ms after the last item that waited");
        Assert.True(until >= run.Report.InjectionDelays.Last(g => g is { Reason: AdjustmentReason.Starvation, QueueLength: > 0 }).End);
    }

    /// <summary>From the first to the last moment at which an item had waited for as long as the gate's rule takes.</summary>
    static EventSpan Waiting(ObservedRun run)
    {
        var waited = run.Truth.Items.Where(i => run.Truth.Ms(i.Enqueued, i.Started ?? run.Truth.End.At) >= 500).ToArray();
        return new(ObservedRun.At(waited.Min(i => i.Enqueued)), ObservedRun.At(waited.Max(i => i.Started ?? run.Truth.End.At)));
    }
}
