using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>Every wait for a worker with its drawing and its sentence; the pool's other moves as a table.</summary>
sealed class WaitsSection
{
    /// <summary>What drawings may take of a page that must stay below a megabyte, characters; some three hundred.</summary>
    const int RoomForDrawings = 470_000;

    /// <summary>Rows of the table, a hundred characters each.</summary>
    const int MostRows = 2000;

    readonly PoolReport report;
    readonly TimeStyle time;

    WaitsSection(PoolReport report, TimeStyle time) => (this.report, this.time) = (report, time);

    public static Markup Of(PoolReport report, TimeStyle time) => new WaitsSection(report, time).Draw();

    Markup Draw()
    {
        var drawn = Drawn();
        var others = report.Gaps.Where(g => !drawn.ContainsKey(g.Number)).ToList();
        var waits = others.Count(GapLook.IsDrawn);
        return Markup.Of($"""
            <section id="waits"><h2>Injection delays</h2><p class="hint">{Phrases.Tally(report.Tally)}. Each is drawn to scale: the delay, what each gate check read, and the moments that the rule allows. <span class="keys"><kbd>↓</kbd> <kbd>↑</kbd> step through them.</span></p>
            {(waits > 0 ? Markup.Of($"<p class=\"hint\">{Format.Plural(waits, "more injection delay")} {(waits == 1 ? "is" : "are")} in the table below without a drawing. The JSON report has every gate check.</p>") : Markup.None)}<div id="gaps">{drawn.Values}</div>{Table(others, open: drawn.Count == 0)}</section>
            """);
    }

    // The most telling ones first, until the room is used; shown in the order in which they happened.
    SortedDictionary<int, Markup> Drawn()
    {
        var drawn = new SortedDictionary<int, Markup>();
        var room = RoomForDrawings;
        foreach (var gap in GapFields.MostTellingFirst(report.Gaps.Where(GapLook.IsDrawn)))
        {
            var markup = Article(gap);
            room -= markup.Source.Length;
            if (room < 0)
            {
                break;
            }

            drawn[gap.Number] = markup;
        }

        return drawn;
    }

    Markup Article(Gap gap) => Markup.Of(
        $"<article class=\"gap {GapLook.OfVerdict(gap.Verdict)}\" id=\"gap-{gap.Number}\" data-gap tabindex=\"-1\"><h3>"
            + $"<b class=\"mark {GapLook.Of(gap)}\">{GapMark.Of(gap).Letter.ToString()}</b> {DecisionWord.Plain(gap)} <span>"
            + $"{GapFields.Goal(gap).Replace("->", "→", StringComparison.Ordinal)}</span> <span class=\"tag\">{GapFields.Judged(gap)}"
            + $"</span> <time>{time.Clock(report.Timeline, gap.End)}</time> <small>#{gap.Number}</small></h3>{GapSvg.Draw(gap)}<p>"
            + $"{Words.OneLine(gap.Because)}"
            + $"{Earlier(gap)} "
            + $"<small>cpu {GapFields.Cpu(gap)}, queue {GapFields.Queue(gap)}.</small></p></article>");

    static Markup Earlier(Gap gap) => gap.Ticks.IsEmpty || GapFields.UntoldTicks(gap) is not { } earlier
        ? Markup.None
        : Markup.Of($" <small>{Sentence.Of(earlier)}</small>");

    // Folded only where something else is there to step to: the tab key passes what is folded.
    Markup Table(List<Gap> others, bool open)
    {
        if (others.Count == 0)
        {
            return Markup.None;
        }

        var shown = others.Skip(Math.Max(0, others.Count - MostRows)).ToList();
        var left = others.Count - shown.Count;
        return Markup.Of(
            $"<details id=\"moves\"{new Markup(open ? " open" : "")}><summary>"
                + $"{Format.Plural(others.Count, "thread count adjustment")}"
                + $"{(left > 0 ? $", the newest {Format.Count(shown.Count)} of them" : "")}</summary><div class=\"scroll\"><table>"
                + $"<thead><tr><th>#<th>{(time == TimeStyle.Utc ? "UTC" : "seconds")}<th>reason<th>target<th>delay<th>judgment</thead>"
                + $"<tbody>{shown.Select(Row)}</tbody></table></div></details>");
    }

    Markup Row(Gap gap) => Markup.Of(
        $"<tr id=\"gap-{gap.Number}\" data-gap tabindex=\"-1\"><td>{gap.Number}<td>{time.Clock(report.Timeline, gap.End)}<td>"
            + $"{DecisionWord.Plain(gap)}<td>{GapFields.Goal(gap)}<td>{GapFields.Length(gap)}<td>{GapFields.Judged(gap)}");
}
