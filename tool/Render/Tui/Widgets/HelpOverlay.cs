using System.Collections.Immutable;

namespace Tpwatch.Render.Tui.Widgets;

/// <summary>All keys, made from the table of bindings, and what the marks mean.</summary>
internal static class HelpOverlay
{
    const int KeyColumn = 2;
    const int TextColumn = 9;
    const int SecondColumn = 43;
    const int RoomForTwo = 80;

    public static void Draw(Pane pane)
    {
        Title(pane, 0, "keys");
        var y = 1 + (pane.Width >= RoomForTwo ? DrawKeysTwice(pane) : DrawKeys(pane, Bindings.All));

        if (y + 1 >= pane.Height)
        {
            return;
        }

        Title(pane, y++, "marks");
        foreach (var (name, text) in Legend(pane.Glyphs))
        {
            pane.Put(KeyColumn, y, name, Role.KeyName);
            foreach (var line in Words.Wrap(text, pane.Width - TextColumn - 2, 2))
            {
                pane.Put(TextColumn + 2, y++, line);
            }
        }

        pane.Put(1, y, "Quitting leaves the target running and untouched.", Role.Faint);
    }

    static int DrawKeysTwice(Pane pane)
    {
        var half = (Bindings.All.Length + 1) / 2;
        DrawKeys(pane.Columns(SecondColumn, pane.Width), Bindings.All[half..]);
        return DrawKeys(pane.Columns(0, SecondColumn), Bindings.All[..half]);
    }

    static int DrawKeys(Pane pane, ImmutableArray<Binding> bindings)
    {
        for (var i = 0; i < bindings.Length; i++)
        {
            pane.Put(KeyColumn, i + 1, bindings[i].Show, Role.KeyName);
            pane.Put(TextColumn, i + 1, bindings[i].Help);
        }

        return bindings.Length;
    }

    static IEnumerable<(string Name, string Text)> Legend(GlyphSet glyphs) =>
    [
        ("inject", string.Join("  ", GapMark.Reasons.Select(r => $"{r.Mark.Letter} {r.Mark.Name}"))),
        ("", string.Join("  ", GapMark.WithoutReason.Select(m => $"{m.Letter} {m.Name}")) + "  * several"),
        ("verdict", "= fits the rule  ! early or late  ? no rule  x no data  o open"),
        ("gate", "G a look of the gate thread, bold where it added a worker (zoom to 0.1 s)"),
        ("lines", "solid threads  dashed goal  dotted min"),
        ("band", $"{glyphs.Starved} starved  ~ silent  % saturated  {glyphs.Calm} calm"),
        ("data", "x lost  ? not known; queue and cpu are maxima, done/s is a mean"),
    ];

    static void Title(Pane pane, int y, string text)
    {
        pane.Fill(y, pane.Glyphs.Rule, Role.Faint);
        pane.Put(1, y, $" {text} ", Role.Title);
    }
}
