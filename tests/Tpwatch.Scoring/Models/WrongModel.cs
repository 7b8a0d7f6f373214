using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Ledger;
using Tpwatch.Pool;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Scoring.Scores;

namespace Tpwatch.Scoring.Models;

/// <summary>What a model is told of the target; the truth, or something else to show that the judgement depends on it.</summary>
/// <param name="Processors">As it counts them.</param>
/// <param name="Min">Its min workers.</param>
/// <param name="OtherReason">Task waits taken for the other kind of blocking, and the other way round.</param>
readonly record struct ToldSettings(int Processors, int Min, bool OtherReason = false);

/// <summary>A recorded stream judged under settings that are told. Without a test framework, so that the scores can ask as well.</summary>
static class WrongModel
{
    /// <summary>Steps of the longest delay look alike under any numbers; only the shorter ones tell.</summary>
    const double CapMs = 250;

    static readonly DelayVerdict[] Judged = [DelayVerdict.AsExpected, DelayVerdict.Early, DelayVerdict.Late, DelayVerdict.NoRule];

    /// <summary>
    /// Of the adjustments before the longest delay that have a delay by the right numbers or by those told: how many fit. Half a set too
    /// few or too many leaves half of the delays as they are; then the workers that came at once tell it from the truth.
    /// </summary>
    public static async Task<Share> StepsAsync(string recording, ToldSettings truth, ToldSettings told)
    {
        var right = Rises(await JudgeAsync(recording, truth));
        var judged = Rises(await JudgeAsync(recording, told));
        Same(right.Keys.SequenceEqual(judged.Keys));
        var shorter = right.Values.Where(g => IsStep(g) && g.Windows[0].MaxMs < CapMs).Select(g => g.End).ToArray();
        if (shorter.Length == 0)
        {
            return default;
        }

        var last = shorter.Max();
        var steps = judged.Values.Where(g => g.End <= last && (IsStep(g) || IsStep(right[g.End]))).ToArray();
        return new(Fits(steps), steps.Length);
    }

    /// <summary>
    /// The timed gaps of one reason as their own kind, and how many of them fit as the other kind. Where the other kind has no clock it
    /// explains nothing, so what really is timed is the measure.
    /// </summary>
    public static async Task<(Share Own, Share Other)> KindsAsync(string recording, ToldSettings truth, AdjustmentReason reason)
    {
        var right = (await JudgeAsync(recording, truth)).Where(g => g.Reason == reason).ToArray();
        var moments = right.Select(g => g.End).ToHashSet();
        var wrong = (await JudgeAsync(recording, truth with { OtherReason = true }))
            .Where(g => moments.Contains(g.End) && g.Reason is not null && g.Reason != reason).ToArray();
        Same(right.Length == wrong.Length);
        var timed = right.Count(g => Judged.Contains(g.Verdict));
        return (new(Fits(right), timed), new(Fits(wrong), timed));
    }

    /// <summary>The gaps of a recording by a ledger that was told these settings.</summary>
    public static async Task<IReadOnlyList<InjectionDelay>> JudgeAsync(string recording, ToldSettings told)
    {
        await using var session = RecordedSession.Open(recording);
        var facts = session.Target with
        {
            Processors = new(told.Processors, SettingSource.Environment),
            MinWorkers = new(told.Min, SettingSource.Environment),
        };
        var ledger = new PoolLedger(facts, new PortablePolicy());
        var sink = new ChangedFacts(ledger) { Processors = told.Processors, OtherReason = told.OtherReason };
        return new EventDecoder(session, ProbeSet.ForRecording()).Decode(new(session.Events), sink)
            ? ledger.Snapshot().InjectionDelays
            : throw new InvalidOperationException("the recording is broken");
    }

    static void Same(bool same)
    {
        if (!same)
        {
            throw new InvalidOperationException("what was told changed which adjustments there are, and not only how they are judged");
        }
    }

    static SortedDictionary<EventTime, InjectionDelay> Rises(IEnumerable<InjectionDelay> delays) =>
        new(delays.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking).ToDictionary(g => g.End));

    static bool IsStep(InjectionDelay delay) => delay.Mechanism == Mechanism.G4CooperativeStep && delay.Windows.Length == 1;

    static int Fits(IEnumerable<InjectionDelay> delays) => delays.Count(g => g.Verdict == DelayVerdict.AsExpected);
}

/// <summary>Hands every fact on as it is.</summary>
abstract class PassedFacts(IFactSink inner) : IFactSink
{
    protected IFactSink Inner => inner;

    public virtual void On(in StreamOpened fact) => inner.On(fact);
    public virtual void On(in TargetThreadsChanged fact) => inner.On(fact);
    public virtual void On(in ThroughputSampled fact) => inner.On(fact);
    public virtual void On(in WorkerStarted fact) => inner.On(fact);
    public virtual void On(in WorkerStopped fact) => inner.On(fact);
    public virtual void On(in WorkerWaited fact) => inner.On(fact);
    public virtual void On(in ThreadCreated fact) => inner.On(fact);
    public virtual void On(in ThreadBegan fact) => inner.On(fact);
    public virtual void On(in LimitsChanged fact) => inner.On(fact);
    public virtual void On(in CountersRead fact) => inner.On(fact);
    public virtual void On(in IntervalOverruled fact) => inner.On(fact);
    public virtual void On(in ProcessorsCounted fact) => inner.On(fact);
    public virtual void On(in SwitchSeen fact) => inner.On(fact);
    public virtual void On(in ThreadsSuspended fact) => inner.On(fact);
    public virtual void On(in ProcessSampled fact) => inner.On(fact);
    public virtual void On(in ClockSeen fact) => inner.On(fact);
    public virtual void On(in EventsLost fact) => inner.On(fact);
    public virtual void On(in EventUndecodable fact) => inner.On(fact);
}

/// <summary>Hands facts on with something about them changed, to show that the judgement depends on it.</summary>
sealed class ChangedFacts(IFactSink inner) : PassedFacts(inner)
{
    /// <summary>What the target is made to count; null leaves it.</summary>
    public int? Processors { get; init; }

    /// <summary>Task waits told as the other kind of blocking, and the other way round.</summary>
    public bool OtherReason { get; init; }

    public override void On(in StreamOpened fact) => Inner.On(fact with { Processors = Processors ?? fact.Processors });

    public override void On(in TargetThreadsChanged fact) => Inner.On(OtherReason ? fact with { Reason = Other(fact.Reason) } : fact);

    // The limits of the target's configuration are the ones that a test sets.
    public override void On(in LimitsChanged fact)
    {
    }

    public override void On(in ProcessorsCounted fact) => Inner.On(fact with { Count = Processors ?? fact.Count });

    static AdjustmentReason Other(AdjustmentReason reason) => reason switch
    {
        AdjustmentReason.Starvation => AdjustmentReason.CooperativeBlocking,
        AdjustmentReason.CooperativeBlocking => AdjustmentReason.Starvation,
        _ => reason,
    };
}
