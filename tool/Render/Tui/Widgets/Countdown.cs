using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;

namespace Tpwatch.Render.Tui.Widgets;

/// <summary>When the rule may add the next worker to a pool that starves now, counted from the newest data.</summary>
internal static class Countdown
{
    /// <summary>The next moments, such as <c>next worker in 0.3 s or 0.8 s</c>, the first alone when <paramref name="brief"/>; nothing when none is known to come.</summary>
    public static string Of(PoolReport report, bool brief)
    {
        if (!report.IsNow || report.Gaps.LastOrDefault() is not { Verdict: GapVerdict.Open, Start: { } start } open)
        {
            return "";
        }

        var now = report.Timeline.Now.MsSince(start);
        var ahead = open.Windows.Where(w => w.MaxMs >= now).Select(w => Until(w.MinMs - now)).Distinct().Take(brief ? 1 : 2).ToList();
        return ahead.Count == 0 ? "" : $"{(brief ? "+1 in" : "next worker in")} {string.Join(" or ", ahead)}";
    }

    static string Until(double ms) => ms <= 0 ? "now" : FormattableString.Invariant($"{Math.Ceiling(ms / 100) / 10:0.0} s");
}
