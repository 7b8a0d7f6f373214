using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Diagnosis;

/// <summary>The verdict on a pool, and the episodes that decide the verdict.</summary>
/// <param name="Verdict">The overall verdict.</param>
/// <param name="Episodes">The episodes with their final kinds, or one hang that only stacks or a memory reading prove.</param>
/// <param name="Since">Start of the first episode of the verdict; null when no episode decides the verdict.</param>
/// <param name="IsNow">Whether the problem of the verdict continues.</param>
/// <param name="MayHang">Number of worker threads that either hang or are idle; null when there are none, or their state is known.</param>
sealed record VerdictJudgement(Verdict Verdict, ImmutableArray<StarvedEpisode> Episodes, EventTime? Since, bool IsNow, int? MayHang)
{
    /// <summary>Minimum length of a capture with the verdict Healthy, milliseconds: starvation detection alone needs a second.</summary>
    public const double TooShortMs = 2000;

    /// <summary>
    /// Minimum number of counter samples that show a lasting condition. In a shorter capture, all samples must show the condition.
    /// </summary>
    const int FewSamples = 3;

    /// <summary>
    /// Share of the threads blocked in the first of two stack bursts that must still hold the same item in the second, to prove a hang. A
    /// smaller share means a few long items among others that complete.
    /// </summary>
    const double MostOfThem = 0.5;

    /// <summary>Minimum share of stack samples in computing code for the verdict Saturated, if stacks were taken.</summary>
    const double MostCompute = 0.5;

    /// <summary>
    /// Judges a capture. An episode decides the verdict: the continuing episode, otherwise the worst. Without an episode, the state of the
    /// pool decides, unless stacks or a memory reading prove that items hang.
    /// </summary>
    public static VerdictJudgement Of(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, StackEvidence stacks)
    {
        var hasEnded = end.IsOfTarget();
        var proven = WaitForWork(timeline, ledger, stacks) ? ledger.WithoutHang() : ledger;
        var told = hasEnded ? proven.Episodes.RemoveAll(e => e.Kind == Verdict.Held && e.Span.Ms < HangTracker.WorthTellingMs)
            : proven.Episodes;
        var episodes = WithoutProcessors(timeline, ledger.InjectionDelays, told, stacks);
        if (Leading(episodes) is { Kind: var kind })
        {
            return new(kind, episodes, episodes.First(e => e.Kind == kind).Span.From, episodes.Any(e => !e.Over), proven.MayHang);
        }

        var verdict = OfState(timeline, proven);
        return HangsSince(verdict, timeline, proven.MayHang, stacks, hasEnded) is { } since
            ? new(Verdict.Held, [new(new(since, timeline.Now), Verdict.Held, hasEnded, 0)], since, !hasEnded, proven.MayHang)
            : new(verdict, [], null, IsNow: false, proven.MayHang);
    }

    /// <summary>Judges the current state: episodes that have ended do not count.</summary>
    public static VerdictJudgement Now(TimelineSnapshot timeline, LedgerSnapshot ledger, SessionEnd end, StackEvidence stacks) =>
        Of(timeline, ledger with { Episodes = ledger.Episodes.RemoveAll(e => e.Over) }, end, stacks);

    // The continuing episode, or the last of several; otherwise the worst episode of the capture. Wedged ranks above all other kinds,
    // NotThePool below; of equal rank, the longest episode counts. Null when there is none.
    static StarvedEpisode? Leading(ImmutableArray<StarvedEpisode> episodes) =>
        episodes.LastOrDefault(e => !e.Over) ?? (episodes.IsEmpty ? null : episodes.MaxBy(e => (Rank(e.Kind), e.Span.Ms)));

    static int Rank(Verdict kind) => kind switch
    {
        Verdict.NotThePool => 0,
        Verdict.Wedged => 2,
        _ => 1,
    };

    // The verdict on a pool without episodes, in which the counters prove neither waiting nor hanging items.
    static Verdict OfState(TimelineSnapshot timeline, LedgerSnapshot ledger)
    {
        // Whether there is too little data for the verdict Healthy.
        var isBlind = timeline.CounterSamples.Length < 2 || timeline.Now.MsSince(timeline.Start) < TooShortMs
            || EventRelevance.IsLossWorthTelling(timeline);
        return !isBlind && ProcessStandstill.ExplainsDelays(timeline) ? Verdict.NotThePool
            : EventRelevance.IsWorthTelling(Compensations(ledger), timeline) ? Verdict.Compensated
            : isBlind || WaitsUnproven(timeline) || HiddenQueue.IsUnclear(timeline, ledger.MayHang) ? Verdict.Undecided
            : Verdict.Healthy;
    }

    // The times at which worker threads were added for task waits.
    static IEnumerable<EventTime> Compensations(LedgerSnapshot ledger) => ledger.InjectionDelays
        .Where(g => g is { IsCompensation: true, Mechanism: Mechanism.G4CooperativeStep or Mechanism.G5CooperativeJump })
        .Select(g => g.End);

    /// <summary>
    /// Whether items seem to have waited a second or more, estimated from queue length and completion rate. Several samples in a row, the
    /// two newest, or all samples of a short capture must show such waits. The pool is then neither healthy nor proven to starve.
    /// </summary>
    public static bool WaitsUnproven(TimelineSnapshot timeline) =>
        Lasting.Shows(timeline, SeemsToWait)
            || timeline.CounterSamples is { Length: > 0 and < FewSamples } few && few.All(SeemsToWait)
            || timeline.CounterSamples is [.., var before, var newest] && SeemsToWait(before) && SeemsToWait(newest);

    static bool SeemsToWait(CounterSample sample) => CounterSampleLog.EstimatedWaitMs(sample) >= WaitTracker.AlarmMs;

    /// <summary>
    /// Returns the episodes, with starvation changed to Saturated if a lack of processors is proven. Other processes then use the
    /// processors, so the target's own use looks low, and the pool adds threads. Stacks that show blocked threads take precedence.
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

        var record = new ProcessorHistory(timeline, delays);
        return
        [
            .. episodes.Select(e => e.Kind is Verdict.Starved or Verdict.SilentlyStarved
                && record.In(e) is { IsProven: true, IsThrottled: false } ? e with { Kind = Verdict.Saturated } : e),
        ];
    }

    // Whether the threads that seem to hang only wait for work, as stacks show. After a late attach, the counters need one idle timeout to
    // tell hanging threads from idle ones. Stacks show the difference at once: idle worker threads are in the pool's own wait.
    static bool WaitForWork(TimelineSnapshot timeline, LedgerSnapshot ledger, StackEvidence stacks) =>
        stacks.Bursts is { Parked: > 0, Taken: [.., var newest] } && !(newest.At < ledger.LastingHang?.Span.From)
            && !HoldItems(timeline, stacks);

    // Whether at least as many threads as there are processors hold an item that does not wait for work.
    static bool HoldItems(TimelineSnapshot timeline, StackEvidence stacks) =>
        stacks.Bursts is { Taken: [.., var newest] } bursts && newest.Workers - bursts.Parked >= timeline.Target.Processors.Value;

    /// <summary>
    /// Start of a hang that only stacks or a memory reading prove; null without proof. Each proof needs at least as many worker threads as
    /// processors. These threads are in a deadlock, or hold items in the newest burst while no item completes, or hold the same items in
    /// two bursts. The first and the last proof also apply if the pool adds threads for task waits, which hides a hang.
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
                && timeline.Now.MsSince(timeline.Start) >= HangTracker.HangsMs => timeline.Start,
            Verdict.Compensated or Verdict.Undecided when stacks.Bursts?.Unending is { } items
                && items.Threads >= processors && items.Threads >= MostOfThem * items.Held => items.Between.From,
            _ => null,
        };
    }

    // Whether there are counter samples after the given time, and none of them reports a completed item.
    static bool NothingEndsSince(TimelineSnapshot timeline, EventTime at) =>
        timeline.CounterSamples is [.., var newest] && newest.At > at && timeline.CounterSamples.All(b => b.At <= at || b.Completed == 0);
}

/// <summary>
/// Detects hidden requests, which wait although the queue length does not show them. On Linux, the runtime's socket engine keeps ready
/// sockets in its own queue and queues one pool item for all of them. If the queue is never empty and each worker thread is slow to
/// complete its item, that one item may stand for a hundred requests.
/// </summary>
static class HiddenQueue
{
    /// <summary>
    /// Maximum number of completed items per worker thread and second for hidden requests; above it, ready sockets are served soon.
    /// </summary>
    const double FewASecond = 2;

    /// <summary>Whether hidden requests may have waited: consecutive counter samples have a queue while few items complete.</summary>
    public static bool MayBe(PoolEvidence report) =>
        report.Timeline.Target.Os is null or "Linux" or "linux" && Lasting.Shows(report.Timeline, IsSlow);

    /// <summary>
    /// Whether hidden requests may wait now, on any system: recent counter samples have a queue, so all worker threads are busy, and few
    /// items complete. No proof of a wait is needed: if as many items arrive as complete, the queue stays short whatever holds the threads.
    /// </summary>
    public static bool IsNow(TimelineSnapshot timeline) => Lasting.ShowsLately(timeline, IsSlow);

    /// <summary>
    /// Whether only stacks can decide the state of the pool. That is so if hidden requests may wait, if items wait nearly as long as in
    /// starvation, or if some worker threads either hang or are idle.
    /// </summary>
    public static bool IsUnclear(TimelineSnapshot timeline, int? mayHang) =>
        mayHang is not null || IsNow(timeline) || Borderline.WaitMs(timeline) is not null;

    static bool IsSlow(CounterSample sample) =>
        sample is { QueueLength: > 0, Workers: > 0 and { } workers, Completed: { } done, IntervalMs: > 0 and { } interval }
        && done * 1000 / interval < FewASecond * workers;
}

/// <summary>Finds starvation injections by the gate thread, and raises of the target thread count for task waits.</summary>
static class StarvationInjections
{
    /// <summary>The starvation injections by the gate thread while items waited.</summary>
    public static ImmutableArray<InjectionDelay> WhileItemsWaited(PoolEvidence report) =>
        [.. report.InjectionDelays.Where(IsWhileItemsWaited)];

    public static bool IsWhileItemsWaited(InjectionDelay delay) =>
        delay is { Reason: AdjustmentReason.Starvation, QueueLength: null or > 0 };

    /// <summary>
    /// The starvation injections while task waits continued: the last adjustment for task waits was a raise, and the end of these waits
    /// would have lowered the count again. The gate thread checks for starvation only when no compensation is pending. So the pool had
    /// compensated for every counted task wait, or was not allowed to.
    /// </summary>
    public static ImmutableArray<InjectionDelay> DuringTaskWaits(PoolEvidence report)
    {
        var side = ImmutableArray.CreateBuilder<InjectionDelay>();
        var stands = false;
        foreach (var delay in report.InjectionDelays)
        {
            stands = delay.Reason == AdjustmentReason.CooperativeBlocking ? delay.IsCompensation : stands;
            if (stands && IsWhileItemsWaited(delay))
            {
                side.Add(delay);
            }
        }

        return side.ToImmutable();
    }

    /// <summary>
    /// Number of raises for task waits after the first starvation injection; each raise shows that the pool was able to compensate.
    /// </summary>
    public static int RisesAfterFirst(PoolEvidence report) =>
        WhileItemsWaited(report) is [var first, ..] ? report.InjectionDelays.Count(g => g.IsCompensation && g.End > first.End) : 0;
}
