using System.Collections.Immutable;
using System.Diagnostics;
using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Scoring.Readings;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Lab.Runs;

/// <summary>A run as the engine saw it, beside what the fixture says of itself.</summary>
/// <param name="Plan">What was run.</param>
/// <param name="Run">What the engine says when it is over, and what really happened.</param>
/// <param name="Readings">What it said of what comes next meanwhile, ten times a second.</param>
/// <param name="Delivered">How much of the stream had come when.</param>
/// <param name="Recording">The stream; its side-car lies beside it.</param>
/// <param name="End">How the session ended.</param>
sealed record AttachedRun(
    RunPlan Plan, ObservedRun Run, ImmutableArray<Reading> Readings, ImmutableArray<Delivery> Delivered, string Recording, SessionEnd End)
{
    static readonly TimeSpan HeartbeatPoll = TimeSpan.FromMilliseconds(20);
    static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(100);

    /// <summary>Why the run tells nothing; null when it is complete. Never what the engine made of it.</summary>
    public string? Incomplete =>
        End != SessionEnd.TargetExited ? $"the session ended with {End}"
        : Run.Report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? "events were lost"
        : Run.Truth.End.HiccupsLost > 0 ? "the fixture's own record is not whole"
        : null;

    public static async Task<AttachedRun> OfAsync(RunPlan plan, FixtureCopy fixtures, CancellationToken cancel,
        CaptureDepth depth = CaptureDepth.Basic)
    {
        var stem = Path.Combine(fixtures.Scratch, $"{plan.Name}-{Guid.NewGuid():N}");
        var (recording, truth) = (stem + ".nettrace", stem + ".ndjson");
        await using var fixture = await FixtureProcess.StartAsync(
            fixtures.Command(plan), [.. plan.Words, "--truth", truth], plan.Processors, cancel);
        if (plan.LateMs is { } late)
        {
            await fixture.BeginAsync();
            await Task.Delay(late, cancel);
        }

        await using var watch = await ThreadPoolWatch.AttachAsync(
            fixture.Pid, new WatchOptions { RecordTo = recording, Depth = depth }, cancel);
        var deliveries = new DeliveryLog(recording);
        if (plan.LateMs is null)
        {
            while (watch.Report().Timeline.CounterSamples.IsEmpty)
                await Task.Delay(HeartbeatPoll, cancel);
            await fixture.BeginAsync();
        }

        var readings = await WatchAsync(watch, cancel);
        var delivered = deliveries.Stop();
        await fixture.ExitAsync(cancel);
        using var text = File.OpenText(truth);
        return new(plan, new(watch.Report(), TruthReader.Read(text)), readings, delivered, recording, await watch.Completion);
    }

    static async Task<ImmutableArray<Reading>> WatchAsync(ThreadPoolWatch watch, CancellationToken cancel)
    {
        var readings = ImmutableArray.CreateBuilder<Reading>();
        while (!watch.Completion.IsCompleted)
        {
            await Task.WhenAny(watch.Completion, Task.Delay(LookEvery, cancel));
            cancel.ThrowIfCancellationRequested();
            // On Linux the stopwatch is the clock of the events.
            var (at, forecast) = (new EventTime(Stopwatch.GetTimestamp()), watch.Report().Forecast);
            if (forecast is not null)
                readings.Add(new(at, forecast));
        }

        return readings.ToImmutable();
    }
}

/// <summary>
/// When how much of a stream had come, from the outside: the length of the recording, which is written as it is read, looked at every few
/// milliseconds from a thread of its own.
/// </summary>
sealed class DeliveryLog
{
    const int LookMs = 4;

    readonly List<Delivery> seen = [];
    readonly string file;
    readonly Thread thread;
    volatile bool stopped;

    public DeliveryLog(string file)
    {
        this.file = file;
        thread = new(Watch) { IsBackground = true };
        thread.Start();
    }

    /// <summary>Ends the log; the last entry is the whole stream.</summary>
    public ImmutableArray<Delivery> Stop()
    {
        stopped = true;
        thread.Join();
        Look();
        return [.. seen];
    }

    void Watch()
    {
        for (; !stopped; Thread.Sleep(LookMs))
            Look();
    }

    void Look()
    {
        var bytes = new FileInfo(file).Length;
        if (bytes > (seen.Count > 0 ? seen[^1].Bytes : 0))
            seen.Add(new(bytes, new(Stopwatch.GetTimestamp())));
    }
}
