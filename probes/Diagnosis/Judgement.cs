using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Diagnosis;

/// <summary>The verdict on a pool, and what belongs to it.</summary>
/// <param name="Verdict">The overall verdict.</param>
/// <param name="Episodes">The episodes as judged: their kinds, and a hang that only stacks or a memory reading prove.</param>
/// <param name="Since">Start of the first episode of the verdict; null when no episode decides it.</param>
/// <param name="IsNow">Whether an episode continues.</param>
/// <param name="MayHang">Number of worker threads that are idle or hang; null when there are none, or when it is known.</param>
sealed record Judgement(Verdict Verdict, ImmutableArray<StarvedEpisode> Episodes, EventTime? Since, bool IsNow, int? MayHang)
{
    /// <summary>The shortest capture that can be healthy, milliseconds: the pool's starvation detection alone needs a second.</summary>
    public const double TooShortMs = 2000;

    /// <summary>
    /// The number of counter samples below which a capture cannot show a lasting condition; each of its readings may still show one.
    /// </summary>
    const int FewSamples = 3;

    /// <summary>
    /// The share of threads blocked in the first of two bursts that must hold their item in the second one too. A smaller share would be a
    /// few long items among others that complete.
    /// </summary>
    const double MostOfThem = 0.5;

    /// <summary>The share of busy threads that must compute, when stacks are known.</summary>
    const double MostCompute = 0.5;

    /// <summary>
    /// Judges by everything that a caller has. An episode decides: the one that continues, otherwise the worst. Without one, the state of
    /// the pool decides, unless stacks or a memory reading prove that work hangs.
    /// </summary>
    public static Judgement Of(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, StackEvidence stacks)
    {
        var hasEnded = end is SessionEnd.TargetExited or SessionEnd.TargetKilled;
        var proven = WaitForWork(timeline, ledger, stacks) ? ledger.WithoutHang() : ledger;
        var told = hasEnded ? proven.Episodes.RemoveAll(e => e.Kind == Verdict.Held && e.Span.Ms < HeldTracker.WorthTellingMs)
            : proven.Episodes;
        var episodes = WithoutProcessors(timeline, ledger.InjectionDelays, told, stacks);
        if (Leading(episodes) is { Kind: var kind })
        {
            return new(kind, episodes, episodes.First(e => e.Kind == kind).Span.From, episodes.Any(e => !e.Over), proven.MayHang);
        }

        var verdict = OfState(timeline, proven);
        return HangsSince(verdict, timeline, proven.MayHang, stacks, hasEnded) is { } since
            ? new(Verdict.Held, [new(new(since, timeline.Now), Verdict.Held, Over: false, 0)], since, IsNow: true, proven.MayHang)
            : new(verdict, [], null, IsNow: false, proven.MayHang);
    }

    /// <summary>Judges this moment: an episode that is over does not count.</summary>
    public static Judgement Now(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, StackEvidence stacks) =>
        Of(timeline, ledger with { Episodes = ledger.Episodes.RemoveAll(e => e.Over) }, end, stacks);

    // The episode that continues, the one that began last if several do; otherwise the worst since the start. Of those, an episode that the
    // pool could not resolve itself has precedence; then the longer one. Null when there is none.
    static StarvedEpisode? Leading(ImmutableArray<StarvedEpisode> episodes) =>
        episodes.LastOrDefault(e => !e.Over) ?? (episodes.IsEmpty ? null : episodes.MaxBy(e => (Rank(e.Kind), e.Span.Ms)));

    static int Rank(Verdict kind) => kind switch
    {
        Verdict.NotThePool => 0,
        Verdict.Wedged => 2,
        _ => 1,
    };

    // The verdict of a pool in which no item waited and none hung, as far as the counters prove.
    static Verdict OfState(TimelineSnapshot timeline, LedgerSnapshot ledger)
    {
        // Too little data to call the pool healthy.
        var isBlind = timeline.CounterSamples.Length < 2 || timeline.Now.MsSince(timeline.Start) < TooShortMs
            || Significance.IsLossWorthTelling(timeline);
        return !isBlind && Standstill.ExplainsDelays(timeline) ? Verdict.NotThePool
            : Significance.IsWorthTelling(Compensations(ledger), timeline) ? Verdict.Compensated
            : isBlind || WaitsUnproven(timeline) || HiddenQueue.IsUnclear(timeline, ledger.MayHang) ? Verdict.Undecided
            : Verdict.Healthy;
    }

    // The times at which worker threads were added for task waits.
    static IEnumerable<EventTime> Compensations(LedgerSnapshot ledger) => ledger.InjectionDelays
        .Where(g =>
            g is { Reason: AdjustmentReason.CooperativeBlocking, Mechanism: Mechanism.G4CooperativeStep or Mechanism.G5CooperativeJump }
                && g.TargetThreadsAfter > g.TargetThreadsBefore)
        .Select(g => g.End);

    /// <summary>
    /// Whether items waited a second or more by queue length and rate, for some time or at the two newest samples, but without proof: the
    /// pool is neither healthy nor proven to starve.
    /// </summary>
    public static bool WaitsUnproven(TimelineSnapshot timeline) =>
        Lasting.Shows(timeline, SeemsToWait)
            || timeline.CounterSamples is { Length: > 0 and < FewSamples } few && few.All(SeemsToWait)
            || timeline.CounterSamples is [.., var before, var newest] && SeemsToWait(before) && SeemsToWait(newest);

    static bool SeemsToWait(CounterSample sample) => CounterSampleLog.EstimatedWaitMs(sample) >= WaitTracker.AlarmMs;

    /// <summary>
    /// The episodes, of which those with a lack of processors become saturated: items compute while other processes use the processors. The
    /// target's own use looks low then, and the pool adds threads as if the items blocked. Stacks that show other work take precedence.
    /// </summary>
    public static ImmutableArray<StarvedEpisode> WithoutProcessors(TimelineSnapshot timeline, ImmutableArray<InjectionDelay> delays,
        ImmutableArray<StarvedEpisode> episodes, StackEvidence stacks)
    {
        if (episodes.IsEmpty || timeline.Hindrances.All(h => h.Kind != HindranceKind.ProcessorWait)
            || (stacks.Blockers is { IsEmpty: false } blockers
                && blockers.Where(b => b.Kind == BlockKind.Cpu).Sum(b => b.Share) < MostCompute))
        {
            return episodes;
        }

        var record = new ProcessorRecord(timeline, delays);
        return
        [
            .. episodes.Select(e => e.Kind is Verdict.Starved or Verdict.SilentlyStarved
                && record.In(e) is { IsProven: true, IsThrottled: false } ? e with { Kind = Verdict.Saturated } : e),
        ];
    }

    // After a late attach it takes one idle timeout to distinguish hanging worker threads from idle ones. Stacks show it at once, because
    // an idle worker thread is in the pool's own wait. Loops that wait for work look like a hang until their stacks are known.
    static bool WaitForWork(TimelineSnapshot timeline, LedgerSnapshot ledger, StackEvidence stacks) =>
        stacks.Bursts is { Parked: > 0, Taken: [.., var newest] } && !(newest.At < ledger.LastingHang?.Span.From)
            && !HoldItems(timeline, stacks);

    // At least as many threads as processors hold an item that does not wait for work.
    static bool HoldItems(TimelineSnapshot timeline, StackEvidence stacks) =>
        stacks.Bursts is { Taken: [.., var newest] } bursts
            && newest.Workers - bursts.Parked >= timeline.Target.Processors.Value;

    /// <summary>
    /// Since when work hangs that hangs by stacks or a memory reading only: as many worker threads as processors wait for the locks of a
    /// deadlock; or the newest burst shows that number of busy threads that do not wait for work; or two bursts prove it, because a pool
    /// that adds a thread for each task wait makes a hang look like waits that end. Null when nothing proves it.
    /// </summary>
    static EventTime? HangsSince(Verdict verdict, TimelineSnapshot timeline, int? mayHang, StackEvidence stacks, bool hasEnded)
    {
        var processors = timeline.Target.Processors.Value;
        return verdict switch
        {
            Verdict.Healthy or Verdict.Compensated or Verdict.Undecided
                when stacks.Inside is { Deadlock: { } cycle, At: var at } && cycle.Workers >= processors
                && !hasEnded && NothingEndsSince(timeline, at) =>
                timeline.CounterSamples.LastOrDefault(b => b.At <= at && b.Completed > 0)?.At ?? timeline.Start,
            Verdict.Undecided when mayHang is not null && HoldItems(timeline, stacks)
                && timeline.Now.MsSince(timeline.Start) >= HeldTracker.HangsMs => timeline.Start,
            Verdict.Compensated or Verdict.Undecided when stacks.Bursts?.Unending is { } items
                && items.Threads >= processors && items.Threads >= MostOfThem * items.Held => items.Between.From,
            _ => null,
        };
    }

    // If the process has completed items since, a hang is not known.
    static bool NothingEndsSince(TimelineSnapshot timeline, EventTime at) =>
        timeline.CounterSamples is [.., var newest] && newest.At > at
            && timeline.CounterSamples.All(b => b.At <= at || b.Completed == 0);
}

/// <summary>
/// Detects waiting work that the queue length does not show: on Linux the runtime's socket engine keeps ready sockets in its own queue and
/// queues one pool item for all of them. If the queue is never empty and every worker thread is slow to complete its item, that one item
/// may stand for a hundred requests.
/// </summary>
static class HiddenQueue
{
    /// <summary>
    /// Completed items per worker thread and second; above this rate worker threads are free again soon, and a ready socket is served.
    /// </summary>
    const double FewASecond = 2;

    /// <summary>Whether such work may exist: several counter samples in a row have a queue while few items complete.</summary>
    public static bool MayBe(PoolEvidence report) =>
        report.Timeline.Target.Os is null or "Linux" or "linux" && Lasting.Shows(report.Timeline, IsSlow);

    /// <summary>
    /// Whether it may exist now, on any system: every reading has a queued item, so every worker thread has one, and few complete. This
    /// needs no proven wait: if each second brings as many items as complete, the queue stays short, whatever holds the worker threads.
    /// </summary>
    public static bool IsNow(TimelineSnapshot timeline) => Lasting.ShowsLately(timeline, IsSlow);

    /// <summary>
    /// Whether counters alone do not decide the state of the pool but stacks would: such work may exist now, items wait for nearly as long
    /// as in starvation, or worker threads are idle or hang.
    /// </summary>
    public static bool IsUnclear(TimelineSnapshot timeline, int? mayHang) =>
        mayHang is not null || IsNow(timeline) || Borderline.WaitMs(timeline) is not null;

    static bool IsSlow(CounterSample sample) =>
        sample is { QueueLength: > 0, Workers: > 0 and { } workers, Completed: { } done, IntervalMs: > 0 and { } interval }
        && done * 1000 / interval < FewASecond * workers;
}

/// <summary>Injections by the gate thread alongside blocking compensation: evidence from both kinds of adjustment.</summary>
static class StandingCompensation
{
    /// <summary>The injections by the gate thread while items waited.</summary>
    public static ImmutableArray<InjectionDelay> Injections(PoolEvidence report) =>
        [.. report.InjectionDelays.Where(g => g is { Reason: AdjustmentReason.Starvation, QueueLength: null or > 0 })];

    /// <summary>
    /// The injections at which task waits still continued: the last adjustment for task waits before them had raised the target thread
    /// count, and the end of the waits would have lowered it. The gate thread checks for starvation only when no step is pending, so the
    /// pool had either compensated every task wait that it counts or was not allowed to.
    /// </summary>
    public static ImmutableArray<InjectionDelay> InjectionsBeside(PoolEvidence report)
    {
        var side = ImmutableArray.CreateBuilder<InjectionDelay>();
        var stands = false;
        foreach (var delay in report.InjectionDelays)
        {
            stands = delay.Reason == AdjustmentReason.CooperativeBlocking ? delay.TargetThreadsAfter > delay.TargetThreadsBefore : stands;
            if (stands && delay is { Reason: AdjustmentReason.Starvation, QueueLength: null or > 0 })
            {
                side.Add(delay);
            }
        }

        return side.ToImmutable();
    }

    /// <summary>
    /// Number of rises for task waits after the first injection by the gate thread: each shows that the pool could compensate.
    /// </summary>
    public static int RisesAfterFirstInjection(PoolEvidence report) =>
        Injections(report) is [var first, ..]
            ? report.InjectionDelays.Count(g => g.Reason == AdjustmentReason.CooperativeBlocking
                && g.TargetThreadsAfter > g.TargetThreadsBefore && g.End > first.End)
            : 0;
}
