using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Diagnosis;

/// <summary>Builds the report from the timeline and the ledger, without its headline. Pure.</summary>
static class ReportBuilder
{
    /// <summary>The shortest capture that can be healthy, milliseconds: the pool's starvation detection alone needs a second.</summary>
    public const double TooShortMs = 2000;

    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, PoolForecast? forecast = null) =>
        Build(timeline, ledger, end, new ExtraEvidence { Forecast = forecast });

    public static PoolReport Build(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, ExtraEvidence side)
    {
        var known = Alive(end) ? side : side.OfThePast();
        var episodes = Alive(end)
            ? ledger.Episodes
            : ledger.Episodes.RemoveAll(e => e.Kind == Verdict.Held && e.Span.Ms < HeldTracker.WorthTellingMs);
        var report = new PoolReport
        {
            Timeline = timeline,
            InjectionDelays = ledger.InjectionDelays,
            Journal = ledger.Journal,
            Evicted = ledger.Evicted + ledger.DroppedEpisodes,
            Adjustments = ledger.Adjustments,
            Compensations = ledger.Compensations,
            Tally = ledger.Tally,
            Episodes = episodes,
            Verdict = WithoutEpisode(timeline, ledger),
            Headline = "",
            IsNow = episodes.Any(e => !e.Over),
            StarvedMs = episodes.Where(e => e.Kind != Verdict.Held).Sum(e => e.Span.Ms) + ledger.DroppedMs,
            MaxWorkers = ledger.MaxWorkers,
            MaxQueueLength = ledger.MaxQueueLength,
            MayHang = ledger.MayHang,
            Forecast = known.Forecast,
            Depth = side.Depth,
            WatchesRequests = side.WatchesRequests,
            SampleIntervalMs = side.SampleIntervalMs,
            End = end,
        };
        return FinderSet.Apply(HangFromStacks.In(
            CpuContention.Told(known.AddTo(report)), () => WithoutEpisode(timeline, ledger with { MayHang = null })));
    }

    /// <summary>The verdict alone: that of the continuing episode, otherwise that of the state without an episode.</summary>
    public static Verdict Now(TimelineSnapshot timeline, LedgerSnapshot ledger) =>
        CpuContention.Told(timeline, ledger.InjectionDelays, [.. ledger.Episodes.Where(e => !e.Over).TakeLast(1)]).LastOrDefault()?.Kind
            ?? WithoutEpisode(timeline, ledger);

    static bool Alive(SessionEnd end) => end is not (SessionEnd.TargetExited or SessionEnd.TargetKilled);

    static Verdict WithoutEpisode(TimelineSnapshot timeline, LedgerSnapshot ledger)
    {
        if (!IsBlind(timeline) && Standstill.ExplainsDelays(timeline))
        {
            return Verdict.NotThePool;
        }

        if (Significance.IsWorthTelling(Steps(ledger), timeline))
        {
            return Verdict.Compensated;
        }

        return IsBlind(timeline) || WaitsUnproven(timeline) || HiddenQueue.IsUnclear(timeline, ledger.MayHang)
            ? Verdict.Undecided
            : Verdict.Healthy;
    }

    /// <summary>The times at which worker threads were added for task waits.</summary>
    static IEnumerable<EventTime> Steps(LedgerSnapshot ledger) => ledger.InjectionDelays
        .Where(g =>
            g is { Reason: AdjustmentReason.CooperativeBlocking, Mechanism: Mechanism.G4CooperativeStep or Mechanism.G5CooperativeJump }
                && g.TargetThreadsAfter > g.TargetThreadsBefore)
        .Select(g => g.End);

    /// <summary>Whether the capture has too little data to call the pool healthy.</summary>
    static bool IsBlind(TimelineSnapshot timeline) =>
        timeline.CounterSamples.Length < 2 || timeline.Now.MsSince(timeline.Start) < TooShortMs
            || Significance.IsLossWorthTelling(timeline);

    /// <summary>
    /// Whether items waited a second or more by queue length and rate, for some time or at the two newest samples, but without proof: the
    /// pool is neither healthy nor proven to starve.
    /// </summary>
    internal static bool WaitsUnproven(TimelineSnapshot timeline) =>
        Lasting.Shows(timeline, SeemsToWait)
            || timeline.CounterSamples is { Length: > 0 and < FewSamples } few && few.All(SeemsToWait)
            || timeline.CounterSamples is [.., var before, var newest] && SeemsToWait(before) && SeemsToWait(newest);

    static bool SeemsToWait(CounterSample sample) => CounterSampleLog.EstimatedWaitMs(sample) >= WaitTracker.AlarmMs;

    /// <summary>
    /// The number of counter samples below which a capture cannot show a lasting condition; each of its readings may still show one.
    /// </summary>
    const int FewSamples = 3;
}

/// <summary>
/// Decides with stacks or a memory reading whether work hangs. After a late attach it takes one idle timeout to distinguish hanging worker
/// threads from idle ones; stacks show it at once, because an idle worker thread is in the pool's own wait. Loops that wait for work look
/// like a hang until their stacks are known. And if the pool adds a thread for each task wait, a hang looks like waits that end until two
/// bursts show the same threads.
/// </summary>
static class HangFromStacks
{
    /// <summary>
    /// The share of threads blocked in the first of two bursts that must hold their item in the second one too. A smaller share would be a
    /// few long items among others that complete.
    /// </summary>
    const double MostOfThem = 0.5;

    /// <summary>
    /// The report, with the verdict held if at least as many worker threads as processors wait for the locks of a deadlock; or if its
    /// newest burst shows that number of busy threads that do not wait for work; or if two bursts prove it. If the threads that seemed to
    /// hang wait for work, the verdict is <paramref name="otherwise"/>.
    /// </summary>
    public static PoolReport In(PoolReport report, Func<Verdict> otherwise)
    {
        if (report is { Inside.Deadlock: { } cycle, Verdict: Verdict.Healthy or Verdict.Compensated or Verdict.Undecided }
            && cycle.Workers >= report.Timeline.Target.Processors.Value && NothingEndsSince(report, report.Inside.At))
        {
            return Held(report, LastEnd(report, report.Inside.At));
        }

        if (report.Bursts is not { Taken: [.., var last] } bursts)
        {
            return report;
        }

        var processors = report.Timeline.Target.Processors.Value;
        var hang = Hang(last.Workers, bursts.Parked, processors);
        var parked = WaitForWork(last.Workers, bursts.Parked, processors);
        return report switch
        {
            { Verdict: Verdict.Held, Episodes: [.., { Kind: Verdict.Held, Over: false } held] } when IsParked(held) =>
                Parked(report with { Episodes = report.Episodes.Remove(held) }),
            { Verdict: Verdict.Undecided, MayHang: not null } when parked => Parked(report),
            { Verdict: Verdict.Undecided, MayHang: not null } when hang && Age(report) >= HeldTracker.HangsMs =>
                Held(report, report.Timeline.Start),
            { Verdict: Verdict.Compensated or Verdict.Undecided } when Unending(report) is { } since => Held(report, since),
            _ => report,
        };

        bool IsParked(StarvedEpisode held) => parked && last.At >= held.Span.From;

        PoolReport Parked(PoolReport seen) =>
            seen with { Verdict = otherwise(), MayHang = null, IsNow = seen.Episodes.Any(e => !e.Over), Since = null };
    }

    /// <summary>The ledger without a hang whose worker threads wait for work, for callers that need no report.</summary>
    /// <param name="ledger">The ledger.</param>
    /// <param name="stacks">The stacks of the threads.</param>
    /// <param name="processors">Processors of the target; null when unknown.</param>
    public static LedgerSnapshot In(LedgerSnapshot ledger, StacksSeen stacks, int? processors)
    {
        var lasts = Lasting(ledger);
        if ((ledger.MayHang is null && lasts is null) || stacks.Bursts is not [.., var newest] || newest.At < lasts?.Span.From)
        {
            return ledger;
        }

        var (workers, parked) = BlockerAnalysis.AtWork(newest, stacks.Own);
        return WaitForWork(workers, parked, processors) ? WithoutHang(ledger) : ledger;
    }

    /// <summary>The ledger without the continuing hang, proven or possible.</summary>
    public static LedgerSnapshot WithoutHang(LedgerSnapshot ledger) => ledger with
    {
        MayHang = null,
        Episodes = Lasting(ledger) is { } lasts ? ledger.Episodes.Remove(lasts) : ledger.Episodes,
    };

    /// <summary>The continuing hang by the counters; null when there is none.</summary>
    public static StarvedEpisode? Lasting(LedgerSnapshot ledger) =>
        ledger.Episodes is [.., { Kind: Verdict.Held, Over: false } held] ? held : null;

    // At least as many threads as processors hold an item that does not wait for work.
    static bool Hang(int workers, int parked, int? processors) => workers - parked >= processors;

    static bool WaitForWork(int workers, int parked, int? processors) => parked > 0 && !Hang(workers, parked, processors);

    // If the process has ended or has completed items since, a hang is not known.
    static bool NothingEndsSince(PoolReport report, EventTime at) => report.End is not (SessionEnd.TargetExited or SessionEnd.TargetKilled)
        && report.Timeline.CounterSamples is [.., var newest] && newest.At > at
        && report.Timeline.CounterSamples.All(b => b.At <= at || b.Completed == 0);

    // The newest counter sample until then in which an item completed.
    static EventTime LastEnd(PoolReport report, EventTime until) =>
        report.Timeline.CounterSamples.LastOrDefault(b => b.At <= until && b.Completed > 0)?.At ?? report.Timeline.Start;

    static EventTime? Unending(PoolReport report) => report.Bursts?.Unending is { } items
        && items.Threads >= report.Timeline.Target.Processors.Value && items.Threads >= MostOfThem * items.Held ? items.Between.From : null;

    static double Age(PoolReport report) => report.Timeline.Now.MsSince(report.Timeline.Start);

    static PoolReport Held(PoolReport report, EventTime since) => report with
    {
        Verdict = Verdict.Held,
        Episodes =
        [
            .. report.Episodes,
            new(new(since, report.Timeline.Now), Verdict.Held, Over: false, 0),
        ],
        Since = since,
        IsNow = true,
    };
}
