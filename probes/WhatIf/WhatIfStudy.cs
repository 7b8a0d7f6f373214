using Tpwatch.Diagnosis;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.WhatIf;

/// <summary>Simulates the items of a capture with the capture's own settings, to measure the error, and with changed settings.</summary>
sealed class WhatIfStudy
{
    readonly PoolReport report;
    readonly ItemsSeen seen;
    readonly PoolSettings settings;
    readonly SimulationResult asSeen;
    readonly bool rebuiltWhole;
    readonly EventTime? cut;
    readonly AwaitedResource waitedFor;
    readonly WhatIfFigures same;

    WhatIfStudy(PoolReport report, ItemsSeen seen)
    {
        (this.report, this.seen, settings) = (report, seen, ObservedPool.Settings(report));
        asSeen = ObservedPool.Run(report, seen);
        rebuiltWhole = seen.Ended is null || asSeen.TotalMs is not null;
        cut = seen.Ended is null ? report.Timeline.Now : null;
        waitedFor = AwaitedResource.Of(report, seen, asSeen);
        same = Imagine(new(), Bounded).Figures(cut);
        Seen = SeenFigures();
    }

    /// <summary>The measured figures of the capture.</summary>
    public WhatIfFigures Seen { get; }

    /// <summary>The pool settings of the capture, as far as known.</summary>
    public PoolSettings Settings => settings;

    /// <summary>Error of the simulation with the capture's own settings, as a share; null if no measured time is comparable.</summary>
    public double? ErrorShare => SimulationCheck.Of(Seen, same).ErrorShare;

    public static WhatIfStudy Of(PoolReport report, ItemsSeen seen) => new(report, seen);

    /// <summary>
    /// Prepares the simulation of a capture's items. Null if they are not known; <paramref name="missing"/> then says why.
    /// </summary>
    public static WhatIfStudy? Of(PoolReport report, IItemSource source, out string? missing)
    {
        var seen = source.Look(report);
        missing = seen.Missing;
        return missing is null ? new(report, seen) : null;
    }

    /// <summary>Simulates the items with changed settings.</summary>
    public WhatIfAnswer Answer(WhatIfChange change)
    {
        var run = Imagine(change, Bounded);
        var simulated = run.Figures();
        var check = SimulationCheck.Of(Seen, same);
        return new()
        {
            Change = change,
            Settings = change.NewPolicy().Start(change.Applied(settings)).Settings,
            Seen = Seen,
            Same = same,
            Simulated = simulated,
            Worst = Worst(change, simulated),
            Unknown = Unknown(check),
            Run = run,
            From = seen.Items[0].Queued,
            MetLate = seen.Existing > 0,
            Basis = seen.Basis,
            Uncertainty = check.Sentence,
            Bound = waitedFor.Serves == ResourceCapacity.AsNow ? waitedFor.Why : null,
            ErrorShare = check.ErrorShare,
            Remarks = [.. Remarks(change)],
            UnsureMin = UnsureMin,
        };
    }

    double? Bounded => waitedFor.Serves == ResourceCapacity.AsNow ? waitedFor.Ms : null;

    WhatIfFigures? Worst(WhatIfChange change, WhatIfFigures better) =>
        waitedFor is { Serves: ResourceCapacity.Unknown, Ms: { } ms } && Imagine(change, ms).Figures() is var worse
            && worse.LatencyMs > better.LatencyMs
            ? worse : null;

    string? Unknown(SimulationCheck check) =>
        double.IsPositiveInfinity(seen.Items[^1].BlockMs) ? WhatIfRemarks.NoneCompleted
        : waitedFor is { Serves: not ResourceCapacity.All, Ms: null } ? WhatIfRemarks.TooFewCompleted
        : seen is { OneByOne: false, Ended: not null } && report.Timeline.Levels.QueueLength is > 0 and { } left
            ? WhatIfRemarks.StillWaiting(left)
        : check.Missing;

    /// <summary>Returns the change; if the target runs on Windows, the returned change also uses the Windows clock.</summary>
    WhatIfChange Clocked(WhatIfChange change) =>
        change with { WindowsClock = change.WindowsClock || ObservedPool.IsByWindowsClock(report) };

    SimulationResult Imagine(WhatIfChange change, double? serviceMs)
    {
        var options = ObservedPool.Options(report, seen, change.Applied(settings)) with { ServiceMs = serviceMs };
        var items = change.Async
            ? [.. seen.Items.Select(item => item with { Blocking = Blocking.Awaits })]
            : seen.Items;
        return PoolSimulator.Of(Clocked(change).NewPolicy(), change.Climbs ? options : options with { Moves = [] }, items);
    }

    WhatIfFigures SeenFigures()
    {
        // If the simulation with the observed thread counts does not complete all items, the times per item are not known.
        var rebuilt = rebuiltWhole ? asSeen.Figures(cut) : same with { StartDelayMs = null, LatencyMs = null };
        return rebuilt with
        {
            TotalMs = seen.Ended?.MsSince(seen.Items[0].Queued),
            PeakWorkers = report.MaxWorkers,
            PeakQueueLength = report.MaxQueueLength,
            StarvedMs = report.StarvedMs,
        };
    }

    IEnumerable<string> Remarks(WhatIfChange change) =>
        OfTheModel(Clocked(change)).Concat(OfTheCapture()).Where(remark => remark.Applies).Select(remark => remark.Text)
            .Prepend(waitedFor.Why);

    static IEnumerable<(bool Applies, string Text)> OfTheModel(WhatIfChange change) =>
    [
        (change.Climbs, WhatIfRemarks.Climbs),
        (!change.Climbs, WhatIfRemarks.NoClimbing),
        (change.Async, WhatIfRemarks.AfterAwait),
        (change.WindowsClock, WhatIfRemarks.WindowsClock),
        (change is { WindowsClock: false, Policy: not (null or PolicyKind.Portable) }, WhatIfRemarks.LinuxClock),
    ];

    string? UnsureMin => settings.MinBasis == MinThreadsBasis.Known ? null : WhatIfRemarks.AssumedMin(settings.Min);

    IEnumerable<(bool Applies, string Text)> OfTheCapture() =>
    [
        (UnsureMin is not null, UnsureMin ?? ""),
        (!rebuiltWhole, WhatIfRemarks.NoQueueTime),
        (report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }, WhatIfRemarks.Lost),
        (cut is not null, WhatIfRemarks.Cut),
        (seen.Existing > 0, WhatIfRemarks.FromThenOn(seen.Existing)),
    ];
}

/// <summary>How many items the resource that items wait for serves at once.</summary>
enum ResourceCapacity
{
    /// <summary>Unknown: both of the other cases are simulated, as bounds.</summary>
    Unknown,

    /// <summary>All items at once, each for as long as it was observed to hold its worker thread.</summary>
    All,

    /// <summary>As many items per second as observed, even if more worker threads wait for the resource.</summary>
    AsNow,
}

/// <summary>The resource that items wait for, as far as known.</summary>
/// <param name="Serves">How many items the resource serves at once.</param>
/// <param name="Ms">Observed time between two completions, milliseconds; null if no item completed.</param>
/// <param name="Why">The reason for <paramref name="Serves"/>, as a sentence.</param>
sealed record AwaitedResource(ResourceCapacity Serves, double? Ms, string Why)
{
    /// <summary>Minimum share of blocking in the items' time. Below this share, only the processors limit the items.</summary>
    const double Blocks = 0.1;

    public static AwaitedResource Of(PoolReport report, ItemsSeen seen, SimulationResult asSeen)
    {
        var ms = BetweenEndsMs(report, seen, asSeen);
        var (blocked, computed) = (seen.Items.Sum(item => item.BlockMs), seen.Items.Sum(item => item.RunMs));
        return blocked < Blocks * (blocked + computed) ? new(ResourceCapacity.All, ms, WhatIfRemarks.Computes)
            : ProcessorLack.Of(report).Explains(report)
                ? new(ResourceCapacity.All, ms, WhatIfRemarks.WaitForProcessors)
            : Bottleneck.Of(report) is { } one
                ? new(ResourceCapacity.AsNow, ms, WhatIfRemarks.AsNow(one.Words))
            : !report.HasStacks && ThreadScaling.Of(report) == ScalingEffect.Grows
                ? new(ResourceCapacity.All, ms, WhatIfRemarks.MoreCompletedMore)
            : new(ResourceCapacity.Unknown, ms, WhatIfRemarks.UnknownResource);
    }

    // Returns the time between two completions, milliseconds: while items waited, or in the whole capture, whichever is shorter. The longer
    // one includes time without items, in which the resource served none.
    static double? BetweenEndsMs(PoolReport report, ItemsSeen seen, SimulationResult asSeen)
    {
        var ends = seen.Items[0].Blocking == Blocking.PoolTask ? 2 : 1;
        var counted = Demand.Of(report) is { Completed: > 0 } demand ? ends * demand.SpanMs / demand.Completed : (double?)null;
        EventTime[] ended = [.. asSeen.Items.Select(item => item.Ended).OfType<EventTime>().Where(at => at <= report.Timeline.Now)];
        var whole = ended.Length > 0 ? ended.Max().MsSince(seen.Items[0].Queued) / ended.Length : (double?)null;
        return new[] { counted, whole }.Min();
    }
}

/// <summary>
/// Compares the simulation with the capture's own settings to the measured figures. If they differ too much, there is no what-if.
/// </summary>
/// <param name="Sentence">How the simulation differs from the measured figures.</param>
/// <param name="ErrorShare">Largest error of total time, mean queue time and maximum thread count, as a share; null if not
/// comparable.</param>
sealed record SimulationCheck(string Sentence, double? ErrorShare)
{
    /// <summary>Largest difference of two times that is ignored, milliseconds: on a busy machine, a thread start takes as long.</summary>
    const double NothingMs = 5;

    /// <summary>Largest difference of two thread counts that is ignored, because a thread may be starting in each run.</summary>
    const int NoWorkers = 2;

    /// <summary>Maximum error share with which a what-if is shown; counter samples taken once a second are about as inexact.</summary>
    const double Poor = 0.15;

    /// <summary>Why this capture allows no what-if, one sentence; null if it allows one.</summary>
    public string? Missing => ErrorShare is null or > Poor ? WhatIfWords.NoAnswer(ErrorShare) : null;

    public static SimulationCheck Of(WhatIfFigures seen, WhatIfFigures same)
    {
        double?[] errors =
        [
            Share(seen.TotalMs, same.TotalMs, NothingMs), Share(seen.StartDelayMs, same.StartDelayMs, NothingMs),
            Share(seen.PeakWorkers, same.PeakWorkers, NoWorkers),
        ];
        var worst = errors[0] is null && errors[1] is null ? null : errors.Max();
        return new(WhatIfWords.Check(seen, same, worst is not null), worst);
    }

    static double? Share(double? seen, double? same, double nothing) => (seen, same) switch
    {
        ({ } one, { } other) => Math.Abs(one - other) <= nothing ? 0 : Math.Abs(one - other) / Math.Max(one, nothing),
        _ => null,
    };
}

/// <summary>The algorithm by which a pool adds worker threads.</summary>
enum PolicyKind
{
    /// <summary>.NET 6 and later.</summary>
    Portable,

    /// <summary>.NET Framework 4 to .NET 5.</summary>
    Native,

    /// <summary>.NET Framework 3.5.</summary>
    Clr35,

    /// <summary>.NET Framework 1.1.</summary>
    Clr11,

    /// <summary>The Shared Source CLI.</summary>
    Rotor,
}

/// <summary>The changes to simulate. A property that is null or false leaves its setting unchanged.</summary>
sealed record WhatIfChange
{
    public int? Min { get; init; }
    public int? Max { get; init; }
    public int? Processors { get; init; }

    /// <summary>Whether items await instead of blocking.</summary>
    public bool Async { get; init; }

    /// <summary>The algorithm by which the pool adds worker threads; null for that of the target.</summary>
    public PolicyKind? Policy { get; init; }

    /// <summary>Whether to use an assumed Windows clock instead of the clock measured on Linux.</summary>
    public bool WindowsClock { get; init; }

    public bool IsNone => this == new WhatIfChange();

    /// <summary>The change in words: <c>MinThreads 100</c>.</summary>
    public string Words => string.Join(", ", new[]
    {
        Min is { } min ? $"MinThreads {Format.Count(min)}" : null,
        Max is { } max ? $"MaxThreads {Format.Count(max)}" : null,
        Processors is { } processors ? Format.Plural(processors, "processor") : null,
        Async ? "async instead of blocking" : null,
        Policy is { } policy ? $"the pool of {Era(policy)}" : null,
        WindowsClock ? "gate checks as on Windows (an assumption)" : null,
    }.OfType<string>());

    /// <summary>Returns the changed settings. If MinThreads was unknown or the processor count, it follows the processor count.</summary>
    public PoolSettings Applied(PoolSettings was) => was with
    {
        Processors = Processors ?? was.Processors,
        Min = Min ?? (Processors is { } count && (was.Min == was.Processors || was.MinBasis != MinThreadsBasis.Known) ? count : was.Min),
        Max = Max ?? was.Max,
        MinBasis = Min is null ? was.MinBasis : MinThreadsBasis.Known,
    };

    /// <summary>Whether the simulated pool has hill climbing; its changes are then taken from the capture.</summary>
    public bool Climbs => Policy is null or PolicyKind.Portable or PolicyKind.Native;

    /// <summary>Returns the algorithm with the assumed Windows clock or the clock measured on Linux.</summary>
    public IInjectionPolicy NewPolicy()
    {
        var clock = WindowsClock ? GateClock.WindowsHypothesis : null;
        return Policy switch
        {
            PolicyKind.Native => new NativePolicy(clock ?? GateClock.LinuxMeasured),
            PolicyKind.Clr35 => new NetFramework35Policy(clock),
            PolicyKind.Clr11 => new NetFramework11Policy(clock),
            PolicyKind.Rotor => new RotorPolicy(clock),
            _ => new PortablePolicy(clock ?? GateClock.LinuxMeasured),
        };
    }

    static string Era(PolicyKind policy) => policy switch
    {
        PolicyKind.Native => ".NET Framework 4 to .NET 5",
        PolicyKind.Clr35 => ".NET Framework 3.5",
        PolicyKind.Clr11 => ".NET Framework 1.1",
        PolicyKind.Rotor => "the Shared Source CLI (Rotor)",
        _ => ".NET 6 and later",
    };
}

/// <summary>
/// Selects and simulates the changes that a report shows without a request, each of which may help against the verdict's cause.
/// </summary>
static class StandardWhatIfs
{
    /// <summary>
    /// Whether items waited and other settings could change that. The queue length alone does not suffice, because the queue of one counter
    /// sample may be gone a moment later.
    /// </summary>
    static bool Waited(PoolReport report) =>
        report.MaxQueueLength > 0 && report.Verdict is not (Verdict.Healthy or Verdict.NotThePool or Verdict.Wedged or Verdict.Held);

    /// <summary>Returns the simulated result of each standard change; empty if no items waited or the items are not known.</summary>
    public static ImmutableArray<WhatIfAnswer> Answers(PoolReport report, IItemSource source) =>
        Waited(report) && WhatIfStudy.Of(report, source, out _) is { } study
            ? [.. Offered(report, study.Settings.Processors).Select(study.Answer)] : [];

    /// <summary>Returns the report with the simulated effects; returns an unchanged report if there is nothing to simulate.</summary>
    public static PoolReport AddTo(PoolReport report, IItemSource source) => AddTo(report, Answers(report, source));

    /// <summary>Returns the report with the effects of answers that were simulated before.</summary>
    public static PoolReport AddTo(PoolReport report, ImmutableArray<WhatIfAnswer> answers) => answers.IsEmpty ? report : report with
    {
        WhatIf = [.. answers.Select(answer => new WhatIfEffect(
            answer.Change.Words, answer.Unknown is null ? WhatIfWords.Effect(answer) : "", answer.Basis, answer.Uncertainty)
        {
            Unknown = answer.Unknown, MetLate = answer.Unknown is null && answer.MetLate,
        })],
    };

    /// <summary>Returns the changes that may help, the best one first.</summary>
    public static IEnumerable<WhatIfChange> Offered(PoolReport report, int processors)
    {
        // More or released worker threads do not add processors. At MaxThreads, a larger MinThreads alone adds no thread, and a larger
        // MaxThreads alone adds one thread per gate check. So both are raised.
        if (ProcessorLack.Of(report).Explains(report))
        {
            return [new() { Processors = 2 * processors }];
        }

        if (AtMax.Reached(report) is { } max)
        {
            return MaxThreadsRemedy.Advised(report, max) is { } larger
                ? [new() { Min = larger, Max = larger }, new() { Async = true }]
                : [new() { Async = true }];
        }

        WhatIfChange[] min = MinThreadsRemedy.Advised(report) is { } wanted ? [new() { Min = wanted }] : [];
        return ObservedPool.WaitsForTasks(report) ? [new() { Async = true }, .. min] : [.. min, new() { Async = true }];
    }
}

/// <summary>
/// The result of simulating a change: figures of the measured run, and of simulations with unchanged and with changed settings.
/// </summary>
sealed record WhatIfAnswer : WhatIfOutcome
{
    public required WhatIfChange Change { get; init; }

    /// <summary>The changed settings, as the simulated runtime applies them.</summary>
    public required PoolSettings Settings { get; init; }

    /// <summary>Figures simulated with unchanged settings, which show how exact the simulation is here.</summary>
    public required WhatIfFigures Same { get; init; }

    public required SimulationResult Run { get; init; }

    /// <summary>Time at which the first item was queued; curves begin there.</summary>
    public required EventTime From { get; init; }

    /// <summary>Whether items already waited at the first counter sample, so that times count from that sample.</summary>
    public bool MetLate { get; init; }

    /// <summary>How the items were determined, in words for users.</summary>
    public required string Basis { get; init; }

    /// <summary>The error of the simulation with unchanged settings, in words for users.</summary>
    public required string Uncertainty { get; init; }

    /// <summary>Error of the simulation with unchanged settings, as a share; null if it could not be determined.</summary>
    public double? ErrorShare { get; init; }

    /// <summary>What the simulation leaves out, in words for users.</summary>
    public required ImmutableArray<string> Remarks { get; init; }

    /// <summary>Remark that MinThreads is not known; null if it is known.</summary>
    public string? UnsureMin { get; init; }
}

sealed partial record SimulationResult
{
    /// <summary>
    /// Returns the figures of the run. With <paramref name="cut"/>, the run ends at that time, and an item that still waits counts with
    /// its time so far.
    /// </summary>
    public WhatIfFigures Figures(EventTime? cut = null) => cut is { } end ? Cut(end).FiguresTo(end) : FiguresTo(End);

    SimulationResult Cut(EventTime end) => this with
    {
        Items = [.. Items.Select(item =>
            item with { Started = item.Started <= end ? item.Started : null, Ended = item.Ended <= end ? item.Ended : null })],
        Curve = [.. Curve.TakeWhile(point => point.At <= end)],
    };

    EventTime End => Items.SelectMany(item => new[] { item.Queued, item.Started, item.Ended }.OfType<EventTime>())
        .Concat(Curve.Select(point => point.At)).DefaultIfEmpty().Max();

    WhatIfFigures FiguresTo(EventTime end)
    {
        var delays = Items.Select(item => Math.Max(0, (item.Started ?? end).MsSince(item.Queued))).ToArray();
        var latencies = Items.Select(item => Math.Max(0, (item.Ended ?? end).MsSince(item.Queued))).ToArray();
        return new(
            TotalMs, delays.Length == 0 ? null : delays.Average(), latencies.Length == 0 ? null : latencies.Average(),
            Curve.Select(point => point.Workers).DefaultIfEmpty().Max(),
            Curve.Select(point => (long)point.QueueLength).DefaultIfEmpty().Max(), StarvedMs())
        {
            NeverStarted = Items.Count(item => item.Started is null),
        };
    }

    // Returns the total time of long waits, milliseconds; overlapping waits count once.
    double StarvedMs()
    {
        var end = Curve.IsEmpty ? default : Curve[^1].At;
        var waits = Items.Select(item => new EventSpan(item.Queued, EventTime.Max(item.Started ?? end, item.Queued)))
            .Where(wait => wait.Ms > WhatIfFigures.LongMs).OrderBy(wait => wait.From);
        var (sum, until) = (0.0, default(EventTime));
        foreach (var wait in waits)
        {
            var from = EventTime.Max(wait.From, until);
            sum += Math.Max(0, wait.To.MsSince(from));
            until = EventTime.Max(until, wait.To);
        }

        return sum;
    }
}
