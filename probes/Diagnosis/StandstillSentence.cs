using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The words for hindrances that kept the process from running.</summary>
static class StandstillSentence
{
    /// <summary>The observed kinds with their sums in milliseconds: kinds that stop every thread first, then the largest first.</summary>
    public static ImmutableArray<(HindranceKind Kind, double Ms)> Kinds(TimelineSnapshot timeline) =>
        [.. Standstill.Totals(timeline).Where(t => t.Ms > 0).Select(t => (t.Kind, t.Ms))
            .OrderBy(k => k.Kind == HindranceKind.ProcessorWait).ThenByDescending(k => k.Ms)];

    /// <summary>Cause and duration: <c>The runtime suspended all threads for 9.6 s of 20.0 s, mostly for garbage collections</c>.</summary>
    public static string Of(TimelineSnapshot timeline)
    {
        var (kinds, all) = (Kinds(timeline), Standstill.CaptureMs(timeline));
        var top = kinds[0];
        var (what, cause) = top.Kind switch
        {
            HindranceKind.Suspension => ("The runtime suspended all threads", ", mostly for garbage collections"),
            HindranceKind.Stopped => ("A signal, a debugger or a paused container stopped the process", ""),
            HindranceKind.Throttled => ("The used-up processor quota of its control group throttled the process", ""),
            _ => ("A thread of the process was ready to run, but had no processor", ""),
        };
        return $"{what} for {Format.Duration(top.Ms)} of {Format.Duration(all)}{cause}";
    }

    /// <summary>Cause and duration for a line, <c>the runtime stopped all threads for 9.6 s of 20.0 s</c>, and the cause alone.</summary>
    public static (string Long, string Brief) Shortly(TimelineSnapshot timeline)
    {
        if (Kinds(timeline) is not [var top, ..])
        {
            return ("the process itself did not run", "the process did not run");
        }

        var what = top.Kind switch
        {
            HindranceKind.Suspension => "the runtime stopped all threads",
            HindranceKind.Stopped => "the process was stopped",
            HindranceKind.Throttled => "the processor quota was used up",
            _ => "threads found no free processor",
        };
        var why = top.Kind == HindranceKind.Suspension ? ", mostly for garbage collections" : "";
        return ($"{what} for {Format.Duration(top.Ms)} of {Format.Duration(Standstill.CaptureMs(timeline))}{why}", what);
    }

    public static string Phrase(HindranceKind kind) => kind switch
    {
        HindranceKind.Suspension => "Suspended by the runtime, mostly for garbage collections",
        HindranceKind.Stopped => "Stopped by a signal, debugger or paused container",
        HindranceKind.Throttled => "Throttled because the processor quota of its control group was used up",
        _ => "A thread was ready to run, but had no processor",
    };

    /// <summary>The source of the information.</summary>
    public static string Source(HindranceKind kind) => kind switch
    {
        HindranceKind.Suspension => "suspension events",
        HindranceKind.Stopped => "state of the process",
        HindranceKind.Throttled => "control group",
        _ => "scheduler statistics",
    };

    /// <summary>The remedy.</summary>
    public static Remedy Remedy(HindranceKind kind, PoolReport report) => kind switch
    {
        HindranceKind.Suspension => new(
            $"Find out why garbage collections take so long or run so often (dotnet-trace collect -p {Waits.Pid(report)} --profile "
                + "gc-verbose). Allocate less, keep fewer long-lived objects, and remove calls to GC.Collect."),
        HindranceKind.Stopped =>
            new("Find out what stopped the process: a debugger, a dump, SIGSTOP or Ctrl+Z, a paused container, a frozen virtual machine."),
        HindranceKind.Throttled =>
            new("Raise the processor limit of its container or systemd unit (resources.limits.cpu, CPUQuota), or use less processor time."),
        _ =>
            new("If other processes use the processors, find them with top. Give this process a larger share or another machine."),
    };
}
