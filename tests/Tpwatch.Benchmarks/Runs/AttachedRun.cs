using System.Collections.Immutable;
using Tpwatch.Explain;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>A run as the engine saw it, attached before the scenario began, beside what the fixture says of itself.</summary>
/// <param name="Plan">What was run.</param>
/// <param name="Report">What the engine says when it is over.</param>
/// <param name="Looks">What it said meanwhile, every half second.</param>
/// <param name="Truth">What really happened.</param>
/// <param name="Recording">The stream; its side-car lies beside it.</param>
internal sealed record AttachedRun(
    PlannedRun Plan, PoolReport Report, ImmutableArray<Look> Looks, RunTruth Truth, string Recording)
{
    static readonly TimeSpan HeartbeatPoll = TimeSpan.FromMilliseconds(20);
    static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(500);

    public static async Task<AttachedRun> OfAsync(PlannedRun plan, (FixtureCopy Fixtures, string Scratch) place, CancellationToken cancel)
    {
        var stem = Path.Combine(place.Scratch, $"{plan.Row.Stem}-{plan.Runtime}-{Guid.NewGuid():N}");
        var (recording, truth) = (stem + ".nettrace", stem + ".ndjson");
        await using var fixture = await FixtureProcess.StartAsync(place.Fixtures.Command(plan), plan.Row.Processors, [.. plan.Words, "--truth", truth]);
        await using var watch = await ThreadPoolWatch.AttachAsync(fixture.Pid, new WatchOptions { RecordTo = recording }, cancel);
        while (watch.Report().Timeline.Heartbeats.IsEmpty)
            await Task.Delay(HeartbeatPoll, cancel);
        await fixture.BeginAsync();
        var looks = await WatchAsync(watch, cancel);
        await fixture.ExitAsync(cancel);
        using var text = File.OpenText(truth);
        return new(plan, watch.Report(), looks, TruthReader.Read(text), recording);
    }

    /// <summary>Event time of a moment of the truth; both are the monotonic clock on Linux.</summary>
    public static EventTime At(long stopwatch) => new(stopwatch);

    static async Task<ImmutableArray<Look>> WatchAsync(ThreadPoolWatch watch, CancellationToken cancel)
    {
        var looks = ImmutableArray.CreateBuilder<Look>();
        while (!watch.Completion.IsCompleted)
        {
            await Task.WhenAny(watch.Completion, Task.Delay(LookEvery, cancel));
            cancel.ThrowIfCancellationRequested();
            looks.Add(Look.Of(watch.Report()));
        }

        await watch.Completion;
        return looks.ToImmutable();
    }
}
