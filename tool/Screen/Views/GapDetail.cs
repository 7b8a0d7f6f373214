using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>One gap under its title: the drawing, why, and with room left what is known beyond.</summary>
static class GapDetail
{
    /// <summary>Draws the title and, as far as there is room, the delay to scale.</summary>
    public static void Draw(Pane pane, Gap gap)
    {
        TextBlock.Title(pane.Rows(0, 1), Heading(gap, pane.Width - 4));
        GapDrawing.Draw(pane.Rows(1, pane.Height - 1), gap);
    }

    /// <summary>Rows that <see cref="Draw"/> fills of those that there are.</summary>
    public static int Rows(Gap gap, int room) => 1 + GapDrawing.Rows(gap, room - 1);

    /// <summary>The gap as text: what happened, why, each tick, and how the ends are known.</summary>
    public static IEnumerable<TextLine> Lines(Scene scene, Gap gap, int width)
    {
        foreach (var line in TextFit.Wrap(gap.Because, width, int.MaxValue))
        {
            yield return new(line);
        }

        foreach (var line in GapText.Ticks(gap).SelectMany(t =>
            TextFit.Wrap(t, width - 2, int.MaxValue).Select((l, i) => i == 0 && !t.StartsWith('>') ? "  " + l : i == 0 ? l : "    " + l)))
        {
            yield return new(line, Role.Faint);
        }

        foreach (var line in TextFit.Wrap(Known(scene, gap), width, int.MaxValue))
        {
            yield return new(line, Role.Faint);
        }
    }

    // The rule's code says as much as its name, to who looks it up.
    static string Heading(Gap gap, int room)
    {
        var (code, name) = (Words.CodeOrNothing(gap.Mechanism), RuleNames.Of(gap.Mechanism));
        var whole = Heading(gap, $"{code} {name}".Trim());
        return whole.Length <= room ? whole : Heading(gap, code);
    }

    static string Heading(Gap gap, string rule) => string.Join("  ", new[]
    {
        FormattableString.Invariant($"#{gap.Number}"),
        $"{GapMark.Of(gap).Letter} {GapMark.Of(gap).Name}",
        GapTable.Goal(gap) is { Length: > 0 } goal ? $"target {goal}" : "",
        VerdictWords.Of(gap),
        rule,
    }.Where(part => part.Length > 0));

    static string Known(Scene scene, Gap gap)
    {
        var (at, open) = (Format.Utc(scene.Timeline.UtcOf(gap.End)), gap.Verdict == GapVerdict.Open);
        var queue = gap.Backlog is { } backlog
            ? $"At the last counter sample before that, {Format.Plural(backlog, "item")} waited"
            : "The queue length is not known";
        var cpu = gap.Cpu is { } share && double.IsFinite(share) ? $"cpu was {Format.Percent(share)} during the delay" : "cpu is not known";
        return $"The delay {(open ? "was not over at" : "ended at")} {at}. {queue}; {cpu}. The start of the delay is "
            + $"{Known(gap.StartBasis)}{(open ? "" : $", its end {Known(gap.EndBasis)}")}.";
    }

    static string Known(Basis basis) => basis switch
    {
        Basis.Observed => "known from an event",
        Basis.Inferred => "inferred",
        _ => "not known",
    };
}
