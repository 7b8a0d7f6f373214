using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>
/// Builds the report of the newest observation on request. Returns the same object until there is a new observation. Thread-safe.
/// </summary>
sealed class ReportCache(MainStreamCapture capture)
{
    volatile Made? last;
    volatile TimelineSnapshot? forgotten;

    public PoolReport Report()
    {
        var (latest, known, before) = (capture.Latest, last, forgotten);
        if (known is null || !ReferenceEquals(known.From, latest) || !ReferenceEquals(known.Before, before))
        {
            var (timeline, ledger) = before is null
                ? (latest.Timeline, latest.Ledger)
                : HistoryReset.Before(before, latest.Timeline, latest.Ledger);
            last = known = new(latest, before, ReportBuilder.Build(timeline, ledger, latest.End, latest.Side));
        }

        return known.Report;
    }

    /// <summary>Completes when there is an observation that is not in the last report.</summary>
    public Task News => capture.OtherThan(last?.From);

    /// <summary>Excludes everything observed until now from later reports.</summary>
    public void Forget() => forgotten = capture.Newest.Timeline;

    sealed record Made(CaptureSnapshot From, TimelineSnapshot? Before, PoolReport Report);
}

/// <summary>An observation: the state of a capture at one time. Immutable, because several threads use it.</summary>
sealed record CaptureSnapshot(TimelineSnapshot Timeline, LedgerSnapshot Ledger, ReportInputs Side, SessionEnd End)
{
    public FlightSnapshot Tape { get; init; } = FlightSnapshot.Empty;
}

/// <summary>
/// Holds the newest observation, which the reading thread writes and any thread reads. Decisions (adjustments and injection delays) are
/// kept in a journal of limited length. So the reading thread waits for a consumer that prints all decisions.
/// </summary>
#pragma warning disable CA1001 // lives as long as the capture; the garbage collector closes the event's handle
sealed class SnapshotExchange(CaptureSnapshot first)
#pragma warning restore CA1001
{
    /// <summary>
    /// Number of facts between two checks of the journal. A fact brings at most three decisions, so the number of untaken decisions stays
    /// below the capacity of the journal.
    /// </summary>
    const int FactsBetweenLooks = 150;

    /// <summary>Number of untaken decisions at which the reading thread waits; the journal holds a thousand.</summary>
    const int MostUntaken = 300;

    /// <summary>The waiting reading thread wakes when a consumer takes the observation, or after this time to check for a stop.</summary>
    static readonly TimeSpan StopSeen = TimeSpan.FromMilliseconds(100);

    readonly AutoResetEvent looked = new(false);
    volatile CaptureSnapshot newest = first;
    volatile CaptureSnapshot? taken;
    volatile CaptureSnapshot? awaited;
    AwaitedCondition? condition;
    TaskCompletionSource? waiting;
    int factsSinceLook;
    int takenUpTo;

    /// <summary>The newest observation, for consumers that do not print every decision.</summary>
    public CaptureSnapshot Newest => newest;

    /// <summary>Returns the newest observation and marks it as taken.</summary>
    public CaptureSnapshot Take()
    {
        var now = newest;
        taken = now;
        if (ReferenceEquals(now, awaited))
        {
            looked.Set();
        }

        return now;
    }

    /// <summary>Publishes an observation. The reading thread calls this.</summary>
    public void Put(CaptureSnapshot observation)
    {
        newest = observation;
        Interlocked.Exchange(ref waiting, null)?.TrySetResult();
        if (Volatile.Read(ref condition) is { } one && one.IsMet(observation))
        {
            Interlocked.CompareExchange(ref condition, null, one);
            one.Met.TrySetResult();
        }
    }

    /// <summary>
    /// Completes at the next observation after <paramref name="seen"/> that meets a condition. The reading thread checks the condition, so
    /// that other observations wake no thread. One caller at a time.
    /// </summary>
    public Task Until(CaptureSnapshot seen, Func<CaptureSnapshot, bool> isMet)
    {
        AwaitedCondition mine = new(isMet, new(TaskCreationOptions.RunContinuationsAsynchronously));
        // A full fence: either this thread sees the newest observation, or the reading thread sees the condition.
        Interlocked.Exchange(ref condition, mine);
        return newest is { } now && !ReferenceEquals(now, seen) && isMet(now) ? Task.CompletedTask : mine.Met.Task;
    }

    /// <summary>Completes when there is a newer observation than <paramref name="seen"/>, so that consumers need not poll.</summary>
    public Task OtherThan(CaptureSnapshot? seen)
    {
        var mine = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var next = Interlocked.CompareExchange(ref waiting, mine, null) ?? mine;
        return ReferenceEquals(newest, seen) ? next.Task : Task.CompletedTask;
    }

    /// <summary>Whether <see cref="FactsBetweenLooks"/> facts have arrived since the last check. The reading thread calls this.</summary>
    public bool IsDue()
    {
        if (++factsSinceLook < FactsBetweenLooks)
        {
            return false;
        }

        factsSinceLook = 0;
        return true;
    }

    /// <summary>
    /// If at least <see cref="MostUntaken"/> decisions are untaken, publishes an observation and blocks the reading thread until a consumer
    /// takes that observation. <paramref name="decision"/> is the number of the newest decision.
    /// </summary>
    public void PutAndWait(int decision, Func<CaptureSnapshot> observed, Func<bool> stopped)
    {
        if (decision - takenUpTo < MostUntaken)
        {
            return;
        }

        takenUpTo = decision;
        var offered = observed();
        awaited = offered;
        Put(offered);
        while (!ReferenceEquals(taken, offered) && !stopped())
        {
            looked.WaitOne(StopSeen);
        }
    }

    sealed record AwaitedCondition(Func<CaptureSnapshot, bool> IsMet, TaskCompletionSource Met);
}

/// <summary>The current state of a pool and the counts since the watch began, for a dashboard. It has no findings.</summary>
/// <param name="Timeline">The timeline.</param>
/// <param name="Ledger">The ledger, without a hang that stacks or a memory reading refute.</param>
/// <param name="Forecast">The forecast; null when none was requested.</param>
/// <param name="Verdict">The kind of the current episode; without one, the verdict on the time that the caller selects.</param>
sealed record CurrentPoolState(TimelineSnapshot Timeline, LedgerSnapshot Ledger, PoolForecast? Forecast, Verdict Verdict)
{
    /// <param name="seen">The newest observation.</param>
    /// <param name="since">The verdict is on the time after this snapshot; null for the whole capture.</param>
    /// <param name="bursts">Memory readings, which confirm or refute a hang before it is reported; null when there are none.</param>
    public static CurrentPoolState Of(CaptureSnapshot seen, TimelineSnapshot? since, BurstWatch? bursts = null)
    {
        var known = bursts?.IsHangUnread(seen.Ledger) == true ? seen.Ledger.WithoutHang() : seen.Ledger;
        var stacks = BlockerAnalysis.Of(seen.Timeline, BurstPlan.MayHang(known) ? bursts?.Seen.Newest : null);
        var (timeline, ledger) = since is null ? (seen.Timeline, known) : HistoryReset.Before(since, seen.Timeline, known);
        var judged = VerdictJudgement.Now(timeline, ledger, seen.End, stacks);
        // The episodes keep the kinds from the ledger: callers add them up by kind, and a judged kind may change during an episode.
        var counted = known.LastingHang is null || judged.Verdict == Verdict.Held ? known : known.WithoutHang();
        return new(seen.Timeline, counted with { MayHang = judged.MayHang }, seen.Side.Forecast, judged.Verdict);
    }
}

static class FlightRecordingWriter
{
    /// <summary>
    /// Writes the recording. Throws <see cref="UserErrorException"/> if nothing is retained (exit code 1), or if the file exists or cannot
    /// be written (3).
    /// </summary>
    public static SavedFlight Save(string path, ISession session, CaptureSnapshot seen, TimeSpan? counterSample)
    {
        // A complete tape contains the events that state processors and limits. If its beginning is missing, the timeline has these values.
        var target = seen.Tape.IsCut || session.Start is not null ? seen.Timeline.Target : session.Target;
        return SavedFlight.Save(path, seen.Tape, SideCarFile.Describe(target, seen.Tape.Clock) with
        {
            Source = session.Source,
            Process = [.. seen.Tape.Process.Select(SideCarProcessReading.Of)],
            SampleIntervalMs = counterSample?.TotalMilliseconds,
            Bursts = seen.Side.Stacks is { } stacks ? BurstPacking.Pack(stacks) : null,
            Inside = seen.Side.Stacks is { } read ? BurstPacking.PackInside(read) : null,
        });
    }
}
