using Tpwatch.Diagnosis;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>Simulates the items of a capture, first with the capture's own configuration and then with others. Pure.</summary>
sealed class WhatIfStudy
{
    readonly PoolReport report;
    readonly ItemsSeen seen;
    readonly PoolSettings settings;
    readonly WhatIfResult asSeen;
    readonly bool rebuiltWhole;
    readonly EventTime? cut;
    readonly WaitedFor waitedFor;
    readonly WhatIfFigures same;

    WhatIfStudy(PoolReport report, ItemsSeen seen)
    {
        (this.report, this.seen, settings) = (report, seen, SeenPool.Settings(report));
        asSeen = SeenPool.Run(report, seen);
        rebuiltWhole = seen.Ended is null || asSeen.TotalMs is not null;
        cut = seen.Ended is null ? report.Timeline.Now : null;
        waitedFor = WaitedFor.Of(report, seen, asSeen);
        same = WhatIfFigures.Of(Imagine(new(), Bounded), cut);
        Seen = SeenFigures();
    }

    /// <summary>The measured figures.</summary>
    public WhatIfFigures Seen { get; }

    /// <summary>The settings of the capture, as far as known.</summary>
    public PoolSettings Settings => settings;

    /// <summary>The error of the unchanged configuration simulated, as a share; null when it cannot be compared.</summary>
    public double? ErrorShare => SelfCheck.Of(Seen, same).ErrorShare;

    /// <summary>Prepares the study of given items.</summary>
    public static WhatIfStudy Of(PoolReport report, ItemsSeen seen) => new(report, seen);

    /// <summary>
    /// Prepares the study of a capture; null, with the reason in <paramref name="missing"/>, when there is nothing to simulate.
    /// </summary>
    public static WhatIfStudy? Of(PoolReport report, IItemSource source, out string? missing)
    {
        var seen = source.Look(report);
        missing = seen.Missing;
        return missing is null ? new(report, seen) : null;
    }

    /// <summary>The items with a changed configuration.</summary>
    public WhatIfAnswer Answer(WhatIfChange change)
    {
        var run = Imagine(change, Bounded);
        var simulated = WhatIfFigures.Of(run);
        var check = SelfCheck.Of(Seen, same);
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
            Bound = waitedFor.Serves == Serves.AsNow ? waitedFor.Why : null,
            ErrorShare = check.ErrorShare,
            Remarks = [.. Remarks(change)],
            UnsureMin = UnsureMin,
        };
    }

    double? Bounded => waitedFor.Serves == Serves.AsNow ? waitedFor.Ms : null;

    WhatIfFigures? Worst(WhatIfChange change, WhatIfFigures better) =>
        waitedFor is { Serves: Serves.Unknown, Ms: { } ms } && WhatIfFigures.Of(Imagine(change, ms)) is var worse
            && worse.LatencyMs > better.LatencyMs
            ? worse : null;

    string? Unknown(SelfCheck check) =>
        double.IsPositiveInfinity(seen.Items[^1].BlockMs) ? "No item completed in the capture, so there is no what-if: "
            + "how long items hold threads is not known."
        : waitedFor is { Serves: not Serves.All, Ms: null } ? "Too few items completed here to tell how fast the "
            + "resource is that they wait for."
        : seen is { OneByOne: false, Ended: not null } && report.Timeline.Levels.QueueLength is > 0 and { } left
            ? $"No what-if: {Format.Plural(left, "item")} still waited at the last counter sample, and when these completed is not known."
        : check.Missing;

    /// <summary>The change with the clock of Windows if the target runs there.</summary>
    WhatIfChange Clocked(WhatIfChange change) => change with { WindowsClock = change.WindowsClock || SeenPool.IsByWindowsClock(report) };

    WhatIfResult Imagine(WhatIfChange change, double? serviceMs)
    {
        var options = SeenPool.Options(report, seen, change.Applied(settings)) with { ServiceMs = serviceMs };
        var items = change.Async
            ? [.. seen.Items.Select(item => item with { Blocking = Blocking.Awaits })]
            : seen.Items;
        return WhatIfRun.Of(Clocked(change).NewPolicy(), change.Climbs ? options : options with { Moves = [] }, items);
    }

    WhatIfFigures SeenFigures()
    {
        // If the items cannot be simulated to their end, no measured value shows how long each of them waited.
        var rebuilt = rebuiltWhole ? WhatIfFigures.Of(asSeen, cut) : same with { StartDelayMs = null, LatencyMs = null };
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
        (change.Climbs, "Not simulated: hill climbing (its changes are those of the capture) and the end of idle threads."),
        (!change.Climbs,
            "That pool had no hill climbing, so the changes by hill climbing in the capture are left out. Idle threads do not end."),
        (change.Async, "What an item does after it awaited is left out."),
        (change.WindowsClock, "The clock is an assumption: Windows with its default timer. No Windows machine was measured."),
        (change is { WindowsClock: false, Policy: not (null or PolicyKind.Portable) },
            "The clock is that of Linux, as measured. That pool ran on Windows, whose clock is an assumption (--clock windows)."),
    ];

    string? UnsureMin => settings.MinBasis == MinBasis.Known ? null
        : $"MinThreads is not known, and is assumed to be {Format.Count(settings.Min)}, the number of processors.";

    IEnumerable<(bool Applies, string Text)> OfTheCapture() =>
    [
        (UnsureMin is not null, UnsureMin ?? ""),
        (!rebuiltWhole, "The mean queue time could not be measured."),
        (report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }, "Events were lost. "
            + "Items that arrived in that time are missing."),
        (cut is not null, "The capture ends while items wait or run. The measured figures count only up to its end."),
        (seen.Existing > 0,
            $"Items already waited at the first counter sample, and {Format.Plural(seen.Existing, "worker thread")} existed. "
                + "Waits count only from then on."),
    ];
}

/// <summary>How many items the awaited resource serves at once.</summary>
enum Serves
{
    /// <summary>Unknown: both bounds are simulated.</summary>
    Unknown,

    /// <summary>All items at once, each for the time that it was observed to hold its worker thread.</summary>
    All,

    /// <summary>No more items per second than observed, however many worker threads wait.</summary>
    AsNow,
}

/// <summary>The resource that items wait for, as far as known.</summary>
/// <param name="Serves">How many items it serves at once.</param>
/// <param name="Ms">Observed time from one completion to the next, milliseconds; null when no item completed.</param>
/// <param name="Why">The evidence, as a sentence.</param>
sealed record WaitedFor(Serves Serves, double? Ms, string Why)
{
    /// <summary>Items that block for a smaller share of their time are slowed down by processors, which the model includes.</summary>
    const double Blocks = 0.1;

    public static WaitedFor Of(PoolReport report, ItemsSeen seen, WhatIfResult asSeen)
    {
        var ms = BetweenEndsMs(report, seen, asSeen);
        var (blocked, computed) = (seen.Items.Sum(item => item.BlockMs), seen.Items.Sum(item => item.RunMs));
        return blocked < Blocks * (blocked + computed) ? new(Serves.All, ms, "The items compute and hardly block.")
            : ProcessorLack.Of(report).Explains(report)
                ? new(Serves.All, ms, "Items wait for processors. The simulation assumes that nothing else makes them slower.")
            : Bottleneck.Of(report) is { } one
                ? new(Serves.AsNow, ms, $"Items wait for {one.Words}, so no more items per second complete than now.")
            : !DeepEvidence.HasStacks(report) && ThreadScaling.Of(report) == Yield.Grows
                ? new(Serves.All, ms, "In this capture, more threads completed more items. "
                    + "So the simulation assumes that calls which block do not slow each other down.")
            : new(Serves.Unknown, ms,
                "tpwatch does not know what items wait for. At a sleep, more threads complete more items; at a lock, more threads do not.");
    }

    // The faster of two rates: that of the counter samples while items waited and that of the whole capture. Waiting for new items is not
    // service time.
    static double? BetweenEndsMs(PoolReport report, ItemsSeen seen, WhatIfResult asSeen)
    {
        var ends = seen.Items[0].Blocking == Blocking.PoolTask ? 2 : 1;
        var counted = Demand.Of(report) is { Completed: > 0 } demand ? ends * demand.SpanMs / demand.Completed : (double?)null;
        EventTime[] ended = [.. asSeen.Items.Select(item => item.Ended).OfType<EventTime>().Where(at => at <= report.Timeline.Now)];
        var whole = ended.Length > 0 ? ended.Max().MsSince(seen.Items[0].Queued) / ended.Length : (double?)null;
        return new[] { counted, whole }.Min();
    }
}

/// <summary>
/// Compares a simulation of the unchanged configuration with the measured run. If the simulation cannot reproduce it, no what-if is shown.
/// </summary>
/// <param name="Sentence">The difference between the two.</param>
/// <param name="ErrorShare">The largest error of total, mean delay and most worker threads, as a share; null when none could be
/// compared.</param>
sealed record SelfCheck(string Sentence, double? ErrorShare)
{
    /// <summary>Delays that differ by less count as equal, milliseconds: a thread's start on a busy machine takes that time.</summary>
    const double NothingMs = 5;

    /// <summary>The difference in worker threads that counts as none: one thread may be starting in each of the two runs.</summary>
    const int NoWorkers = 2;

    /// <summary>
    /// The error share above which there is no what-if; counter samples of one second have about this accuracy themselves.
    /// </summary>
    const double Poor = 0.15;

    /// <summary>Why nothing can be simulated for this capture; null when it can.</summary>
    public string? Missing => ErrorShare switch
    {
        null => "No what-if: this capture has no value to compare with a simulation of the unchanged configuration.",
        > Poor => $"No what-if: a simulation of the unchanged configuration differs by {Format.Percent(ErrorShare.Value)} "
            + "from what was measured.",
        _ => null,
    };

    public static SelfCheck Of(WhatIfFigures seen, WhatIfFigures same)
    {
        double?[] errors =
        [
            Share(seen.TotalMs, same.TotalMs, NothingMs), Share(seen.StartDelayMs, same.StartDelayMs, NothingMs),
            Share(seen.PeakWorkers, same.PeakWorkers, NoWorkers),
        ];
        var worst = errors[0] is null && errors[1] is null ? null : errors.Max();
        return new(worst is null ? "A simulation of the unchanged configuration could not be compared."
            : $"In a simulation {(seen.TotalMs is null ? "without changes" : "of the unchanged configuration")}, "
                + $"{Compared(seen, same)}.", worst);
    }

    // The what-ifs continue until all items have completed.
    static string Until(WhatIfFigures seen) => seen.TotalMs is null ? " up to the capture's end" : "";

    static string Compared(WhatIfFigures seen, WhatIfFigures same)
    {
        string?[] parts =
        [
            seen.TotalMs is null ? null : Part("all items complete after ", Rough(same.TotalMs), Rough(seen.TotalMs)),
            Part($"the mean queue time{Until(seen)} is ", Rough(same.StartDelayMs), Rough(seen.StartDelayMs)),
            Part("the simulated pool grows to ", Threads(same.PeakWorkers), seen.PeakWorkers == same.PeakWorkers
                ? Threads(seen.PeakWorkers) : seen.PeakWorkers is { } peak ? Format.Count(peak) : null),
        ];
        return string.Join(". ", parts.OfType<string>().Select((part, i) => i == 0 ? part : char.ToUpperInvariant(part[0]) + part[1..]));
    }

    static string? Part(string what, string? same, string? seen) => same is null || seen is null ? null
        : same == seen ? $"{what}{same}, as measured" : $"{what}{same} (measured: {seen})";

    static double? Share(double? seen, double? same, double nothing) => (seen, same) switch
    {
        ({ } one, { } other) => Math.Abs(one - other) <= nothing ? 0 : Math.Abs(one - other) / Math.Max(one, nothing),
        _ => null,
    };

    static string? Rough(double? ms) => ms is { } known ? Format.Rough(known) : null;

    static string? Threads(int? count) => count is { } known ? Format.Plural(known, "worker thread") : null;
}
