using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>A capture's items, tried in its own world first and then in others. Pure.</summary>
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

    /// <summary>What the capture shows.</summary>
    public WhatIfFigures Seen { get; }

    /// <summary>The settings of the capture, as far as known.</summary>
    public PoolSettings Settings => settings;

    /// <summary>How far the same configuration imagined is off, as a share; null where it cannot be compared.</summary>
    public double? ErrorShare => SelfCheck.Of(Seen, same).ErrorShare;

    /// <summary>Prepares the study of items that are known.</summary>
    public static WhatIfStudy Of(PoolReport report, ItemsSeen seen) => new(report, seen);

    /// <summary>Prepares the study of a capture; null and why when there is nothing to imagine.</summary>
    public static WhatIfStudy? Of(PoolReport report, IItemSource source, out string? missing)
    {
        var seen = source.Look(report);
        missing = seen.Missing;
        return missing is null ? new(report, seen) : null;
    }

    /// <summary>The items in a changed world.</summary>
    public WhatIfAnswer Answer(WhatIfChange change)
    {
        var run = Imagine(change, Bounded);
        var imagined = WhatIfFigures.Of(run);
        var check = SelfCheck.Of(Seen, same);
        return new()
        {
            Change = change,
            Settings = change.NewPolicy().Start(change.Applied(settings)).Settings,
            Seen = Seen,
            Same = same,
            Imagined = imagined,
            Worst = Worst(change, imagined),
            Unknown = Unknown(check),
            Run = run,
            From = seen.Items[0].Queued,
            MetLate = seen.Existing > 0,
            Basis = seen.Basis,
            Uncertainty = check.Sentence,
            Bound = waitedFor.Serves == Serves.AsNow ? waitedFor.Why : null,
            ErrorShare = check.ErrorShare,
            Remarks = [.. Remarks(change)],
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
        : seen is { OneByOne: false, Ended: not null } && report.Timeline.Levels.Backlog is > 0 and { } left
            ? $"No what-if: {Format.Plural(left, "item")} still waited at the last counter sample, and when these completed is not known."
        : check.Missing;

    /// <summary>With the clock of the target's own system, where that is Windows.</summary>
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
        // Where the items cannot be rebuilt to their end, nothing measured says how long each of them waited.
        var rebuilt = rebuiltWhole ? WhatIfFigures.Of(asSeen, cut) : same with { StartDelayMs = null, LatencyMs = null };
        return rebuilt with
        {
            TotalMs = seen.Ended?.MsSince(seen.Items[0].Queued),
            PeakWorkers = report.MaxWorkers,
            PeakBacklog = report.MaxBacklog,
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

    IEnumerable<(bool Applies, string Text)> OfTheCapture() =>
    [
        (settings.MinBasis != MinBasis.Known,
            $"MinThreads is not known, and is assumed to be {Format.Count(settings.Min)}, the number of processors."),
        (!rebuiltWhole, "The mean queue time could not be measured."),
        (report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }, "Events were lost. "
            + "Items that arrived in that time are missing."),
        (cut is not null, "The capture ends while items wait or run. The measured figures count only up to its end."),
        (seen.Existing > 0,
            $"Items already waited at the first counter sample, and {Format.Plural(seen.Existing, "worker thread")} existed. "
                + "Waits count only from then on."),
    ];
}
