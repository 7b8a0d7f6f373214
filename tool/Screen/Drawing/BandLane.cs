using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>Draws the band of episodes by kind, and a calm mark where the queue length is known and no episode covers the column.</summary>
static class BandLane
{
    /// <summary>Number of columns from one mark of an unknown interval to the next mark.</summary>
    const int UnknownEvery = 4;

    public static void Draw(Pane plot, Scene scene, TimeWindow window, Fold fold)
    {
        var timeline = scene.Timeline;
        for (var x = 0; x < fold.Columns.Length; x++)
        {
            DrawGround(plot, x, fold);
        }

        foreach (var episode in scene.Report.Episodes)
        {
            Fill(plot, window, Lasting(episode, timeline.Now), episode.Kind);
        }
    }

    /// <summary>Returns the share of the visible capture time in which items waited, 0 to 1; null when nothing is visible.</summary>
    public static double? Share(Scene scene, TimeWindow window)
    {
        var timeline = scene.Timeline;
        var from = Later(window.From, timeline.Buckets.TimeOf(timeline.Buckets.FirstIndex));
        var visible = new EventSpan(from, Earlier(window.To, timeline.Now));
        var starved = scene.Report.Episodes.Select(e => Lasting(e, timeline.Now))
            .Sum(s => Math.Max(0, Earlier(s.To, visible.To).MsSince(Later(s.From, visible.From))));
        return visible.Ms > 0 ? Math.Min(1, starved / visible.Ms) : null;
    }

    /// <summary>Whether the screen has a column with the calm mark: the queue length is known, and there is no episode.</summary>
    public static bool IsCalmSomewhere(Scene scene, TimeWindow window, Fold fold)
    {
        var bands = Shown(scene, window).Select(e => Lasting(e, scene.Timeline.Now))
            .Select(span => (From: window.XOf(span.From), To: window.XOf(span.To))).ToArray();
        return Enumerable.Range(0, fold.Columns.Length).Any(x => fold.Columns[x] is { Seen: true, Lost: false, QueueLength: >= 0 }
            && !bands.Any(band => band.From <= x && x <= band.To));
    }

    // Draws the calm mark only where the queue length is known; elsewhere items may have waited.
    static void DrawGround(Pane plot, int x, Fold fold)
    {
        var column = fold.Columns[x];
        var unknown = column.QueueLength < 0 || column.Lost;
        if (column.Seen && (!unknown || (fold.First + x) % UnknownEvery == 0))
        {
            plot.Put(x, 0, unknown ? column.Lost ? 'x' : '?' : plot.Glyphs.Calm, column.Lost ? Role.Lost : Role.Faint);
        }
    }

    /// <summary>Returns the episodes that are partly or fully on the screen.</summary>
    public static IEnumerable<StarvedEpisode> Shown(Scene scene, TimeWindow window) => scene.Report.Episodes
        .Where(e => Lasting(e, scene.Timeline.Now) is var span && span.To >= window.From && span.From < window.To);

    public static (char Rune, Role Role) Mark(Verdict kind, GlyphSet glyphs) => kind switch
    {
        Verdict.SilentlyStarved => ('~', Role.Starvation),
        Verdict.Saturated => ('%', Role.Cpu),
        Verdict.StarvedAtMax => ('m', Role.Starvation),
        Verdict.Wedged or Verdict.Held => ('!', Role.Starvation),
        _ => (glyphs.Starved, Role.Starvation),
    };

    static EventSpan Lasting(StarvedEpisode episode, EventTime now) => episode.Over ? episode.Span : new(episode.Span.From, now);

    static void Fill(Pane plot, TimeWindow window, EventSpan span, Verdict kind)
    {
        if (span.To < window.From || span.From >= window.To)
        {
            return;
        }

        var (rune, role) = Mark(kind, plot.Glyphs);
        for (var x = Math.Max(0, window.XOf(span.From)); x <= Math.Min(window.XOf(span.To), window.Count - 1); x++)
        {
            plot.Put(x, 0, rune, role);
        }
    }

    static EventTime Later(EventTime a, EventTime b) => a > b ? a : b;

    static EventTime Earlier(EventTime a, EventTime b) => a < b ? a : b;
}
