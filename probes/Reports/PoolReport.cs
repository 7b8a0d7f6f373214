using System.Diagnostics.CodeAnalysis;

namespace Tpwatch.Reports;

/// <summary>The observations and the verdict at one moment. Findings and sentences of a report are derived from them.</summary>
public record PoolEvidence
{
    internal PoolEvidence()
    {
    }

    /// <summary>The observations.</summary>
    public required TimelineSnapshot Timeline { get; init; }

    /// <summary>The injection delays and other changes of the target thread count, oldest first; an unfinished delay is last.</summary>
    public required ImmutableArray<InjectionDelay> InjectionDelays { get; init; }

    /// <summary>
    /// The newest injection delays, each as judged when the delay ended; later events do not change the judgement. The numbers of the
    /// delays are those in <see cref="InjectionDelays"/>.
    /// </summary>
    public required ImmutableArray<InjectionDelay> Journal { get; init; }

    /// <summary>Number of injection delays and episodes that were discarded to limit memory use.</summary>
    public required long Evicted { get; init; }

    /// <summary>Total number of discarded episodes, and discarded injection delays during which an item may have waited.</summary>
    internal long EvictedWaits => Evicted - Math.Max(0, Tally.Moves - DelayTally.Of(InjectionDelays).Moves);

    /// <summary>Number of thread count adjustments by reason, since the start of the capture, including discarded adjustments.</summary>
    public required ImmutableSortedDictionary<AdjustmentReason, int> Adjustments { get; init; }

    /// <summary>Number of thread count adjustments for task waits that raised the target thread count.</summary>
    internal int Compensations { get; init; }

    /// <summary>Numbers of injection delays by <see cref="DelayVerdict"/>, including discarded delays.</summary>
    public required DelayTally Tally { get; init; }

    /// <summary>Time spans in which items waited or work hung.</summary>
    public required ImmutableArray<StarvedEpisode> Episodes { get; init; }

    /// <summary>The overall verdict.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Start of the first episode of the verdict's kind; null if no episode decides the verdict.</summary>
    public EventTime? Since { get; init; }

    /// <summary>Whether the problem still lasted at the end of the capture.</summary>
    public required bool IsNow { get; init; }

    /// <summary>Total time during which items waited, milliseconds.</summary>
    public required double StarvedMs { get; init; }

    /// <summary>Largest number of worker threads seen.</summary>
    public int? MaxWorkers { get; init; }

    /// <summary>
    /// Number of worker threads that are idle or hang; after a late attach, it is not known which. Null if there are few or none.
    /// </summary>
    internal int? MayHang { get; init; }

    /// <summary>Largest queue length seen.</summary>
    public long? MaxQueueLength { get; init; }

    /// <summary>The expected next events of the pool; null if no forecast was requested.</summary>
    public PoolForecast? Forecast { get; init; }

    /// <summary>Queue time, from enqueue to dequeue; null if items were not watched.</summary>
    public Distribution? QueueDelay { get; init; }

    /// <summary>Run time, from dequeue to the end of the callback; null if items were not watched.</summary>
    public Distribution? RunTime { get; init; }

    /// <summary>
    /// Queue time and run time during and outside starvation, queue time over time, and the slowest items; null if items were not watched.
    /// </summary>
    public ItemTimes? Items { get; init; }

    /// <summary>The single items, as input of simulations with other settings; null if items were not watched.</summary>
    internal ItemSnapshot? Measured { get; init; }

    /// <summary>HTTP requests by route; null if requests were not watched, or none arrived.</summary>
    internal RequestTimes? Requests { get; init; }

    /// <summary>Whether requests are watched, even if none has arrived yet.</summary>
    internal bool WatchesRequests { get; init; }

    /// <summary>Requested interval of a live target's counter samples, milliseconds; null if unknown or none are requested.</summary>
    internal double? SampleIntervalMs { get; init; }

    /// <summary>The depth that was enabled in the target, or that the recording contains.</summary>
    public CaptureDepth Depth { get; init; }

    /// <summary>The places in the code where worker threads were sampled, largest share first; null if no stacks were taken.</summary>
    public ImmutableArray<Blocker>? Blockers { get; init; }

    /// <summary>Whether stacks were taken, even if they show no busy worker thread. If so, no text suggests taking stacks.</summary>
    internal bool WereStacksTaken => Blockers is not null;

    /// <summary>Whether stacks were taken and show busy worker threads.</summary>
    internal bool HasStacks => Blockers is { IsEmpty: false };

    /// <summary>Returns the place with the largest share, of any kind if no kinds are given; null if all shares are too small.</summary>
    internal Blocker? MainBlocker(params BlockKind[] kinds) =>
        (Blockers ?? []).FirstOrDefault(b => b.Share >= Blocker.WorthNaming && (kinds.Length == 0 || kinds.Contains(b.Kind)));

    /// <summary>The stack bursts from which <see cref="Blockers"/> was made; null if there are none.</summary>
    public StackBursts? Bursts { get; init; }

    /// <summary>The newest reading of the process's memory; null if there is none.</summary>
    public InsideReading? Inside { get; init; }

    /// <summary>Why the capture ended.</summary>
    public SessionEnd End { get; init; }
}

/// <summary>The observations and their interpretation at one moment; the input of every output format.</summary>
public sealed record PoolReport : PoolEvidence
{
    /// <summary>Creates a report; the required properties must be set.</summary>
    public PoolReport()
    {
    }

    [SetsRequiredMembers]
    internal PoolReport(PoolEvidence evidence, string headline) : base(evidence) => Headline = headline;

    /// <summary>The headline: whether the pool is the problem, since when, how bad, whether the problem is over, and what to do.</summary>
    public required string Headline { get; init; }

    /// <summary>The headline for the screen, which names keys instead of commands.</summary>
    internal string HeadlineByKey { get => field ?? Headline; init; }

    /// <summary>Why the verdict is undecided; null for other verdicts.</summary>
    internal UndecidedReason? Lack { get; init; }

    /// <summary>Whether items waited because other processes used the processors.</summary>
    internal bool IsCrowdedOut { get; init; }

    /// <summary>Whether the forecast assumes that added threads help, although threads wait for a resource of limited capacity.</summary>
    internal bool HasBottleneck { get; init; }

    /// <summary>The findings.</summary>
    public ImmutableArray<Finding> Findings { get; init; } = [];

    /// <summary>The rules that gave no result, because data to decide is missing.</summary>
    public ImmutableArray<Undecided> Undecided { get; init; } = [];

    /// <summary>The ids of the rules that were evaluated and yielded no finding.</summary>
    public ImmutableArray<string> Clear { get; init; } = [];

    /// <summary>The effects of other settings; empty if no item waited, or if no computation of such effects was requested.</summary>
    public ImmutableArray<WhatIfEffect> WhatIf { get; init; } = [];
}

/// <summary>The conclusion of a capture about the pool.</summary>
public enum Verdict
{
    /// <summary>No item waited long for a worker thread.</summary>
    Healthy,

    /// <summary>The pool added threads for task waits, items completed, and no item waited a second or longer.</summary>
    Compensated,

    /// <summary>Items waited a second or longer while processors were idle; gate checks or compensation added threads slowly.</summary>
    Starved,

    /// <summary>
    /// Items waited as in Starved, and the pool is at MaxThreads. This limit is known, or inferred from gate checks that should have added
    /// a thread and did not.
    /// </summary>
    StarvedAtMax,

    /// <summary>
    /// Undetected starvation: items waited, and the pool added no thread although below MaxThreads, because its starvation detection did
    /// not trigger or is switched off.
    /// </summary>
    SilentlyStarved,

    /// <summary>Items wait, no item is dequeued, and the pool is certainly below MaxThreads: a thread request was lost.</summary>
    Wedged,

    /// <summary>Work hangs: no item is queued, but at least as many worker threads as processors are held and complete no item.</summary>
    Held,

    /// <summary>Items waited, and the processors were busy.</summary>
    Saturated,

    /// <summary>Work was delayed by a cause outside the pool.</summary>
    NotThePool,

    /// <summary>The data of the capture is not sufficient.</summary>
    Undecided,
}

/// <summary>A time span in which items waited for a worker thread, or in which work hung.</summary>
/// <param name="Span">Start and end.</param>
/// <param name="Kind">The verdict: a kind of starvation, or Saturated; NotThePool if the process did not run for most of the span.</param>
/// <param name="Over">Whether the episode has ended.</param>
/// <param name="ProvenWaitMs">Proven lower bound of the longest queue time, milliseconds.</param>
public sealed record StarvedEpisode(EventSpan Span, Verdict Kind, bool Over, double ProvenWaitMs);

/// <summary>Why the event session of a capture ended.</summary>
public enum SessionEnd
{
    /// <summary>The session has not ended.</summary>
    StillOpen,

    /// <summary>tpwatch stopped the session in an orderly way, and all events were read.</summary>
    StoppedByUs,

    /// <summary>The target exited by itself, and the event stream says so.</summary>
    TargetExited,

    /// <summary>The event stream broke off, and the target no longer exists: killed, crashed, or ended by a signal.</summary>
    TargetKilled,

    /// <summary>The event stream broke off while the target was still running.</summary>
    StreamBroken,

    /// <summary>A recording was read to its end.</summary>
    EndOfRecording,

    /// <summary>The recording ends unexpectedly or is damaged; only the part before the damage was read.</summary>
    RecordingBroken,
}

/// <summary>The source of a capture's event stream.</summary>
public enum SessionSource
{
    /// <summary>A running process that tpwatch attached to.</summary>
    Live,

    /// <summary>A process that tpwatch launched and observed from its first instruction.</summary>
    Launched,

    /// <summary>A recording.</summary>
    Recording,
}

/// <summary>The kinds of data that tpwatch collects from the target, each with its own overhead in the target; see `--depth`.</summary>
[Flags]
public enum CaptureDepth
{
    /// <summary>The pool's own events, such as thread count adjustments, and counter samples: a few dozen events per second.</summary>
    Basic = 0,

    /// <summary>In addition to Basic, two events per work item, from which its queue time and run time follow.</summary>
    Items = 1,

    /// <summary>
    /// In addition to Basic, bursts of stack samples, and the locks that threads wait for. They show the code that holds the worker
    /// threads. Two bursts are taken at the start, and more while items wait.
    /// </summary>
    Stacks = 2,

    /// <summary>
    /// Basic depth until items have waited, or work has hung, for two seconds. Then up to three stack bursts; none in a healthy target.
    /// </summary>
    Auto = 4,

    /// <summary>
    /// In addition to Basic, two events per HTTP request of an ASP.NET Core server. They show the slow routes, and the request that a
    /// worker thread runs. Part of <see cref="Auto"/> once items have waited for some time.
    /// </summary>
    Requests = 8,

    /// <summary>
    /// In addition to Basic, memory readings. They show the queued items, what blocked threads wait for, MinThreads and MaxThreads, and do
    /// not pause the process. Two readings are taken at the start, and more while items wait. Part of <see cref="Auto"/>.
    /// </summary>
    Inside = 16,
}

/// <summary>Growth without end: the pool keeps adding threads, because task waits begin faster than they end, or never end.</summary>
/// <param name="From">Number of worker threads at the start of the observed growth.</param>
/// <param name="To">Current number of worker threads.</param>
/// <param name="Ms">Duration of the growth so far, milliseconds.</param>
/// <param name="PerSecond">Number of threads added per second in the last <see cref="LongMs"/>.</param>
readonly record struct EndlessGrowth(int From, int To, double Ms, double PerSecond)
{
    /// <summary>
    /// Minimum duration of a reported growth, milliseconds. The pool adds a thread for a task wait every 25 to 250 ms (PortableThreadPool),
    /// so the growth is over earlier if each task wait lasts only a few seconds.
    /// </summary>
    const double LongMs = 10_000;

    /// <summary>Minimum number of threads added per second in a reported growth. A slower growth needs no action on the same day.</summary>
    const double LeastPerSecond = 1;

    /// <summary>
    /// Time without an added thread after which a growth has ended, milliseconds: three counter samples at one per second.
    /// </summary>
    const double StandsMs = 3_000;

    /// <summary>The current growth; null if it has ended, is slow or shorter than 10 s, or if the verdict is not Compensated.</summary>
    public static EndlessGrowth? Of(PoolEvidence report)
    {
        var samples = report.Timeline.CounterSamples;
        if (report.Verdict != Verdict.Compensated || samples is not [.., { Workers: { } now } last])
        {
            return null;
        }

        var (first, workers, grownAt) = (samples.Length - 1, now, (EventTime?)null);
        while (first > 0 && samples[first - 1].Workers is { } before && before <= workers)
        {
            grownAt ??= before < workers ? samples[first].At : null;
            (first, workers) = (first - 1, before);
        }

        var ms = last.At.MsSince(samples[first].At);
        var ago = samples.First(b => last.At.MsSince(b.At) <= LongMs);
        var perSecond = (now - ago.Workers) * 1000.0 / last.At.MsSince(ago.At);
        return ms >= LongMs && perSecond >= LeastPerSecond && grownAt is { } at && last.At.MsSince(at) <= StandsMs
            ? new(workers, now, ms, perSecond.Value) : null;
    }
}

/// <summary>Detects a pool that reached MaxThreads while items waited. No rule then adds a thread, whatever MinThreads is.</summary>
static class AtMax
{
    /// <summary>
    /// Returns MaxThreads if it was reached. If MaxThreads is unknown and the verdict is StarvedAtMax, returns the number of worker threads
    /// instead. Otherwise null.
    /// </summary>
    public static int? Reached(PoolEvidence report) =>
        report.Timeline.Target.MaxWorkers.Value is { } max ? report.MaxWorkers >= max && report.MaxQueueLength > 0 ? max : null
        : report.Verdict == Verdict.StarvedAtMax ? report.Timeline.Levels.Workers ?? report.MaxWorkers
        : null;

    /// <summary>
    /// Whether the target thread count rose after the newest counter sample while MaxThreads is unknown. A MaxThreads inferred earlier is
    /// then in doubt until the next sample. A raise for task waits counts only if it exceeds the number of existing worker threads.
    /// </summary>
    public static bool IsInQuestion(PoolEvidence report) =>
        report.Timeline is { Target.MaxWorkers.Value: null, CounterSamples: [.., { } newest] }
        && report.InjectionDelays.Any(g => g.End > newest.At && g.TargetThreadsAfter > (g.TargetThreadsBefore ?? 0)
            && (g.Reason == AdjustmentReason.Starvation
                || (g.Reason == AdjustmentReason.CooperativeBlocking && g.TargetThreadsAfter > newest.Workers)));
}

/// <summary>Judgements for the headline that <see cref="PoolEvidence"/> does not contain.</summary>
/// <param name="Lack">Why the verdict is undecided; null for other verdicts.</param>
/// <param name="HasNotGrown">Whether all starvation injections only restored threads that hill climbing had removed.</param>
/// <param name="MayHideRequests">Whether requests may have waited although the queue length does not show them.</param>
readonly record struct HeadlineFacts(UndecidedReason? Lack, bool HasNotGrown, bool MayHideRequests);

static class ReportValues
{
    /// <summary>Whether work waits or hangs for lack of a free worker thread: the five verdicts of <c>--fail-on starvation</c>.</summary>
    public static bool IsStarvation(this Verdict verdict) =>
        verdict is Verdict.Starved or Verdict.StarvedAtMax or Verdict.SilentlyStarved or Verdict.Wedged or Verdict.Held;

    /// <summary>Whether items waited in the queue for a worker thread.</summary>
    public static bool IsWait(this Verdict verdict) => verdict.IsStarvation() && verdict != Verdict.Held;

    /// <summary>Whether work was delayed by a lack of worker threads or of processors.</summary>
    public static bool IsTrouble(this Verdict verdict) => verdict.IsStarvation() || verdict == Verdict.Saturated;

    /// <summary>Whether the target has ended. No problem in the report then continues.</summary>
    public static bool IsOfTarget(this SessionEnd end) => end is SessionEnd.TargetExited or SessionEnd.TargetKilled;

    /// <summary>Whether the depth needs a second EventPipe session from the start of the capture.</summary>
    public static bool HasSession(this CaptureDepth depth) =>
        (depth & (CaptureDepth.Items | CaptureDepth.Stacks | CaptureDepth.Requests)) != 0;

    /// <summary>The resource to assume when only the kind of the wait is known.</summary>
    public static Resource UsualResource(this BlockKind kind) => kind switch
    {
        BlockKind.Task => Resource.Task,
        BlockKind.Lock => Resource.Lock,
        BlockKind.Wait => Resource.Event,
        BlockKind.Sleep => Resource.Sleep,
        BlockKind.Io => Resource.InputOutput,
        BlockKind.Unseen => Resource.Unseen,
        BlockKind.Cpu => Resource.Processor,
        _ => Resource.Native,
    };
}
