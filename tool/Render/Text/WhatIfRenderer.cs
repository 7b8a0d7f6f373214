using Tpwatch.Basics;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.WhatIf.Study;

namespace Tpwatch.Render.Text;

/// <summary>What would have been: what changes, the figures beside each other, the curves, and what the answer rests on.</summary>
internal static class WhatIfRenderer
{
    const int Columns = 78;

    /// <summary>The whole answer; ends with a line break.</summary>
    public static string Render(PoolReport report, WhatIfAnswer answer) => string.Join('\n', Lines(report, answer)) + "\n";

    /// <summary>The section of a report; none where nothing was imagined.</summary>
    public static IEnumerable<string> Section(PoolReport report) => report.WhatIf.IsEmpty
        ? []
        : TextLayout.Title("What if")
            .Concat(report.WhatIf.SelectMany(w => TextLayout.Point(">", Words.OneLine($"{w.Change}: {w.Effect}"), 2)))
            .Concat(TextLayout.Fact("basis", Words.OneLine(report.WhatIf[0].Basis)))
            .Concat(TextLayout.Fact("uncertainty", Words.OneLine(report.WhatIf[0].Uncertainty)));

    static IEnumerable<string> Lines(PoolReport report, WhatIfAnswer answer) =>
    [
        $"WHAT IF {Words.OneLine(answer.Change.Words)}",
        .. TextLayout.Wrap(Headline(answer)),
        "",
        .. Table(answer),
        "",
        .. Curves(report, answer),
        "",
        .. TextLayout.Fact("pool", $"{Format.Plural(answer.Settings.Processors, "processor")}, min {Format.Count(answer.Settings.Min)}, max {Phrases.CountOr(answer.Settings.Max)}"),
        .. TextLayout.Fact("basis", answer.Basis),
        .. TextLayout.Fact("uncertainty", answer.Uncertainty),
        .. answer.Remarks.SelectMany(remark => TextLayout.Fact("remark", remark)),
    ];

    /// <summary>What the change would have done, one sentence.</summary>
    public static string Headline(WhatIfAnswer answer)
    {
        var wait = $"An item would have waited {Text(answer.Imagined.StartDelayMs)} for a worker on average instead of {Text(answer.Seen.StartDelayMs)}";
        return answer.Imagined.NeverStarted > 0
            ? $"{Format.Plural(answer.Imagined.NeverStarted, "item")} would not have started in the time looked at."
            : $"{wait}, and all would have ended after {Text(answer.Imagined.TotalMs)} instead of {Text(answer.Seen.TotalMs)}.";
    }

    static IEnumerable<string> Table(WhatIfAnswer answer)
    {
        var (seen, same, changed) = (answer.Seen, answer.Same, answer.Imagined);
        yield return Row("", "seen", "same, imagined", "changed, imagined");
        yield return Row("total", Text(seen.TotalMs), Text(same.TotalMs), Text(changed.TotalMs));
        yield return Row("wait for a worker, mean", Text(seen.StartDelayMs), Text(same.StartDelayMs), Text(changed.StartDelayMs));
        yield return Row("queued to ended, mean", Text(seen.LatencyMs), Text(same.LatencyMs), Text(changed.LatencyMs));
        yield return Row("most workers", Phrases.CountOr(seen.PeakWorkers), Phrases.CountOr(same.PeakWorkers), Phrases.CountOr(changed.PeakWorkers));
        yield return Row("largest backlog", Phrases.CountOr(seen.PeakBacklog), Phrases.CountOr(same.PeakBacklog), Phrases.CountOr(changed.PeakBacklog));
        yield return Row("starved", Text(seen.StarvedMs), Text(same.StarvedMs), Text(changed.StarvedMs));
    }

    static IEnumerable<string> Curves(PoolReport report, WhatIfAnswer answer)
    {
        var columns = WhatIfCurve.Of(report, answer, Columns);
        var lengthMs = columns.Count < 2 ? 0 : columns[1].FromMs * columns.Count;
        return
        [
            .. LaneRenderer.Lines("workers", [.. columns.Select(c => (double?)c.SeenWorkers)], [.. columns.Select(c => (double?)c.Workers)]),
            .. LaneRenderer.Lines("backlog", [.. columns.Select(c => (double?)c.SeenBacklog)], [.. columns.Select(c => (double?)c.Backlog)]),
            LaneRenderer.Axis(Columns, lengthMs),
            $"{"",10}o seen   * imagined   @ both",
        ];
    }

    static string Row(string what, string seen, string same, string changed) => $"  {what,-24}{seen,14}{same,18}{changed,20}".TrimEnd();

    static string Text(double? ms) => ms is { } known ? Format.Duration(known) : "?";
}
