using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The meaning of the marks in words: a legend of the marks on the screen, and the meaning of the mark under the cursor.</summary>
static class MarkWords
{
    /// <summary>Minimum length of a shown delay, milliseconds.</summary>
    const double Instant = 1;

    /// <summary>The mark under the cursor in a sentence, the most important first.</summary>
    public static IEnumerable<string> Parts(InjectionDelay delay, Scene scene)
    {
        yield return FormattableString.Invariant($"#{delay.Number} {DelayMark.Of(delay).Letter}: {DelayWords.Mark(delay)}");
        yield return delay.TargetThreadsBefore is { } before && delay.TargetThreadsAfter is { } after && before != after
            ? FormattableString.Invariant($"{before}->{after}") : "";
        yield return delay.ObservedMs is >= Instant and { } ms ? $"after {Format.Duration(ms)}" : "";
        yield return Judgement(delay);
        yield return "enter: why";
        yield return scene.AtTime(delay.End);
    }

    /// <summary>Returns a part of the legend for each kind of mark on the screen.</summary>
    public static IEnumerable<string> Legend(Scene scene, TimeWindow window, Fold fold, GlyphSet glyphs)
    {
        var marks = scene.Marks.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)).SelectMany(MarkerLane.Winners)
            .OrderBy(g => DelayMark.Of(g).Rank).ThenByDescending(DelayMark.IsInjection)
            .Select(g => $"{DelayMark.Of(g).Letter} {DelayWords.Mark(g)}");
        var bands = BandLane.Shown(scene, window).Select(e => $"{BandLane.Mark(e.Kind, glyphs).Rune} {VerdictWords.Mark(e.Kind)}");
        var unknown = fold.Columns.Any(c => c is { Seen: true, Lost: false } && (c.QueueLength < 0 || !(c.Cpu >= 0)));
        // Unknown values and lost events come before the calm mark, because both limit how far the picture can be trusted.
        return marks.Concat(bands)
            .Append(fold.Columns.Any(c => c.Lost) ? "x events lost" : "")
            .Append(unknown ? "? not known" : "")
            .Append(MovedByClimbing(scene, window, fold) ? "threads change: hill climbing (d shows it)" : "")
            .Append(BandLane.IsCalmSomewhere(scene, window, fold) ? $"{glyphs.Calm} no item known to wait 1 s" : "")
            .Append(glyphs.Lines == LineStyle.Dots && fold.Columns.Any(IsTargetApart) ? "dashed: target" : "")
            // Keeps one meaning per character: if a lane and the band below both use a character, the meaning in the lane is more precise.
            .Where(part => part.Length > 0).DistinctBy(part => part[0]).ToImmutableArray();
    }

    static bool IsTargetApart(Column column) =>
        column.TargetThreads >= 0 && column.Workers.IsKnown && column.TargetThreads != column.Workers.Last;

    /// <summary>Whether the line of threads on the screen changes only because of hill climbing, and no mark shows it.</summary>
    public static bool MovedByClimbing(Scene scene, TimeWindow window, Fold fold) =>
        !scene.State.Show.AllMarks && !scene.Report.InjectionDelays.Any(DelayMark.IsInjection) && !LaneRanges.Of(fold).FlatThreads
        && scene.Report.InjectionDelays.Any(g => g.IsClimbing && window.Shows(g.End) && g.TargetThreadsBefore is { } before
            && g.TargetThreadsAfter != before);

    // Other judgements have no word, because the row is short.
    static string Judgement(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.AsExpected => DelayWords.Of(delay.Verdict),
        DelayVerdict.Early or DelayVerdict.Late => DelayWords.Distance(delay),
        _ => "",
    };
}
