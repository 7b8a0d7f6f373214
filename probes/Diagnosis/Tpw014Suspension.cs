using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Finds times at which the process itself did not run: suspended, stopped, throttled or without a processor.</summary>
sealed class Tpw014Suspension : IFindingRule
{
    /// <summary>Minimum share of the capture for stops to be reported; normal garbage collections take less.</summary>
    const double WorthNotingShare = 0.02;

    /// <summary>
    /// Minimum length of a reported stop, milliseconds: a stop as long as the period of the gate thread looks like a missing gate check.
    /// </summary>
    const double WorthNotingMs = 500;

    /// <summary>Minimum share of the capture for stops to be the most urgent problem.</summary>
    const double SeriousShare = 0.4;

    /// <summary>Minimum length of a stop to be the most urgent problem, milliseconds: callers may have given up.</summary>
    const double SeriousMs = 5000;

    /// <summary>
    /// Minimum excess of a sample's interval over the median interval to show a stop, milliseconds. Busy machines cause a smaller excess.
    /// </summary>
    const double HoleMs = 1500;

    /// <summary>The cause in words when threads only waited for a processor while other threads of the process ran.</summary>
    const string CpuContention = "threads of the process waited for a processor";

    public string Id => "TPW014";
    public string Title => "The process itself did not always run";

    public FindingMeaning Text { get; } = new(
        "While the process is suspended for a garbage collection, stopped or throttled, none of its threads runs.",
        "Items then wait, however many worker threads there are. A signal, a debugger or a paused container stops a process. A used-up "
            + "processor quota throttles the process. Threads that find no free processor are late in the same way.",
        "Evidence from outside the pool: suspension events, the state of the process, throttled time, waits for a processor.",
        "Fix what stops the process: garbage collections, a quota, other processes, a debugger. More worker threads would not run either.",
        "tpwatch knows throttled time, and time spent waiting for a processor, only as totals over an interval. The totals may include "
            + "threads outside the pool.");

    public FindingCause Cause(PoolEvidence report) =>
        new(CauseKind.Effect, Stood(report.Timeline) ? StandstillWords.Shortly(report.Timeline).Long : CpuContention);

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var timeline = report.Timeline;
        var stops = timeline.Hindrances;
        var (longest, share) = (ProcessStandstill.LongestMs(timeline), ProcessStandstill.Share(timeline));
        var waitedMs = timeline.Totals.Where(t => t.Kind == HindranceKind.ProcessorWait).Sum(t => t.Ms);
        var stood = Stood(timeline);
        if (!stood && (waitedMs / timeline.CaptureMs < ProcessStandstill.MuchShare || HasThemItself(report)))
        {
            return NotSeen(report);
        }

        var held = report.InjectionDelays.Count(g => g.Mechanism == Mechanism.G12NotRunning
            || (g.Verdict == DelayVerdict.Late && g.Start is { } start
            && stops.Any(h => h.Kind != HindranceKind.ProcessorWait && h.Span.Touches(new(start, g.End)))));
        var severity = report.Verdict == Verdict.Healthy
            || (held == 0 && report.Verdict != Verdict.NotThePool && longest < ProcessStandstill.LongMs) ? Severity.Note
            : share >= SeriousShare || longest >= SeriousMs ? Severity.Serious
            : Severity.Warning;
        return new FindingRuleAnswer.Found(new(
            Id, stood ? Title : $"{char.ToUpperInvariant(CpuContention[0])}{CpuContention[1..]}: the machine is short of processors",
            severity, Confidence.High, stops.IsEmpty ? timeline.Start : stops[0].Span.From,
            stops.IsEmpty ? timeline.Now : stops[^1].Span.To,
            stood ? $"{StandstillWords.Of(timeline)}. In that time, more threads would not have helped."
                : $"For at least {Format.Duration(waitedMs)} of {Format.Duration(timeline.CaptureMs)}, a thread of the "
                    + "process was ready but had no processor. More threads would not make a processor free sooner.",
            [
                .. StandstillWords.Kinds(timeline).Select(k => (k.Ms, Words: StandstillWords.Words(k.Kind)))
                    .Select(k => new Evidence(k.Words.Evidence, k.Ms, "ms", k.Words.Source)),
                new("Longest time in which no thread ran", longest, "ms", "hindrances"),
                new("Share of the capture in which no thread ran", share > 0 ? share * 100 : null, "%", "hindrances"),
                new("Made longer by these stops", held > 0 ? held : null, "gaps", "gap ledger"),
            ],
            [.. StandstillWords.Kinds(timeline).Where(k => k.Kind != HindranceKind.ProcessorWait ? stood
                    : !stood || k.Ms / timeline.CaptureMs >= WorthNotingShare)
                .Select(k => Mend(k.Kind, report))]));
    }

    static Remedy Mend(HindranceKind kind, PoolEvidence report) => kind switch
    {
        HindranceKind.Suspension => new(
            $"Find out why garbage collections take so long or run so often (dotnet-trace collect -p {Hints.Pid(report)} --profile "
                + "gc-verbose). Allocate less, keep fewer long-lived objects, and remove calls to GC.Collect."),
        HindranceKind.Stopped =>
            new("Find out what stopped the process: a debugger, a dump, SIGSTOP or Ctrl+Z, a paused container, a frozen virtual machine."),
        HindranceKind.Throttled =>
            new("Raise the processor limit of its container or systemd unit (resources.limits.cpu, CPUQuota), or use less processor time."),
        _ => new("If other processes use the processors, find them with top. Give this process a larger share or another machine."),
    };

    static bool Stood(TimelineSnapshot timeline) =>
        ProcessStandstill.Share(timeline) >= WorthNotingShare || ProcessStandstill.LongestMs(timeline) >= WorthNotingMs;

    // Whether the threads of the process itself keep the processors busy; another finding names the computing code.
    static bool HasThemItself(PoolEvidence report) =>
        report.Verdict == Verdict.Saturated && WaitingEpisodes.Cpu(report, report.Episodes) >= GateTiming.BusyCpu;

    static FindingRuleAnswer NotSeen(PoolEvidence report)
    {
        var hole = report.Timeline.CounterSamples.Select(b => b.IntervalMs ?? 0).ToImmutableArray();
        var usual = hole.IsEmpty ? 0 : hole.Order().ElementAt(hole.Length / 2);
        return MissingEvidence.ClearUnless(
            MissingEvidence.Events(report, "a suspension"),
            !hole.IsEmpty && hole.Max() > usual + HoleMs
                ? new(MissingKind.CounterSamples, $"no counter sample came for {Format.Duration(hole.Max())}, and nothing shows why "
                    + "(process state, garbage collections or throttling)")
                : null,
            report.Timeline.Process is null
                ? new(MissingKind.ProcessState,
                    "the state of the process was not read, so stops, throttling and waits for a processor are not known") : null);
    }
}
