using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Folds facts into what was seen; <see cref="Snapshot"/> hands it out. One writer: the thread that decodes.</summary>
sealed class PoolTimeline(TargetFacts target, SessionSource source) : IFactSink
{
    readonly BucketTracker buckets = new();
    readonly HeartbeatTracker heartbeats = new();
    readonly WorkerMomentTracker moments = new();
    readonly QualityTracker quality = new();
    readonly HindranceTracker hindrances = new();
    TargetFacts target = target;
    EventTime start;
    DateTime startUtc;
    EventTime now;
    int? headerProcessors;
    int? workers;
    int? goal;
    bool compensates;
    ClockReading? clock;
    double? imposedMs;

    public void Remark(string text) => quality.Remark(text);

    public TimelineSnapshot Snapshot() => new()
    {
        Target = target,
        Source = source,
        Start = start,
        StartUtc = startUtc,
        Now = now,
        Levels = new(workers, goal, heartbeats.Last?.Backlog, RateOf(heartbeats.Last), heartbeats.Last?.Cpu),
        Buckets = buckets.Snapshot(),
        Heartbeats = heartbeats.Snapshot(),
        ImposedHeartbeatMs = imposedMs,
        WorkerMoments = moments.Snapshot(),
        Clock = clock,
        Hindrances = hindrances.Snapshot(),
        HindranceTotals = hindrances.Totals(),
        Process = hindrances.Last,
        Others = hindrances.Others,
        Quality = quality.Snapshot(now),
    };

    public void On(in StreamOpened fact)
    {
        (start, now, startUtc) = (fact.At, fact.At, fact.Utc);
        headerProcessors = fact.Processors > 0 ? fact.Processors : null;
        buckets.Open(fact.At);
    }

    public void On(in WorkerGoalChanged fact)
    {
        See(fact.At);
        compensates = fact.Reason == AdjustmentReason.CooperativeBlocking ? fact.Goal > goal : compensates;
        goal = fact.Goal;
        buckets.Goal(fact.Goal);
    }

    public void On(in WorkerStarted fact)
    {
        SeeWorkers(fact.At, fact.Existing);
        moments.Started(fact.At, fact.ThreadId);
    }

    public void On(in WorkerStopped fact)
    {
        SeeWorkers(fact.At, fact.Existing);
        moments.Ended(fact.At, fact.ThreadId);
    }

    public void On(in WorkerWaited fact)
    {
        SeeWorkers(fact.At, fact.Existing);
        moments.Slept(fact.At, fact.ThreadId);
    }

    public void On(in LimitsChanged fact)
    {
        See(fact.At);
        target = target with
        {
            MinWorkers = fact.Stand && target.MinWorkers.Value == fact.Min ? target.MinWorkers : new(fact.Min, fact.Source),
            MaxWorkers = fact.Stand && target.MaxWorkers.Value == fact.Max ? target.MaxWorkers : new(fact.Max, fact.Source),
        };
        if (!fact.Stand)
        {
            goal = fact.GoalAfter(goal, compensates);
            buckets.Goal(goal.Value);
        }
    }

    public void On(in CountersRead fact)
    {
        See(fact.At);
        var beat = heartbeats.Take(fact, target.Processors.Value ?? headerProcessors);
        if (fact.IntervalMs is { } interval)
        {
            buckets.CoverBack(fact.At.PlusMs(-interval), fact.At, (float)(RateOf(beat) ?? double.NaN), (float)(beat.Cpu ?? double.NaN));
        }

        buckets.Backlog(fact.Backlog ?? -1);
        if (fact.Workers is { } count)
        {
            Workers(count);
        }
    }

    public void On(in HeartbeatOverruled fact)
    {
        See(fact.At);
        imposedMs = fact.IntervalMs ?? imposedMs;
        quality.Remark("heartbeat: " + fact.Message);
    }

    public void On(in ProcessorsCounted fact)
    {
        See(fact.At);
        target = target with { Processors = new(fact.Count, SettingSource.Event) };
    }

    public void On(in SwitchSeen fact)
    {
        See(fact.At);
        if (fact.Name.StartsWith("System.Threading.ThreadPool.", StringComparison.Ordinal))
        {
            var setting = new PoolSetting(fact.Name, fact.On ? "true" : "false", SettingSource.Event);
            target = target with { Settings = target.Settings.Contains(setting) ? target.Settings : target.Settings.Add(setting) };
        }
    }

    public void On(in ThreadsSuspended fact)
    {
        See(fact.At);
        hindrances.Take(fact);
    }

    // Taken outside the stream: it says nothing of how far the stream is complete.
    public void On(in ProcessSampled fact) => hindrances.Take(fact.Reading);

    public void On(in ClockSeen fact) => clock = fact.Reading;

    public void On(in EventsLost fact)
    {
        var before = now;
        AdvanceTo(fact.At);
        buckets.MarkLost(before, fact.At);
        quality.Lose(before, fact.At, fact.Count);
    }

    public void On(in EventUndecodable fact)
    {
        See(fact.At);
        quality.Undecodable(fact.What);
    }

    void SeeWorkers(EventTime at, int existing)
    {
        See(at);
        Workers(existing);
    }

    void Workers(int existing)
    {
        workers = existing;
        buckets.Workers(existing);
    }

    public void See(EventTime at)
    {
        quality.Count();
        AdvanceTo(at);
    }

    void AdvanceTo(EventTime at)
    {
        // Events are sorted; a step back can only come from a broken stream and must not shorten what is known.
        now = at > now ? at : now;
        buckets.AdvanceTo(now);
    }

    static double? RateOf(Heartbeat? beat) =>
        beat is { Completed: { } completed, IntervalMs: { } interval } && interval > 0 ? completed * 1000 / interval : null;
}
