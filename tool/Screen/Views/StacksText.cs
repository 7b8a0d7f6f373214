using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>What is said where there are no stacks: what would show them, what that costs, and what can be said without.</summary>
static class StacksText
{
    const int Indent = 11;

    /// <summary>The text in lines.</summary>
    public static IEnumerable<TextLine> Lines(Scene scene, int width) =>
        Texts(scene).SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, width).Append(new("")));

    static IEnumerable<(string Label, string Text)> Texts(Scene scene)
    {
        yield return ("Known", Known(scene.Report));
        foreach (var failed in scene.Report.Bursts?.Remarks ?? [])
        {
            yield return ("Tried", failed);
        }

        var live = scene.Timeline.Source == SessionSource.Live && scene.Report.End == SessionEnd.StillOpen;
        yield return live
            ? ("Now", "Press t to take stacks here. "
                + $"Or run dotnet tpwatch report {Waits.Who(scene.Report)}: that report takes stacks while items wait.")
            : ("Next time", $"Run dotnet tpwatch report {Waits.Who(scene.Report)}: that report takes stacks while items wait.");
        yield return ("Shows", "Which call blocks each worker thread while items wait, and whether the pool can detect the call. "
            + "The pool detects waits for tasks, but not locks, semaphores, sleeps or synchronous I/O.");
        yield return ("Costs", "Nothing pauses where tpwatch may read the memory of the process. "
            + $"Elsewhere the process pauses for about {DepthPrice.BurstMs} ms, at most once every 5 s."
            + (live ? " Press t again to stop." : ""));
    }

    public static string Head(Scene scene) => scene.State.Probing
        ?? (scene.Report.Blockers is null
            ? scene.Report.Inside is null ? "No stacks were taken."
                : "The memory of the process was read; it shows no stacks."
            : "Stacks were taken, but they show no blocked worker thread.");

    // What was seen around the injections says whether the workers computed, though not where they stood.
    static string Known(PoolReport report)
    {
        var gaps = report.Gaps.Where(GapMark.IsInjection).ToList();
        var cpu = gaps.Select(g => g.Cpu).OfType<double>().Where(double.IsFinite).DefaultIfEmpty(double.NaN).Max();
        return gaps.Count == 0 && report is { IsNow: true } && report.Verdict.IsStarvation()
                ? "Items wait or hang, and the pool added no thread. Which call blocks is not known."
            : gaps.Count == 0 && report.Verdict.IsTrouble()
                ? "The pool added no thread. Which call blocked is not known: if items still wait, press t."
            : gaps.Count == 0 ? "The pool added no thread, and no item waits for long, so stacks are not needed."
            : report.Verdict == Verdict.Saturated
                ? $"{Format.Plural(gaps.Count, "thread injection")}. The worker threads compute, or are ready to run and find no free "
                    + "processor."
            : double.IsNaN(cpu) ? $"{Format.Plural(gaps.Count, "thread injection")}; the processor use at that time is not known."
            : $"{Format.Plural(gaps.Count, "thread injection")} while the process used at most {Format.Percent(cpu)} of the processors. "
                + (gaps.All(g => HardlyComputed(report, g)) ? "The worker threads hardly computed: they were blocked."
                    : "Some of the worker threads computed.");
    }

    static bool HardlyComputed(PoolReport report, Gap gap) => gap.Cpu is not { } cpu || double.IsNaN(cpu)
        || Computing.IsHardlySeen(cpu, report.Timeline.Target.Processors.Value, gap.GoalBefore ?? report.MaxWorkers);
}
