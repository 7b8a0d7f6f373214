using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>Draws injection delays with their milliseconds, and gate checks, at zooms that give each check its own column.</summary>
static class DelayLane
{
    /// <summary>Draws each delay from the last progress to the injection: <c>|----1001|</c>. A newer delay hides an older one.</summary>
    public static void DrawLengths(Pane plot, IEnumerable<InjectionDelay> delays, TimeWindow window)
    {
        foreach (var delay in Visible(delays, window))
        {
            var (from, to) = (window.XOf(delay.Start!.Value), window.XOf(delay.End));
            for (var x = from + 1; x < to; x++)
            {
                plot.Put(x, 0, plot.Glyphs.Rule, Role.Faint);
            }

            plot.Put(from, 0, '|', Role.Text);
            plot.Put(to, 0, '|', Role.Text);
            var number = FormattableString.Invariant($"{delay.ObservedMs:0}");
            if (number.Length < to - from)
            {
                plot.PutEndingAt(to, 0, number);
            }
        }
    }

    /// <summary>Draws a <c>G</c> for each gate check during a delay, highlighted if the check added a thread.</summary>
    public static void DrawTicks(Pane plot, IEnumerable<InjectionDelay> delays, TimeWindow window)
    {
        var visible = Visible(delays, window).ToList();
        foreach (var delay in visible)
        {
            for (var x = window.XOf(delay.Start!.Value); x <= window.XOf(delay.End); x++)
            {
                plot.Put(x, 0, plot.Glyphs.Calm, Role.Faint);
            }
        }

        foreach (var check in visible.SelectMany(g => g.Ticks).Where(t => window.Shows(t.At)))
        {
            plot.Put(window.XOf(check.At), 0, 'G', check.Fired ? Role.Starvation : Role.Text);
        }
    }

    static IEnumerable<InjectionDelay> Visible(IEnumerable<InjectionDelay> delays, TimeWindow window) =>
        delays.Where(g => g.Start is { } start && start < window.To && g.End >= window.From);
}

/// <summary>Draws a letter per adjustment or delay. A column shows the most important one, or a star for a tie.</summary>
static class MarkerLane
{
    const char Several = '*';

    public static void DrawReasons(Pane plot, IEnumerable<InjectionDelay> delays, TimeWindow window)
    {
        foreach (var column in delays.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)))
        {
            var marks = Winners(column).Select(DelayMark.Of).ToList();
            plot.Put(column.Key, 0, marks.Exists(m => m.Letter != marks[0].Letter) ? Several : marks[0].Letter, marks[0].Role);
        }
    }

    /// <summary>Returns the most important events of a column; only these are drawn.</summary>
    public static IEnumerable<InjectionDelay> Winners(IEnumerable<InjectionDelay> column)
    {
        var first = column.Min(delay => DelayMark.Of(delay).Rank);
        return column.Where(delay => DelayMark.Of(delay).Rank == first);
    }

    public static void DrawVerdicts(Pane plot, IEnumerable<InjectionDelay> delays, TimeWindow window)
    {
        foreach (var column in delays.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)))
        {
            var verdict = column.MinBy(g => Rank(g.Verdict))!.Verdict;
            plot.Put(column.Key, 0, DelayMark.OfVerdict(verdict), RoleOf(verdict));
        }
    }

    static Role RoleOf(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => Role.AsExpected,
        DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule => Role.Alarm,
        DelayVerdict.NoData => Role.Lost,
        DelayVerdict.Open => Role.Starvation,
        _ => Role.Text,
    };

    static int Rank(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.NoRule => 0,
        DelayVerdict.Early or DelayVerdict.Late => 1,
        DelayVerdict.Open => 2,
        DelayVerdict.NoData => 3,
        DelayVerdict.AsExpected => 4,
        _ => 5,
    };
}

/// <summary>The meaning of the marks in words: a legend of the marks on the screen, and the meaning of the mark under the cursor.</summary>
static class MarkWords
{
    /// <summary>Minimum delay that <see cref="Parts"/> mentions, milliseconds.</summary>
    const double Instant = 1;

    /// <summary>Returns the parts of a sentence about the mark under the cursor, the most important part first.</summary>
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
    public static IEnumerable<string> Legend(Scene scene, TimeWindow window, FoldedTimeline fold, GlyphSet glyphs)
    {
        var marks = scene.Marks.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)).SelectMany(MarkerLane.Winners)
            .OrderBy(g => DelayMark.Of(g).Rank).ThenByDescending(DelayMark.IsInjection)
            .Select(g => $"{DelayMark.Of(g).Letter} {DelayWords.Mark(g)}");
        var bands = EpisodeLane.Shown(scene, window).Select(e => $"{EpisodeLane.Mark(e.Kind, glyphs).Rune} {VerdictWords.Mark(e.Kind)}");
        var unknown = fold.Columns.Any(c => c is { Seen: true, Lost: false } && (c.QueueLength < 0 || !(c.Cpu >= 0)));
        // Unknown values and lost events come before the calm mark (a dot), because both limit how far the picture can be trusted.
        return marks.Concat(bands)
            .Append(fold.Columns.Any(c => c.Lost) ? "x events lost" : "")
            .Append(unknown ? "? not known" : "")
            .Append(MovedByClimbing(scene, window, fold) ? "threads change: hill climbing (d shows it)" : "")
            .Append(EpisodeLane.IsCalmSomewhere(scene, window, fold) ? $"{glyphs.Calm} no item known to wait 1 s" : "")
            .Append(glyphs.Lines == LineStyle.Dots && fold.Columns.Any(IsTargetApart) ? "dashed: target" : "")
            // Keeps only the first meaning of each character: a lane and the band below may share a character, and the lane comes first.
            .Where(part => part.Length > 0).DistinctBy(part => part[0]).ToImmutableArray();
    }

    static bool IsTargetApart(TimelineColumn column) =>
        column.TargetThreads >= 0 && column.Workers.IsKnown && column.TargetThreads != column.Workers.Last;

    /// <summary>Whether the line of threads on the screen changes only because of hill climbing, and no mark shows that change.</summary>
    public static bool MovedByClimbing(Scene scene, TimeWindow window, FoldedTimeline fold) =>
        !scene.State.Show.AllMarks && !scene.Report.InjectionDelays.Any(DelayMark.IsInjection) && !LaneScales.Of(fold).FlatThreads
        && scene.Report.InjectionDelays.Any(g => g.IsClimbing && window.Shows(g.End) && g.TargetThreadsBefore is { } before
            && g.TargetThreadsAfter != before);

    // Returns words for the verdicts as expected, early and late; nothing for others, because the row is short.
    static string Judgement(InjectionDelay delay) => delay.Verdict switch
    {
        DelayVerdict.AsExpected => DelayWords.Of(delay.Verdict),
        DelayVerdict.Early or DelayVerdict.Late => DelayWords.Distance(delay),
        _ => "",
    };
}

/// <summary>
/// The row below the marks: the time between mark A and mark B, else the selected mark in words, else a legend.
/// </summary>
static class MarkCaption
{
    public static void Draw(Pane row, Scene scene, TimeWindow window, FoldedTimeline fold)
    {
        if (scene.State.Measure is { } measure)
        {
            Measured(new LaneBox(row, ""), measure, window);
            return;
        }

        var text = (scene.State.Selected, scene.Selected) switch
        {
            (null, _) => TextFit.Fit(MarkWords.Legend(scene, window, fold, row.Glyphs), row.Width - 2),
            (_, { } delay) => TextFit.Fit(MarkWords.Parts(delay, scene), row.Width - 2),
            _ => FormattableString.Invariant($"Event #{scene.State.Selected} is no longer kept; f shows the newest"),
        };
        row.Put(1, 0, text, scene.State.Selected is null ? Role.Faint : Role.Title);
    }

    static void Measured(LaneBox lane, MarkedSpan measure, TimeWindow window)
    {
        Mark(lane, measure.A, 'A', window);
        Mark(lane, measure.B, 'B', window);
        if (measure.B is { } b)
        {
            lane.Note(0, $"AB {Format.Duration(Math.Abs(b.MsSince(measure.A)))}", Role.Title);
        }
    }

    static void Mark(LaneBox lane, EventTime? at, char letter, TimeWindow window)
    {
        if (at is { } moment && window.Shows(moment))
        {
            lane.Plot.Put(window.XOf(moment), 0, letter, Role.Title);
        }
    }
}

/// <summary>Texts with the number of injections in the whole capture, whatever time the screen shows.</summary>
static class InjectionCountText
{
    /// <summary>Returns the count for a tab; a plus sign means that there may have been more.</summary>
    public static string Count(PoolReport report) =>
        Format.Brief(report.InjectionDelays.Count(DelayMark.IsInjection)) + (MayBeMore(report) ? "+" : "");

    /// <summary>Returns the count as a note next to the marks, because the screen may show only some of the marks.</summary>
    public static string Note(PoolReport report) =>
        !report.InjectionDelays.Any(DelayMark.IsInjection) ? (IsNoneKnown(report) ? "none added" : "")
        // For task waits the target thread count is raised and lowered again, so a raise is not always an added thread.
        : report.InjectionDelays.Any(g => DelayMark.IsInjection(g) && g.Reason == AdjustmentReason.CooperativeBlocking)
            ? $"{Count(report)} raises" : $"{Count(report)} in all";

    // Whether the capture may have had more injections: some are no longer kept, or their events were lost.
    static bool MayBeMore(PoolReport report) => report.EvictedWaits > 0 || report.Timeline.Quality is not { Lost: 0, LossUnknown: false };

    // Whether the pool certainly added no thread; false if the pool reported no thread count at all.
    static bool IsNoneKnown(PoolReport report) => report.Timeline.Levels is not { Workers: null, TargetThreads: null }
        && !MayBeMore(report) && !report.InjectionDelays.Any(MayBeARise);

    // Whether an adjustment for task waits may be a rise: the target thread count before the first adjustment is not known.
    static bool MayBeARise(InjectionDelay delay) => delay is { Reason: AdjustmentReason.CooperativeBlocking, TargetThreadsBefore: null };
}
