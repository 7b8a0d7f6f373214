using Tpwatch.Explain.Forecast;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>What was said of an item queued now at each heartbeat of a run, while it ran, beside what the fixture says of itself.</summary>
sealed record SaidDelays(IReadOnlyList<(StartDelay Said, double TruthMs)> All, RunTruth Truth)
{
    /// <summary>An item queued so soon after a heartbeat is the one of which it spoke.</summary>
    const double NearMs = 250;

    /// <summary>Shorter waits are gone before the next heartbeat; relative errors of them say nothing.</summary>
    const double WorthSayingMs = 500;

    /// <summary>
    /// Relative errors of the estimates, where items had ended. The fixture's own hiccup log, and nothing else, excuses what a machine that
    /// did not let it run has shifted.
    /// </summary>
    public IReadOnlyList<double> Errors =>
        [.. All.Where(s => s.Said.EstimateMs is not null && s.TruthMs > WorthSayingMs)
            .Select(s => Math.Max(0, Math.Abs(s.Said.EstimateMs!.Value - s.TruthMs) - StolenMs(s.Said.At.PlusMs(s.TruthMs))) / s.TruthMs).Order()];

    /// <summary>Lower bounds, where none had.</summary>
    public IReadOnlyList<(StartDelay Said, double TruthMs)> Bounds => [.. All.Where(s => s.Said.EstimateMs is null)];

    /// <summary>Attaches, lets the scenario run to its end, and looks at the watch's report all the time.</summary>
    public static async Task<SaidDelays> OfAsync(CancellationToken cancel, params string[] arguments)
    {
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, arguments);
        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, cancel);
        await ObservedRun.FirstHeartbeatAsync(watch, cancel);
        await target.BeginAsync();
        var said = new Dictionary<EventTime, StartDelay>();
        while (!watch.Completion.IsCompleted)
        {
            if (watch.Report().Forecast?.StartDelayOfNewItem is { } delay)
            {
                said[delay.At] = delay;
            }

            await Task.Delay(20, cancel);
        }

        var truth = await target.TruthAsync(cancel);
        return new([.. said.Values.Select(s => (s, TruthOf(truth, s.At))).Where(s => s.Item2 is not null).Select(s => (s.s, s.Item2!.Value))], truth);
    }

    double StolenMs(EventTime until) => Truth.Hiccups.Where(h => ObservedRun.At(h.At) <= until).Sum(h => h.OvershootMs);

    public string Describe() => string.Join('\n', All.Select(s => FormattableString.Invariant(
        $"truth {s.TruthMs:0} ms, said {s.Said.EstimateMs:0} ({s.Said.MinMs:0} to {s.Said.MaxMs:0}): {s.Said.Basis}")));

    /// <summary>
    /// How long the item waited that was queued next after a moment; where none was, how long one more would have: until a worker was free
    /// after the last had been taken. Null when the run ended before.
    /// </summary>
    static double? TruthOf(RunTruth truth, EventTime at)
    {
        var next = truth.Items.Where(i => ObservedRun.At(i.Enqueued) >= at).OrderBy(i => i.Enqueued).FirstOrDefault();
        return next is not null && ObservedRun.At(next.Enqueued).MsSince(at) <= NearMs
            ? next.Started is { } started ? truth.Ms(next.Enqueued, started) : null
            : next is null ? FreeAfterAll(truth)?.MsSince(at) : null;
    }

    static EventTime? FreeAfterAll(RunTruth truth)
    {
        if (truth.Items.Any(i => i.Started is null))
        {
            return null;
        }

        var last = truth.Items.Max(i => i.Started!.Value);
        var ends = truth.Items.Select(i => i.Ended).OfType<long>().Where(e => e >= last).ToArray();
        return ends.Length == 0 ? null : ObservedRun.At(ends.Min());
    }
}
