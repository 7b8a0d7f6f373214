using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Reconstructs how many worker threads items held at each time, from worker thread events and counter samples. A worker thread that wakes
/// up writes no event, but while items wait, every worker thread up to the target thread count is held.
/// </summary>
sealed class WorkerUse
{
    /// <summary>
    /// The usual time between two starts when several worker threads are created at once, milliseconds; 0.1 to 0.3 on a quiet machine.
    /// </summary>
    public const double UsualRampMs = 0.25;

    /// <summary>
    /// Processor time that belongs to no item, as a share of one processor: JIT compilation of a young program and the cost of watching.
    /// Programs whose items only slept used 0.01 to 0.03.
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

    /// <summary>Number of worker threads held at a given time.</summary>
    public int At(EventTime at) => steps.Where(step => step.At <= at).Sum(step => step.By);

    /// <summary>Total time that worker threads were held between two times, milliseconds.</summary>
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

    /// <summary>When a worker thread was last released; null when none was.</summary>
    public EventTime? LastLetGo => steps.FindLastIndex(step => step.By < 0) is >= 0 and var index ? steps[index].At : null;

    /// <summary>
    /// When items began to arrive in the interval of a counter sample: the first start of a worker thread, a wait that began there, or the
    /// middle of the interval.
    /// </summary>
    public static (EventTime At, bool Seen) StartObserved(PoolReport report, EventTime from, EventTime to)
    {
        var starts = report.Timeline.WorkerMoments.Where(m => m.Deed == WorkerAction.Started && m.At > from && m.At <= to)
            .Select(m => m.At);
        var waits = report.InjectionDelays.Where(g => g.Start > from && g.Start <= to).Select(g => g.Start!.Value);
        return starts.Concat(waits).Order().Cast<EventTime?>().FirstOrDefault() is { } first
            ? (first, true)
            : (from.PlusMs(to.MsSince(from) / 2), false);
    }

    /// <summary>Processor time that items used in the whole capture, milliseconds.</summary>
    public static double ComputedMs(PoolReport report)
    {
        var processors = report.Timeline.Target.Processors.Value ?? 1;
        return report.Timeline.CounterSamples.Where(sample => sample.Cpu is { } cpu && double.IsFinite(cpu))
            .Sum(sample => Math.Max(0, sample.Cpu!.Value * processors - OtherShare) * (sample.IntervalMs ?? 0));
    }

    /// <summary>The target thread count at a given time; null when none had been observed.</summary>
    public static int? TargetThreadsAt(PoolReport report, EventTime at) =>
        report.InjectionDelays.LastOrDefault(g => g.TargetThreadsAfter is not null && g.End <= at)?.TargetThreadsAfter;

    void Rebuild()
    {
        var moments = report.Timeline.WorkerMoments;
        var next = 0;
        CounterSample? before = null;
        foreach (var sample in report.Timeline.CounterSamples)
        {
            for (; next < moments.Length && moments[next].At <= sample.At; next++)
            {
                Take(moments[next]);
            }

            if (sample.QueueLength > 0)
            {
                AllHeld(sample, before);
            }

            before = sample;
        }

        for (; next < moments.Length; next++)
        {
            Take(moments[next]);
        }

        steps.Sort((one, other) => one.At.CompareTo(other.At));
    }

    void Take(WorkerMoment moment)
    {
        if (moment.Deed == WorkerAction.Started)
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

    void AllHeld(CounterSample sample, CounterSample? before)
    {
        var targetThreads = TargetThreadsAt(report, sample.At) ?? int.MaxValue;
        var more = Math.Min(sample.Workers ?? 0, targetThreads) - Now;
        if (more > 0)
        {
            var since = before is null ? sample.At : before.QueueLength > 0 ? before.At : StartObserved(report, before.At, sample.At).At;
            woken += more;
            steps.Add((since, more));
        }
    }
}
