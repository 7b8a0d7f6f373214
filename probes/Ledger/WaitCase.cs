using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>What is known at a heartbeat at which items wait, and which rule has them wait.</summary>
/// <param name="Beats">The heartbeats, the newest included.</param>
/// <param name="State">The pool as far as seen.</param>
/// <param name="LastRise">The last injection of the gate.</param>
/// <param name="Hindrances">What kept the process from running.</param>
sealed record WaitCase(BeatLog Beats, PoolState State, EventTime? LastRise, HindranceTracker Hindrances)
{
    /// <summary>
    /// While injections come at least so often they account for the wait: three seconds, since a single gap of the gate's rule may take
    /// three or four ticks, and a worker that comes takes an item or two before others wait as long again.
    /// </summary>
    const double InjectionsExplainMs = 3 * WaitTracker.AlarmMs;

    /// <summary>
    /// With nothing dequeued and the processors idle the gate adds a worker after at most two ticks and a clock's step, 1.05 s. Three times
    /// that is no noise.
    /// </summary>
    const double WedgedMs = 3000;

    /// <summary>One tick may fall on the edge of the half second that it asks for; two do not.</summary>
    const int TicksThatProve = 2;

    /// <summary>
    /// So many ticks owed on average go by unseen in one case of twenty thousand (e to the minus ten), if each gap's rest falls anywhere
    /// between two ticks.
    /// </summary>
    const int OwedThatProve = 10;

    /// <summary>
    /// A heartbeat a second is what counters are asked for, a little late at times: within that the mean counts as the use, milliseconds.
    /// </summary>
    const double UsualMs = 1000 + 2 * BeatLog.BeatJitterMs;

    /// <summary>The share of a wait that must be covered for the process itself to be its cause.</summary>
    const double MostOfIt = 0.5;

    public Heartbeat Beat => Beats.Last!;

    /// <summary>Workers that are known to hold an item.</summary>
    public int KnownHeld { get; init; }

    /// <summary>The highest goal so far.</summary>
    public HighestGoal Highest { get; init; }

    /// <summary>How long some item has waited at least, milliseconds: proven, or shown by a backlog that does not move.</summary>
    public double WaitedMs { get; } = Math.Max(Beats.ProvenWaitMs, Beats.StalledMs >= WedgedMs ? Beats.StalledMs : 0);

    /// <summary>From when the wait is counted: what came before the last injection is that injection's own gap.</summary>
    public EventTime Since => LastRise is { } rise && rise > Beat.At.PlusMs(-WaitedMs) ? rise : Beat.At.PlusMs(-WaitedMs);

    /// <summary>How long of it the process did not run, milliseconds.</summary>
    public double HinderedMs => HinderedSince(Since);

    /// <summary>The rule; none while nothing waits for long, or injections account for it.</summary>
    public Mechanism? Rule()
    {
        if (Beat.Backlog is not > 0 || WaitedMs < WaitTracker.AlarmMs)
        {
            return null;
        }

        if (HinderedMs > MostOfIt * Beat.At.MsSince(Since))
        {
            return Mechanism.G12NotRunning;
        }

        // Existing workers above the goal are parked; only a goal at max keeps the rules from adding one.
        if (State.Settings.Max is { } max && Beat.Workers >= max && (State.Goal ?? max) >= max)
        {
            return Mechanism.G8Ceiling;
        }

        if (IsMaxForTaskWaits && !MayBeBusy)
        {
            return Mechanism.G8Ceiling;
        }

        var quiet = LastRise is not { } at || RunSince(at) > InjectionsExplainMs;
        return !quiet || MayBeBusy ? null
            : State.Settings.DetectorDisabled ? Mechanism.G9DetectorOff
            : IsWedged && IsBelowMax ? Mechanism.G14Wedged
            : (!IsBelowMax || IsMaxHidden) && IsUnanswered ? Mechanism.G8Ceiling
            : HasNoRoom ? Mechanism.G8Ceiling
            : Beats.CompletedSince(Beat.At.PlusMs(-InjectionsExplainMs)) > 0 ? Mechanism.G3Silent
            : null;
    }

    /// <summary>Max, as far as it is known to hold: a call that set another may be among events that were lost.</summary>
    public int? Max => State.Settings.LimitsLost ? null : State.Settings.Max;

    /// <summary>
    /// Whether the processors were busy, or may have been: what is used within a longer heartbeat may have been used in one second of it.
    /// </summary>
    bool MayBeBusy => State.IsBusyAt(Beat.Cpu * Math.Max(1, (Beat.IntervalMs ?? 0) / UsualMs));

    /// <summary>Whether hill climbing shows that max is reached, where it is not visible.</summary>
    public bool HasNoRoom => State.Settings is { Max: null, NoRoomSince: not null };

    /// <summary>Whether task waits show it, where it is not visible.</summary>
    public bool IsMaxForTaskWaits => State.Settings.Max is null && Highest.IsMaxForTaskWaits;

    /// <summary>
    /// Whether max is not reached, as far as can be known. Where it is not visible, fewer workers than processors are taken for a proof:
    /// only a call that has set min below the processors before can set max there, and then those workers hold an item. Max is compared
    /// with the workers that exist, who may be more than the goal: it falls while they hold an item, and a call may have raised it unseen.
    /// </summary>
    bool IsBelowMax => Max is { } max
        ? Beat.Workers < max
        : Beat.Workers < State.Settings.Processors && KnownHeld < Math.Max(1, Beat.Workers ?? 0);

    /// <summary>Fewer workers than processors, and yet items are taken: no request is lost, so that max must be lower still.</summary>
    bool IsMaxHidden => Max is null && Beats.CompletedSince(Since) > 0;

    /// <summary>
    /// Whether the gate's condition held and nobody came: in this wait beyond doubt, or by all heartbeats since the goal was last raised
    /// to where it had not been. What hill climbing took meanwhile and the gate gave back was below max, and answered a check.
    /// </summary>
    bool IsUnanswered => Beats.HasUnanswered(TicksThatProve, EventTime.Max(LastRise ?? Since, Since))
        || Beats.OwedTicks(Top) - Highest.GivenBack - HinderedSince(Top) / GateTiming.AfterHold >= OwedThatProve;

    EventTime Top => Highest.Since ?? Beats.Beats[0].At;

    // Without a reading of the processors it may simply wait for goal x 1 s.
    bool IsWedged => Beat.Cpu is not null && Beats.StalledMs - HinderedSince(Beat.At.PlusMs(-Beats.StalledMs)) >= WedgedMs
        && (LastRise is not { } at || RunSince(at) > WedgedMs);

    /// <summary>How long the process ran since a moment: while it does not, nobody injects.</summary>
    double RunSince(EventTime at) => Beat.At.MsSince(at) - HinderedSince(at);

    double HinderedSince(EventTime at) =>
        Hindrances.MsWithin(new(at, Beat.At), HindranceKind.Stopped, HindranceKind.Suspension, HindranceKind.Throttled);
}
