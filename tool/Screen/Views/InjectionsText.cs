using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>What stands above the list of events, and instead of it.</summary>
static class InjectionsText
{
    /// <summary>Why there is no row.</summary>
    public static string Nothing(Scene scene) => scene.Events.IsEmpty
        ? "No event yet: the pool has not changed its target thread count since the capture began."
        : "No row matches. esc shows all rows.";

    /// <summary>How many rows there are of each reason and judgment, and which are shown.</summary>
    public static IEnumerable<string> Summary(Scene scene, int shown)
    {
        var events = scene.Events;
        var reasons = GapMark.Reasons.Select(r => (r.Mark.Letter, Count: events.Count(g => g.Reason == r.Reason))).Where(r => r.Count > 0);
        var counts = string.Join(' ', reasons.Select(r => $"{r.Letter}{Format.Brief(r.Count)}"));
        yield return $"{Format.Plural(events.Length, "row")}  {counts}".TrimEnd();
        var list = scene.State.List;
        var narrowed = string.Join(
            " /", new[] { list.Verdicts == VerdictChoice.All ? "" : list.VerdictWord, list.Filter }.Where(w => w.Length > 0));
        yield return list.IsNarrowed ? $"showing {Format.Brief(shown)}: {(list.Verdicts == VerdictChoice.All ? "/" : "")}{narrowed}" : "";
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"as expected {Of(events, GapVerdict.Fits)}  early {Of(events, GapVerdict.Early)}  "
                + $"late {Of(events, GapVerdict.Late)}  unexplained {Of(events, GapVerdict.NoRule)}");
        yield return scene.Report.Evicted > 0 ? $"{Format.Brief(scene.Report.Evicted)} older discarded" : "";
    }

    static int Of(IEnumerable<Gap> events, GapVerdict verdict) => events.Count(g => g.Verdict == verdict);
}
