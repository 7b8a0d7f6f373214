namespace Tpwatch.Reports;

/// <summary>
/// One injection delay, or another change of the target thread count: its duration, the moments that the runtime's rules allow, and the
/// rule that explains it.
/// </summary>
public sealed record InjectionDelay
{
    /// <summary>Number of the injection delay in the capture, from 1; stable once the delay has ended.</summary>
    public required int Number { get; init; }

    /// <summary>Start of the delay, which is the last known progress of the pool; null when unknown.</summary>
    public EventTime? Start { get; init; }

    /// <summary>How <see cref="Start"/> is known.</summary>
    public required Basis StartBasis { get; init; }

    /// <summary>Time of the injection or dequeue that ended the delay, or of the newest event while the delay lasts.</summary>
    public required EventTime End { get; init; }

    /// <summary>How <see cref="End"/> is known.</summary>
    public required Basis EndBasis { get; init; }

    /// <summary>The reason of the thread count adjustment; null if no adjustment belongs to the delay.</summary>
    public AdjustmentReason? Reason { get; init; }

    /// <summary>Target thread count before the adjustment.</summary>
    public int? TargetThreadsBefore { get; init; }

    /// <summary>Target thread count after the adjustment.</summary>
    public int? TargetThreadsAfter { get; init; }

    /// <summary>The length of the injection delay, milliseconds; null when its start is unknown.</summary>
    public double? ObservedMs => Start is { } start ? Math.Max(0, End.MsSince(start)) : null;

    /// <summary>The time ranges in which the rule allows an injection.</summary>
    public ImmutableArray<DelayWindow> Windows { get; init; } = [];

    /// <summary>How long after the last passed window the delay ended, milliseconds; null if no window had passed.</summary>
    internal double? LateMs => ObservedMs - Windows.Where(w => w.MaxMs < ObservedMs).Select(w => (double?)w.MaxMs).Max();

    /// <summary>The gate checks during the delay.</summary>
    public ImmutableArray<GateCheck> Ticks { get; init; } = [];

    /// <summary>How the delay compares with the runtime's rules.</summary>
    public required DelayVerdict Verdict { get; init; }

    /// <summary>The rule that explains the delay.</summary>
    public required Mechanism Mechanism { get; init; }

    /// <summary>
    /// A second rule that <see cref="Because"/> names for this delay: a suspected rule (G6, G7, G14), or a rule that describes what
    /// followed (G10, G15). Null if there is no second rule.
    /// </summary>
    public Mechanism? Also { get; init; }

    /// <summary>
    /// Whether an item may have waited during the delay: false if hill climbing changed the target thread count, blocking compensation was
    /// withdrawn, or an idle worker thread ended.
    /// </summary>
    public bool IsWait => Reason switch
    {
        null => true,
        AdjustmentReason.CooperativeBlocking => TargetThreadsBefore is null || TargetThreadsAfter > TargetThreadsBefore,
        AdjustmentReason.Starvation => true,
        { } other => !Enum.IsDefined(other),
    };

    /// <summary>Whether the gate thread raised the target thread count, for starvation or for task waits.</summary>
    internal bool IsInjection => Reason == AdjustmentReason.Starvation || IsCompensation;

    /// <summary>Whether the target thread count was raised for task waits.</summary>
    internal bool IsCompensation => Reason == AdjustmentReason.CooperativeBlocking && TargetThreadsAfter > TargetThreadsBefore;

    /// <summary>Whether a rule is the <see cref="Mechanism"/> or the second rule (<see cref="Also"/>) of this delay.</summary>
    public bool IsBy(Mechanism rule) => Mechanism == rule || Also == rule;

    /// <summary>The explanation in one or more sentences, with the numbers.</summary>
    public required string Because { get; init; }

    /// <summary>Share of all processors in use during the delay, 0 to 1; null when unknown.</summary>
    public double? Cpu { get; init; }

    /// <summary>Queue length at the last counter sample before the end of the delay; null when unknown.</summary>
    public long? QueueLength { get; init; }

    /// <summary>Whether hill climbing changed the target thread count (reasons 0 to 5).</summary>
    internal bool IsClimbing => Reason is <= AdjustmentReason.Stabilizing;
}

/// <summary>How the length of an injection delay compares with the runtime's rule.</summary>
public enum DelayVerdict
{
    /// <summary>As expected: the delay ended at a moment that the rule allows, and the rule required no earlier injection.</summary>
    AsExpected,

    /// <summary>The delay ended before the first allowed moment.</summary>
    Early,

    /// <summary>The delay ended after an allowed time range had passed, and not within a later allowed range.</summary>
    Late,

    /// <summary>No known rule explains the delay.</summary>
    NoRule,

    /// <summary>Not judged, because events were lost during the delay.</summary>
    NoData,

    /// <summary>The rule determines no time (hill climbing), or the data to compute that time is missing.</summary>
    NotTimed,

    /// <summary>The delay has not ended.</summary>
    Open,
}

/// <summary>How the start or the end of an injection delay, or the time of a gate check, is known.</summary>
public enum Basis
{
    /// <summary>From an event.</summary>
    Observed,

    /// <summary>From events and the runtime's rules.</summary>
    Inferred,

    /// <summary>Not known.</summary>
    Unknown,
}

/// <summary>
/// Why the pool changed its target thread count; the runtime's own names and numbers (ThreadPoolWorkerThreadAdjustment, field Reason).
/// </summary>
public enum AdjustmentReason
{
    /// <summary>Hill climbing has too few samples.</summary>
    Warmup = 0,

    /// <summary>Hill climbing starts again, because another rule changed the target thread count.</summary>
    Initializing = 1,

    /// <summary>Hill climbing; the current algorithm does not report this reason.</summary>
    RandomMove = 2,

    /// <summary>Hill climbing follows the slope of throughput.</summary>
    ClimbingMove = 3,

    /// <summary>Hill climbing; the current algorithm does not report this reason.</summary>
    ChangePoint = 4,

    /// <summary>Hill climbing stabilizes.</summary>
    Stabilizing = 5,

    /// <summary>The gate thread found work items queued and none dequeued for too long.</summary>
    Starvation = 6,

    /// <summary>An idle worker thread reached its timeout and ended.</summary>
    ThreadTimedOut = 7,

    /// <summary>Blocking compensation (.NET 6 and later): worker threads began or stopped waiting for tasks.</summary>
    CooperativeBlocking = 8,
}

/// <summary>The rule of the runtime that explains why a worker thread was added or not; the numbers are stable.</summary>
public enum Mechanism
{
    /// <summary>No rule.</summary>
    None = -1,

    /// <summary>Below the target thread count, the pool creates a worker thread on demand.</summary>
    G0Ramp = 0,

    /// <summary>The gate check adds one thread if no item was dequeued for more than 500 ms.</summary>
    G1GateTick = 1,

    /// <summary>With busy processors, the gate check adds one thread if no item was dequeued for target thread count × 1 s.</summary>
    G2CpuThrottle = 2,

    /// <summary>Undetected starvation: items wait, but others are dequeued too often for starvation detection to trigger.</summary>
    G3Undetected = 3,

    /// <summary>Blocking compensation for task waits that adds threads one by one, each after a delay of 25 to 250 ms.</summary>
    G4CooperativeStep = 4,

    /// <summary>Blocking compensation for task waits that adds threads without delay, up to a limit.</summary>
    G5CooperativeJump = 5,

    /// <summary>Memory use counts as high, so the pool does not compensate for task waits; only gate checks add threads.</summary>
    G6MemoryVeto = 6,

    /// <summary>
    /// The pool does not compensate for task waits, because it had already raised the target thread count for other blocking.
    /// </summary>
    G7Debt = 7,

    /// <summary>The number of worker threads has reached MaxThreads.</summary>
    G8Ceiling = 8,

    /// <summary>Starvation detection is switched off: no rule adds threads for blocking that the pool cannot detect.</summary>
    G9DetectorOff = 9,

    /// <summary>The target thread count rose without a new thread: an idle thread took the work, or no thread was requested.</summary>
    G10GoalOnly = 10,

    /// <summary>Hill climbing changed the target thread count; no item waited for this change, and no rule determines its moment.</summary>
    G11Probing = 11,

    /// <summary>The process itself did not run: suspended for garbage collection, stopped, throttled, or without a processor.</summary>
    G12NotRunning = 12,

    /// <summary>The operating system took long to start the thread.</summary>
    G13SlowThread = 13,

    /// <summary>Items wait, none is dequeued, and no thread is added although a rule requires one: a thread request was lost.</summary>
    G14Wedged = 14,

    /// <summary>Worker threads ended after their idle timeout and are needed again.</summary>
    G15TimeoutChurn = 15,
}

/// <summary>
/// A time range in which the rule allows the injection, in milliseconds after the start of the injection delay. The range is at most 20 ms
/// wide if the times of the gate checks are known.
/// </summary>
public readonly record struct DelayWindow(double MinMs, double MaxMs);

/// <summary>One gate check during an injection delay.</summary>
/// <param name="At">Event time.</param>
/// <param name="SinceDequeueMs">Time since the last dequeue by the runtime's coarse clock, milliseconds; null when unknown.</param>
/// <param name="Cpu">Share of all processors in use around the gate check, 0 to 1; null when unknown.</param>
/// <param name="Fired">Whether this gate check added a thread.</param>
/// <param name="Why">Why the gate check added a thread or not, in a few words with numbers.</param>
/// <param name="Sure">Whether the explanation stays the same if the gate check is shifted by 0.2 ms.</param>
/// <param name="Basis">Observed for the gate check that added a thread, inferred for the other gate checks.</param>
public sealed record GateCheck(EventTime At, double? SinceDequeueMs, double? Cpu, bool Fired, string Why, bool Sure, Basis Basis)
{
    /// <summary>Whether the rule requires this gate check to add a thread; null if the data to decide is missing.</summary>
    public bool? Answer { get; init; }

    /// <summary>The same as <see cref="Why"/>, but as a part of a sentence and without abbreviations.</summary>
    internal string Spoken { get; init; } = Why;

    /// <summary>Whether the time since the last dequeue was certainly the only reason why this gate check added no thread.</summary>
    internal bool IsReading { get; init; }

    /// <summary>Whether <see cref="InjectionDelay.Because"/> already says why this gate check added no thread.</summary>
    internal bool IsTold { get; init; }

    /// <summary>Whether a dispatch (.NET 11 and later) instead of a dequeue resets the clock that the gate check reads.</summary>
    public bool IsByDispatch { get; init; }
}

/// <summary>Numbers of injection delays, in total and by <see cref="DelayVerdict"/>.</summary>
public sealed record DelayTally(int Total, int AsExpected, int Early, int Late, int NoRule, int NoData, int NotTimed, int Open)
{
    /// <summary>
    /// Number of the delays in <see cref="NotTimed"/> during which no item can have waited: changes by hill climbing, withdrawn
    /// compensation, and idle worker threads that ended.
    /// </summary>
    public int Moves { get; init; }

    /// <summary>Number of injection delays during which an item may have waited for a worker thread.</summary>
    public int Waits => Total - Moves;

    internal static DelayTally Of(IEnumerable<InjectionDelay> delays)
    {
        Span<int> counts = stackalloc int[Enum.GetValues<DelayVerdict>().Length];
        var (total, moves) = (0, 0);
        foreach (var delay in delays)
        {
            counts[(int)delay.Verdict]++;
            total++;
            moves += delay is { IsWait: false, Verdict: DelayVerdict.NotTimed } ? 1 : 0;
        }

        return new(
            total, counts[(int)DelayVerdict.AsExpected], counts[(int)DelayVerdict.Early],
            counts[(int)DelayVerdict.Late], counts[(int)DelayVerdict.NoRule],
            counts[(int)DelayVerdict.NoData], counts[(int)DelayVerdict.NotTimed], counts[(int)DelayVerdict.Open])
        {
            Moves = moves,
        };
    }

    internal DelayTally Plus(DelayTally other) => new(
        Total + other.Total, AsExpected + other.AsExpected, Early + other.Early, Late + other.Late, NoRule + other.NoRule,
            NoData + other.NoData,
        NotTimed + other.NotTimed, Open + other.Open)
    {
        Moves = Moves + other.Moves,
    };
}
