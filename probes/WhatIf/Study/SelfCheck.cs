using Tpwatch.Basics;

namespace Tpwatch.WhatIf.Study;

/// <summary>The configuration that was seen, imagined and compared: whoever cannot tell what happened cannot tell what would have.</summary>
/// <param name="Sentence">How far apart the two are.</param>
/// <param name="ErrorShare">The larger error of total and mean delay, as a share; null where nothing could be compared.</param>
sealed record SelfCheck(string Sentence, double? ErrorShare)
{
    /// <summary>Delays that differ by less are the same, milliseconds: a thread's start on a busy machine takes as long.</summary>
    const double NothingMs = 5;

    /// <summary>From here on the answer is a direction rather than a number.</summary>
    const double Poor = 0.2;

    public static SelfCheck Of(WhatIfFigures seen, WhatIfFigures same)
    {
        var errors = new[] { Share(seen.TotalMs, same.TotalMs), Share(seen.StartDelayMs, same.StartDelayMs) }.OfType<double>().ToArray();
        double? worst = errors.Length == 0 ? null : errors.Max();
        var judgement = worst switch
        {
            null => "The same configuration imagined could not be compared with what was seen.",
            > Poor => $"Not to be relied on: the same configuration imagined is {Format.Percent(worst.Value)} off what was seen.",
            _ => $"The same configuration imagined is {Format.Percent(worst.Value)} off what was seen.",
        };
        return new($"{judgement} {Compared(seen, same)}", worst);
    }

    static string Compared(WhatIfFigures seen, WhatIfFigures same) =>
        $"Total {Text(same.TotalMs)}, seen {Text(seen.TotalMs)}; mean wait {Text(same.StartDelayMs)}, seen {Text(seen.StartDelayMs)}; "
        + $"most workers {Count(same.PeakWorkers)}, seen {Count(seen.PeakWorkers)}.";

    static double? Share(double? seen, double? same) => (seen, same) switch
    {
        ({ } one, { } other) => Math.Abs(one - other) <= NothingMs ? 0 : Math.Abs(one - other) / Math.Max(one, NothingMs),
        _ => null,
    };

    static string Text(double? ms) => ms is { } known ? Format.Duration(known) : "?";

    static string Count(long? count) => count is { } known ? Format.Count(known) : "?";
}
