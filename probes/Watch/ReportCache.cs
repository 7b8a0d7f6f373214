using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>
/// Builds the report of the newest observation on request; returns the same object until there is a new observation. For any thread.
/// </summary>
sealed class ReportCache(PoolCapture capture)
{
    volatile Made? last;
    volatile Forgotten? forgotten;

    /// <summary>The report of the observations so far.</summary>
    public PoolReport Report()
    {
        var (latest, known, before) = (capture.Latest, last, forgotten);
        if (known is null || !ReferenceEquals(known.From, latest) || !ReferenceEquals(known.Before, before))
        {
            var (timeline, ledger) = before is null
                ? (latest.Timeline, latest.Ledger)
                : HistoryReset.Before(before.Seen, latest.Timeline, latest.Ledger);
            last = known = new(latest, before, ReportBuilder.Build(timeline, ledger, latest.End, latest.Side));
        }

        return known.Report;
    }

    /// <summary>Completes when there is an observation that is not in the last report.</summary>
    public Task News => capture.OtherThan(last?.From);

    /// <summary>Leaves all observations so far out of later reports.</summary>
    public void Forget() => forgotten = new(capture.Newest.Timeline);

    sealed record Made(Observation From, Forgotten? Before, PoolReport Report);

    sealed record Forgotten(TimelineSnapshot Seen);
}

/// <summary>All folded data up to one moment; immutable. The only object that the reading thread shares with other threads.</summary>
sealed record Observation(TimelineSnapshot Timeline, LedgerSnapshot Ledger, ExtraEvidence Side, SessionEnd End)
{
    public FlightTape Tape { get; init; } = FlightTape.Empty;
}

/// <summary>
/// Holds the newest observation, written by the reading thread and read by any thread. For a consumer that prints every decision, the
/// reading thread waits until the newest observation was taken, so that a recording is read no faster than the decisions are printed.
/// </summary>
#pragma warning disable CA1001 // it lives as long as the process looks; the collector closes its handle
sealed class SnapshotExchange(Observation first)
#pragma warning restore CA1001
{
    /// <summary>
    /// Number of facts between two checks. One fact ends three injection delays or fewer, so that the untaken decisions stay below the
    /// capacity of the journal.
    /// </summary>
    const int FactsBetweenLooks = 150;

    /// <summary>Maximum number of decisions not yet taken; the journal holds a thousand.</summary>
    const int MostUntaken = 300;

    /// <summary>Interval of the waiting reader's checks for a stop; a consumer that takes the observation wakes the reader.</summary>
    static readonly TimeSpan StopSeen = TimeSpan.FromMilliseconds(100);

    readonly AutoResetEvent looked = new(false);
    volatile Observation newest = first;
    volatile Observation? taken;
    volatile Observation? awaited;
    TaskCompletionSource? waiting;
    int factsSinceLook;
    int takenUpTo;

    /// <summary>The newest observation, for consumers that do not print decisions.</summary>
    public Observation Newest => newest;

    /// <summary>Returns the newest observation and marks it as taken.</summary>
    public Observation Take()
    {
        var now = newest;
        taken = now;
        if (ReferenceEquals(now, awaited))
        {
            looked.Set();
        }

        return now;
    }

    /// <summary>Publishes an observation; called by the reading thread.</summary>
    public void Put(Observation observation)
    {
        newest = observation;
        Interlocked.Exchange(ref waiting, null)?.TrySetResult();
    }

    /// <summary>Completes when there is an observation other than <paramref name="seen"/>, so that consumers need not poll.</summary>
    public Task OtherThan(Observation? seen)
    {
        var mine = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var next = Interlocked.CompareExchange(ref waiting, mine, null) ?? mine;
        return ReferenceEquals(newest, seen) ? next.Task : Task.CompletedTask;
    }

    /// <summary>Whether <see cref="FactsBetweenLooks"/> facts have arrived since the last check; called by the reading thread.</summary>
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
    /// Publishes <paramref name="observed"/> and waits until a consumer has taken it, if many decisions are untaken. Blocks the reading
    /// thread.
    /// </summary>
    public void PutAndWait(int decision, Func<Observation> observed, Func<bool> stopped)
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
}

/// <summary>
/// The state of a pool at one time and the counts since the watch began: the data of a dashboard, without findings and drawings.
/// </summary>
/// <param name="Timeline">The timeline.</param>
/// <param name="Ledger">The ledger, without a hang that stacks or a memory reading refute.</param>
/// <param name="Forecast">The forecast; null when none was requested.</param>
/// <param name="Verdict">The current verdict: the kind of the continuing episode, otherwise that of the time since a given moment.</param>
sealed record PoolGlance(TimelineSnapshot Timeline, LedgerSnapshot Ledger, PoolForecast? Forecast, Verdict Verdict)
{
    /// <param name="seen">The newest observation.</param>
    /// <param name="since">Observations before this snapshot do not count for the verdict; null when all observations count.</param>
    /// <param name="bursts">The watch that reads hanging threads; null when there is none. Before this reading, no hang is
    /// reported.</param>
    public static PoolGlance Of(Observation seen, TimelineSnapshot? since, BurstWatch? bursts = null)
    {
        var known = bursts is { IsHangUnread: true } ? seen.Ledger.WithoutHang() : seen.Ledger;
        var stacks = BlockerAnalysis.Of(seen.Timeline, BurstPlan.MayHang(known) ? bursts?.Seen.Newest : null);
        var (timeline, ledger) = since is null ? (seen.Timeline, known) : HistoryReset.Before(since, seen.Timeline, known);
        var judged = VerdictJudgement.Now(timeline, ledger, seen.End, stacks);
        // Callers add up the episodes of the ledger, whose kinds stay; a judged kind may change while an episode continues.
        var counted = known.LastingHang is null || judged.Verdict == Verdict.Held ? known : known.WithoutHang();
        return new(seen.Timeline, counted with { MayHang = judged.MayHang }, seen.Side.Forecast, judged.Verdict);
    }
}

/// <summary>Writes the contents of the flight recorder to a recording.</summary>
static class Retained
{
    /// <summary>
    /// Writes the recording. Throws <see cref="UserErrorException"/>: nothing is retained (exit code 1), the file exists or cannot be
    /// written (3).
    /// </summary>
    public static SavedFlight Save(string path, ISession session, Observation seen, TimeSpan? counterSample)
    {
        // A complete tape equals a recording from the start; a tape without its beginning lacks the events with processors and limits.
        var target = seen.Tape.IsCut || session.Start is not null ? seen.Timeline.Target : session.Target;
        return SavedFlight.Save(path, seen.Tape, SideCarFile.Describe(target, seen.Tape.Clock) with
        {
            Source = session.Source,
            Process = [.. seen.Tape.Process.Select(SideCarProcess.Of)],
            SampleIntervalMs = counterSample?.TotalMilliseconds,
            Bursts = seen.Side.Stacks is { } stacks ? BurstPacking.Pack(stacks) : null,
            Inside = seen.Side.Stacks is { } read ? BurstPacking.PackInside(read) : null,
        });
    }
}
