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
    public static string Of(TimelineSnapshot timeline) => Lasting(timeline, Words(Kinds(timeline)[0].Kind).Sentence);

    /// <summary>Cause and duration for a line, <c>the runtime stopped all threads for 9.6 s of 20.0 s</c>, and the cause alone.</summary>
    public static (string Long, string Brief) Shortly(TimelineSnapshot timeline) =>
        Kinds(timeline) is [var top, ..] && Words(top.Kind).Brief is var brief
            ? (Lasting(timeline, brief), brief) : ("the process itself did not run", "the process did not run");

    static string Lasting(TimelineSnapshot timeline, string what) =>
        $"{what} for {Format.Duration(Kinds(timeline)[0].Ms)} of {Format.Duration(Standstill.CaptureMs(timeline))}"
            + (Kinds(timeline)[0].Kind == HindranceKind.Suspension ? ", mostly for garbage collections" : "");

    /// <summary>The kind as the beginning of a sentence, in a few words, as evidence, and the source of the information.</summary>
    public static (string Sentence, string Brief, string Evidence, string Source) Words(HindranceKind kind) => kind switch
    {
        HindranceKind.Suspension => ("The runtime suspended all threads", "the runtime stopped all threads",
            "Suspended by the runtime, mostly for garbage collections", "suspension events"),
        HindranceKind.Stopped => ("A signal, a debugger or a paused container stopped the process", "the process was stopped",
            "Stopped by a signal, debugger or paused container", "state of the process"),
        HindranceKind.Throttled => (
            "The used-up processor quota of its control group throttled the process", "the processor quota was used up",
            "Throttled because the processor quota of its control group was used up", "control group"),
        _ => ("A thread of the process was ready to run, but had no processor", "threads found no free processor",
            "A thread was ready to run, but had no processor", "scheduler statistics"),
    };

    /// <summary>The remedy.</summary>
    public static Remedy Remedy(HindranceKind kind, PoolEvidence report) => kind switch
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
