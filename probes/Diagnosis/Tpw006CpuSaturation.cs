using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>Finds items that wait because the processors are busy: more worker threads would only share the same processors.</summary>
sealed class Tpw006CpuSaturation : IFindingRule
{
    public string Id => "TPW006";
    public string Title => "CPU saturation: work items wait for processors";

    public FindingMeaning Text { get; } = new(
        "The worker threads compute, or are ready to run and wait for a processor.",
        "From 80% processor use on, the pool adds threads much more slowly. Except on Windows, the pool sees low processor use if other "
            + "processes use the processors. A quota has the same effect. Then the pool adds threads, but more threads do not help.",
        "Processor use from the counter samples, and how long threads waited for a processor or were throttled.",
        "Find the code that uses the processors and make it cheaper, or give the process more processors. More threads would make every "
            + "item slower.",
        "A short computation that uses all processors on purpose while no request waits.");

    public FindingCause Cause(PoolEvidence report) => new(CauseKind.NoProcessor, "no processor free for the worker threads");

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        var lack = ProcessorLack.Of(report);
        return lack.IsProven || report.Episodes.Any(e => e.Kind == Verdict.Saturated)
            ? new FindingRuleAnswer.Found(Describe(report, ProcessorLack.Told(report), lack))
            : MissingEvidence.ClearUnless(
                MissingEvidence.CounterSamples(report),
                !report.Episodes.IsEmpty && WaitingEpisodes.Cpu(report, report.Episodes) is null
                    ? new(MissingKind.CounterSamples, "processor use while items waited is not known") : null,
                lack.IsDoubtful ? new(MissingKind.ProcessState, "threads may have waited for processors: "
                    + $"{Format.Count(lack.Late)} of {Format.Count(lack.Timed)} gate checks came late or early") : null);
    }

    Finding Describe(PoolEvidence report, StarvedEpisode[] episodes, ProcessorLack lack)
    {
        var cpu = WaitingEpisodes.Cpu(report, episodes);
        var isCrowded = lack.IsCrowdedOut(report);
        var users = isCrowded ? Users(report, episodes) : [];
        return new(
            Id, Title, lack.Explains(report) ? Severity.Serious : Severity.Warning,
            cpu >= GateTiming.BusyCpu || lack.IsThrottled || lack.IsSeenAtTheGate ? Confidence.High : Confidence.Medium,
            episodes[0].Span.From, episodes[^1].Span.To,
            lack.IsThrottled
                ? "Items wait because the processor quota of the process is used up. More threads would not help."
                : isCrowded || cpu is null
                    ? "Items wait because the threads of the process find no free processor. "
                        + $"{Crowd(cpu)}{Most(users)}More threads would not help."
                : $"Items wait while the process {HowBusy(report, cpu.Value)}. More threads would not help.",
            [.. Evidence(report, cpu, lack), .. users.Select(Used)],
            [.. isCrowded ? [Apart(users)] : Array.Empty<Remedy>(), .. Remedies(report, lack)]);
    }

    // The processor use in words: a process may use more processors than the runtime counts.
    static string HowBusy(PoolEvidence report, double cpu) => cpu <= 1 || report.Timeline.Target.Processors.Value is not { } counted
        ? $"keeps its processors busy ({Format.Percent(Math.Min(cpu, 1))})"
        : $"uses {(cpu * counted).ToString("0.0", CultureInfo.InvariantCulture)} processors, "
            + $"although the runtime counts only {Format.Count(counted)}";

    static int? Usable(PoolEvidence report, double? cpu) => report.Timeline.Target.Processors.Value is { } counted
        ? (int)Math.Max(counted, Math.Round(counted * (cpu ?? 0))) : null;

    static string Crowd(double? cpu) => cpu is { } own
        ? $"The process itself uses only {Format.Percent(own)} of its processors: other processes keep them busy. "
        : "";

    // The other processes that use the processors; none if the process table was not read during one of the episodes.
    static ImmutableArray<Neighbour> Users(PoolEvidence report, StarvedEpisode[] episodes) =>
        report.Timeline.Others is { } seen && episodes.Any(e => seen.At >= e.Span.From && (!e.Over || seen.At <= e.Span.To))
            ? seen.Users
            : [];

    static string Most(ImmutableArray<Neighbour> users) => users switch
    {
        [] => "",
        [var one] => $"Of the machine's processor time, {Share(one)}. ",
        [var one, var other, ..] => $"Of the machine's processor time, {Share(one)} and {Share(other)}. ",
    };

    static string Share(Neighbour user) => $"{user.Name} uses {Format.Percent(user.Share)}";

    static Evidence Used(Neighbour user) => new(
        $"Processor use of {user.Name}, pid {user.Pid.ToString(CultureInfo.InvariantCulture)}", user.Share * 100,
        "% of the machine", "process table");

    static ImmutableArray<Evidence> Evidence(PoolEvidence report, double? cpu, ProcessorLack lack) =>
    [
        new(cpu > 1 ? "Processor use while items waited, of the processors that the runtime counts"
            : "Processor use of this process while items waited", cpu * 100, "%", "heartbeat"),
        new("Throttled while items waited", lack.IsThrottled ? lack.Throttled * 100 : null, "% of the time", "control group"),
        new("Share of time in which a thread was ready but had no processor: at most", lack.Waited * 100, "%", "scheduler statistics")
        {
            GoesOn = true,
        },
        new("Worker threads per processor",
            report.Timeline.Target.Processors.Value is > 0 and var p ? report.MaxWorkers / (double)p : null, "", "heartbeat"),
        new("Longest queue", report.MaxQueueLength, "items", "heartbeat"),
    ];

    // The first remedy if other processes use the processors; remedies for the process itself come after it.
    static Remedy Apart(ImmutableArray<Neighbour> users) => new(users is [var most, ..]
        ? $"Move {most.Name} (pid {most.Pid.ToString(CultureInfo.InvariantCulture)}) or this process to another machine, or limit what "
            + $"{most.Name} may use."
        : "Find which processes use the processors (top), and move them or this one to another machine.");

    static ImmutableArray<Remedy> Remedies(PoolEvidence report, ProcessorLack lack) =>
    [
        new(lack.IsThrottled
            ? $"Raise the quota of the container, or make the items compute less (dotnet-trace collect -p {Hints.Pid(report)} shows where)."
            : report.MainBlocker(BlockKind.Cpu) is { } main
                ? $"Make {main.Chain} cheaper, or give the process more processors. "
                    + $"{Format.Percent(main.Share)} of the stack samples of busy worker threads are in this code."
            : "Find the code that uses the processors and make it cheaper, or give the process more processors.",
            lack.IsThrottled ? MissingDataHint.None : Hints.NamedBy(report, "To find the code")),
        new((Usable(report, WaitingEpisodes.Cpu(report, report.Episodes)) is { } p
            ? $"Let at most {Format.Plural(p, "item")} compute at once, one per processor"
            : "Let no more items compute at once than there are processors")
            + " (MaxDegreeOfParallelism, a concurrency limit). Then fewer short items queue behind items that compute."),
        lack.Explains(report) ? MinThreadsRemedy.Refused : MinThreadsRemedy.NotWhileBusy,
    ];
}
