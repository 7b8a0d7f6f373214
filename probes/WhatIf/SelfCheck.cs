namespace Tpwatch.WhatIf;

/// <summary>
/// The configuration that was seen, imagined and compared: whoever cannot tell what happened cannot tell what would have.
/// </summary>
/// <param name="Sentence">How far apart the two are.</param>
/// <param name="ErrorShare">The largest error of total, mean delay and most workers, as a share; null where nothing could be
/// compared.</param>
sealed record SelfCheck(string Sentence, double? ErrorShare)
{
    /// <summary>Delays that differ by less are the same, milliseconds: a thread's start on a busy machine takes as long.</summary>
    const double NothingMs = 5;

    /// <summary>So many workers more or fewer are no difference: one on its way at either end.</summary>
    const int NoWorkers = 2;

    /// <summary>From here on there is no answer; counters of a second tell what really happened to within as much.</summary>
    const double Poor = 0.15;

    /// <summary>Why nothing can be imagined of this capture; null where it can.</summary>
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

    // The answers go on until all items have completed.
    static string Until(WhatIfFigures seen) => seen.TotalMs is null ? " up to the capture's end" : "";

    static string Compared(WhatIfFigures seen, WhatIfFigures same)
    {
        string?[] parts =
        [
            seen.TotalMs is null ? null : Part("all items complete after ", Rough(same.TotalMs), Rough(seen.TotalMs)),
            Part($"the mean queue time{Until(seen)} is ", Rough(same.StartDelayMs), Rough(seen.StartDelayMs)),
            Part("the simulated pool grows to ", Threads(same.PeakWorkers), Threads(seen.PeakWorkers)),
        ];
        return string.Join(". ", parts.OfType<string>().Select((part, i) => i == 0 ? part : char.ToUpperInvariant(part[0]) + part[1..]));
    }

    static string? Part(string what, string? same, string? seen) => same is null || seen is null ? null
        : same == seen ? $"{what}{same}, as measured" : $"{what}{same} (measured: {seen.Split(" worker")[0]})";

    static double? Share(double? seen, double? same, double nothing) => (seen, same) switch
    {
        ({ } one, { } other) => Math.Abs(one - other) <= nothing ? 0 : Math.Abs(one - other) / Math.Max(one, nothing),
        _ => null,
    };

    static string? Rough(double? ms) => ms is { } known ? Format.Rough(known) : null;

    static string? Threads(int? count) => count is { } known ? Format.Plural(known, "worker thread") : null;
}
