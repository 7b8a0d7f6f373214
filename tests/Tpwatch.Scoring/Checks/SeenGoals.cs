using Tpwatch.Core;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Checks;

/// <summary>The most workers that the rises of the goal that were seen allow, over time.</summary>
sealed class SeenGoals
{
    /// <summary>The fixture asks the pool ten times a second, milliseconds.</summary>
    const double PollMs = 150;

    /// <summary>Later than this after it was asked for no session begins, milliseconds.</summary>
    const double LatestMs = 1000;

    readonly ImmutableArray<(EventTime At, int Most)> rises;
    readonly int beginning;

    public SeenGoals(ObservedRun run, TrueLanes lanes)
    {
        // The pool begins with as many as there are processors; a min below that takes none of them away.
        // Who attaches late finds those that are there.
        var header = run.Truth.Header;
        beginning = Math.Max(
            Math.Max(header.MinWorkers, header.Processors), run.IsLate ? lanes.AppearedBy(SwitchedOn(run)) : 0);
        var most = beginning;
        var builder = ImmutableArray.CreateBuilder<(EventTime, int)>();
        // A call that sets min raises the goal and sends no adjustment; the pool's own API tells of it up to a tenth of a second late.
        var calls = run.Truth.Pool.Select(seen => (At: ObservedRun.At(seen.At).PlusMs(-PollMs), TargetThreads: seen.Min));
        var seen = run.Report.InjectionDelays.Where(g => g.Reason is not null)
            .Select(g => (At: g.End, TargetThreads: g.TargetThreadsAfter ?? 0));
        foreach (var (at, targetThreads) in calls.Concat(seen).OrderBy(rise => rise.At))
        {
            most = Math.Max(most, targetThreads);
            builder.Add((at, most));
        }

        rises = builder.ToImmutable();
    }

    // On a crowded machine a session takes its time to begin; its first event shows that it has.
    static EventTime SwitchedOn(ObservedRun run)
    {
        var (soon, late) = (run.From.PlusMs(ObservedRun.SwitchedOnMs), run.From.PlusMs(LatestMs));
        return run.Report.InjectionDelays.FirstOrDefault(g => g.Reason is not null) is { } first && first.End > soon
            ? first.End < late ? first.End : late
            : soon;
    }

    /// <summary>The highest goal up to a moment.</summary>
    public int MostBy(EventTime at)
    {
        var (low, high) = (0, rises.Length);
        while (low < high)
        {
            var middle = (low + high) / 2;
            (low, high) = rises[middle].At <= at ? (middle + 1, high) : (low, middle);
        }

        return low == 0 ? beginning : rises[low - 1].Most;
    }
}
