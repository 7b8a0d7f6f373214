using System.Collections.Immutable;
using Tpwatch.Events.Facts;

namespace Tpwatch.Explain.Gaps;

/// <summary>Whether a wait for a worker was as long as the runtime's rule says.</summary>
public enum GapVerdict
{
    /// <summary>At a moment the rule allows, and no earlier moment had to be used.</summary>
    Fits,

    /// <summary>Before the first allowed moment.</summary>
    Early,

    /// <summary>After an allowed moment, outside all of them.</summary>
    Late,

    /// <summary>No known rule explains it.</summary>
    NoRule,

    /// <summary>Events were lost inside; not judged.</summary>
    NoData,

    /// <summary>The rule has no clock (hill climbing), or the clock's phase is not known yet.</summary>
    NotTimed,

    /// <summary>It still lasts.</summary>
    Open,
}

/// <summary>How an end of a gap, or a tick inside it, is known.</summary>
public enum Basis
{
    /// <summary>An event says it.</summary>
    Observed,

    /// <summary>It follows from events and the runtime's rules.</summary>
    Inferred,

    /// <summary>It is not known.</summary>
    Unknown,
}

/// <summary>The rules of the runtime that make a worker come or not come; the codes are stable.</summary>
public enum GapRule
{
    /// <summary>No rule.</summary>
    None = -1,

    /// <summary>Below the goal a worker is created on demand.</summary>
    G0Ramp = 0,

    /// <summary>The gate adds one worker at a tick that finds nothing dequeued for more than 500 ms.</summary>
    G1GateTick = 1,

    /// <summary>The same with the processors busy: goal × 1 s.</summary>
    G2CpuThrottle = 2,

    /// <summary>Silent starvation: completions keep the detector asleep while items wait.</summary>
    G3Silent = 3,

    /// <summary>Compensation for task waits, one worker a step of 25 to 250 ms.</summary>
    G4CooperativeStep = 4,

    /// <summary>Compensation for task waits within the free budget: at once.</summary>
    G5CooperativeJump = 5,

    /// <summary>Memory counts as high, so task waits get no compensation and the gate's ticks take over.</summary>
    G6MemoryVeto = 6,

    /// <summary>Task waits get no compensation, since a goal raised before for other blocking counts against it.</summary>
    G7Debt = 7,

    /// <summary>Max workers reached.</summary>
    G8Ceiling = 8,

    /// <summary>The starvation detection is switched off: no rule adds a worker for blocking that the pool cannot see.</summary>
    G9DetectorOff = 9,

    /// <summary>The goal rose and no worker followed: an idle one took the work, or no request was open.</summary>
    G10GoalOnly = 10,

    /// <summary>Hill climbing moved the goal: no wait, no clock.</summary>
    G11Probing = 11,

    /// <summary>The process itself did not run: suspended for garbage collection, stopped, throttled, or without a processor.</summary>
    G12NotRunning = 12,

    /// <summary>The operating system took long to start the thread.</summary>
    G13SlowThread = 13,

    /// <summary>Items wait, nothing is dequeued and nothing added although a rule should have: a request was lost.</summary>
    G14Wedged = 14,

    /// <summary>Workers ended for idleness and are needed again.</summary>
    G15TimeoutChurn = 15,
}

/// <summary>A moment at which the rule allows the injection, milliseconds after the gap's start; at most 20 ms wide where ticks are known.</summary>
public readonly record struct GapWindow(double MinMs, double MaxMs);

/// <summary>What the gate saw at one tick inside a gap.</summary>
/// <param name="At">Event time.</param>
/// <param name="SinceDequeueMs">Time since the last dequeue as the runtime's coarse clock counts it, milliseconds; null when unknown.</param>
/// <param name="Cpu">Share of all processors around the tick, 0 to 1; null when unknown.</param>
/// <param name="Fired">Whether this tick injected.</param>
/// <param name="Why">The rule with its numbers, a few words.</param>
/// <param name="Sure">Whether the explanation survives a shift of the tick by 0.2 ms.</param>
/// <param name="Basis">Observed for the tick that injected, inferred for the others.</param>
public sealed record GateTick(EventTime At, double? SinceDequeueMs, double? Cpu, bool Fired, string Why, bool Sure, Basis Basis)
{
    /// <summary>What the rule says of this tick: that it injects, or not; null where something was missing to say.</summary>
    public bool? Answer { get; init; }
}

/// <summary>One wait for a worker: observed, allowed, and why.</summary>
public sealed record Gap
{
    /// <summary>Number of the gap in the capture, from 1; stable once the gap has closed.</summary>
    public required int Number { get; init; }

    /// <summary>Last known moment of progress; null when unknown.</summary>
    public EventTime? Start { get; init; }

    /// <summary>How <see cref="Start"/> is known.</summary>
    public required Basis StartBasis { get; init; }

    /// <summary>The injection or dequeue that ended it; for an open gap the newest event.</summary>
    public required EventTime End { get; init; }

    /// <summary>How <see cref="End"/> is known.</summary>
    public required Basis EndBasis { get; init; }

    /// <summary>The adjustment's reason, or null where no adjustment belongs to the wait.</summary>
    public AdjustmentReason? Reason { get; init; }

    /// <summary>Goal before.</summary>
    public int? GoalBefore { get; init; }

    /// <summary>Goal after.</summary>
    public int? GoalAfter { get; init; }

    /// <summary>The wait, milliseconds; null when its start is unknown.</summary>
    public double? ObservedMs => Start is { } start ? End.MsSince(start) : null;

    /// <summary>The moments that the rule allows.</summary>
    public ImmutableArray<GapWindow> Windows { get; init; } = [];

    /// <summary>What the gate saw at each tick inside.</summary>
    public ImmutableArray<GateTick> Ticks { get; init; } = [];

    /// <summary>The judgement.</summary>
    public required GapVerdict Verdict { get; init; }

    /// <summary>The rule that explains it.</summary>
    public required GapRule Rule { get; init; }

    /// <summary>
    /// A further rule that bears on this wait and is told in <see cref="Because"/>: one that is suspected but not certain (G6, G7, G14), or what
    /// came of the wait (G10, G15). Null where there is none.
    /// </summary>
    public GapRule? Also { get; init; }

    /// <summary>
    /// Whether somebody may have waited: not where hill climbing moved the goal, task waits gave their compensation back, or an idle worker ended.
    /// </summary>
    public bool IsWait => Reason switch
    {
        null => true,
        AdjustmentReason.CooperativeBlocking => GoalBefore is null || GoalAfter > GoalBefore,
        AdjustmentReason.Starvation => true,
        { } other => !Enum.IsDefined(other),
    };

    /// <summary>Whether a rule explains it or bears on it.</summary>
    public bool IsBy(GapRule rule) => Rule == rule || Also == rule;

    /// <summary>One sentence with the numbers.</summary>
    public required string Because { get; init; }

    /// <summary>Share of all processors over the gap, 0 to 1; null when unknown.</summary>
    public double? Cpu { get; init; }

    /// <summary>Items that waited at the last heartbeat before the end; null when unknown.</summary>
    public long? Backlog { get; init; }
}
