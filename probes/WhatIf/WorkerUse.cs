using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// How many workers were held by items at each moment, rebuilt from the moments that workers tell and from the heartbeats. A woken worker
/// tells nothing, but while items wait every worker up to the goal is held.
/// </summary>
sealed class WorkerUse
{
    /// <summary>Between two workers of a ramp, milliseconds; 0.1 to 0.3 on a quiet machine.</summary>
    public const double UsualRampMs = 0.25;

    /// <summary>
    /// Processor time that is no item's, a share of a processor: what a young program compiles and what watching costs. Programs whose
    /// items only slept used 0.01 to 0.03.
    /// </summary>
    const double OtherShare = 0.03;

    readonly PoolReport report;
    readonly List<(EventTime At, int By)> steps = [];
    readonly HashSet<int> awake = [];
    int woken;

    WorkerUse(PoolReport report) => this.report = report;

    int Now => awake.Count + woken;

    public static WorkerUse Of(PoolReport report)
    {
        var use = new WorkerUse(report);
        use.Rebuild();
        return use;
    }

    /// <summary>Workers held at a moment.</summary>
    public int At(EventTime at) => steps.Where(step => step.At <= at).Sum(step => step.By);

    /// <summary>Time that all workers together were held between two moments, milliseconds.</summary>
    public double HeldMs(EventTime from, EventTime to)
    {
        var (sum, held, last) = (0.0, At(from), from);
        foreach (var step in steps.Where(step => step.At > from && step.At <= to))
        {
            sum += held * step.At.MsSince(last);
            (held, last) = (held + step.By, step.At);
        }

        return sum + held * to.MsSince(last);
    }

    /// <summary>When a worker was let go last; null when none was.</summary>
    public EventTime? LastLetGo => steps.FindLastIndex(step => step.By < 0) is >= 0 and var index ? steps[index].At : null;

    /// <summary>
    /// When items began to come in a heartbeat's interval: the first worker's start, a wait that began there, or its middle.
    /// </summary>
    public static (EventTime At, bool Seen) Onset(PoolReport report, EventTime from, EventTime to)
    {
        var starts = report.Timeline.WorkerMoments.Where(m => m.Deed == WorkerDeed.Started && m.At > from && m.At <= to).Select(m => m.At);
        var waits = report.Gaps.Where(g => g.Start > from && g.Start <= to).Select(g => g.Start!.Value);
        return starts.Concat(waits).Order().Cast<EventTime?>().FirstOrDefault() is { } first
            ? (first, true)
            : (from.PlusMs(to.MsSince(from) / 2), false);
    }

    /// <summary>Processor time that items used in the whole capture, milliseconds.</summary>
    public static double ComputedMs(PoolReport report)
    {
        var processors = report.Timeline.Target.Processors.Value ?? 1;
        return report.Timeline.Heartbeats.Where(beat => beat.Cpu is { } cpu && double.IsFinite(cpu))
            .Sum(beat => Math.Max(0, beat.Cpu!.Value * processors - OtherShare) * (beat.IntervalMs ?? 0));
    }

    /// <summary>The goal at a moment; null where none was seen yet.</summary>
    public static int? GoalAt(PoolReport report, EventTime at) =>
        report.Gaps.LastOrDefault(g => g.GoalAfter is not null && g.End <= at)?.GoalAfter;

    void Rebuild()
    {
        var moments = report.Timeline.WorkerMoments;
        var next = 0;
        Heartbeat? before = null;
        foreach (var beat in report.Timeline.Heartbeats)
        {
            for (; next < moments.Length && moments[next].At <= beat.At; next++)
            {
                Take(moments[next]);
            }

            if (beat.Backlog > 0)
            {
                AllHeld(beat, before);
            }

            before = beat;
        }

        for (; next < moments.Length; next++)
        {
            Take(moments[next]);
        }

        steps.Sort((one, other) => one.At.CompareTo(other.At));
    }

    void Take(WorkerMoment moment)
    {
        if (moment.Deed == WorkerDeed.Started)
        {
            steps.AddRange(awake.Add(moment.ThreadId) ? [(moment.At, 1)] : []);
        }
        else if (awake.Remove(moment.ThreadId))
        {
            steps.Add((moment.At, -1));
        }
        else if (woken > 0)
        {
            woken--;
            steps.Add((moment.At, -1));
        }
    }

    void AllHeld(Heartbeat beat, Heartbeat? before)
    {
        var goal = GoalAt(report, beat.At) ?? int.MaxValue;
        var more = Math.Min(beat.Workers ?? 0, goal) - Now;
        if (more > 0)
        {
            var since = before is null ? beat.At : before.Backlog > 0 ? before.At : Onset(report, before.At, beat.At).At;
            woken += more;
            steps.Add((since, more));
        }
    }
}
