using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Widgets;

/// <summary>All keys, made from the table of bindings, and what the marks mean; longer than a small screen, where it is scrolled.</summary>
static class HelpOverlay
{
    const int KeyColumn = 2;
    const int TextColumn = 9;
    const int SecondColumn = 41;
    const int RoomForTwo = 80;

    /// <summary>A mark and its name are not broken apart.</summary>
    const char Glued = '\u00A0';

    /// <summary>Marks have longer names than keys.</summary>
    const int MarkColumn = 11;

    public static void Draw(Pane pane, ViewState state)
    {
        TextBlock.Title(pane.Rows(0, 1),
            $"help for {Views.AllViews.Of(state.View).Title}{(pane.Width < RoomForTwo ? "" : "; keys of other views are faint")}");
        var body = pane.Rows(1, pane.Height - 1);
        var lines = Keys(state.View, pane.Width).Concat(Marks(pane.Width, pane.Glyphs)).ToList();
        var top = Math.Clamp(state.Scroll, 0, Math.Max(0, lines.Count - body.Height));
        for (var y = 0; y < body.Height && top + y < lines.Count; y++)
        {
            foreach (var (x, text, role) in lines[top + y])
            {
                body.Put(x, y, text, role);
            }
        }

        if (lines.Count - top > body.Height)
        {
            pane.PutEndingAt(pane.Width - 2, 0, " more: pgdn ", Role.Title);
        }
    }

    static IEnumerable<(int X, string Text, Role Role)[]> Keys(ViewName view, int width)
    {
        // What is of use here comes first, on a small screen before the rest is scrolled to.
        var all = Bindings.All.OrderByDescending(b => b.On.Has(view)).ThenByDescending(b => b.IsHintedOn(view)).ToList();
        return width < RoomForTwo ? all.Select(b => Key(b, view, 0).ToArray())
            : all.Chunk(2).Select(pair => Key(pair[0], view, 0).Concat(pair.Length > 1 ? Key(pair[1], view, SecondColumn) : []).ToArray());
    }

    static IEnumerable<(int X, string Text, Role Role)> Key(Binding binding, ViewName view, int x)
    {
        var here = binding.On.Has(view);
        yield return (x + KeyColumn, binding.Show, here ? Role.KeyName : Role.Faint);
        yield return (x + TextColumn, binding.Help, here ? Role.Text : Role.Faint);
    }

    static IEnumerable<(int X, string Text, Role Role)[]> Marks(int width, GlyphSet glyphs)
    {
        yield return [(KeyColumn, "", Role.Text)];
        foreach (var (name, text) in Legend(glyphs))
        {
            var first = true;
            foreach (var line in TextFit.Wrap(
                text.Replace("  ", "\n", StringComparison.Ordinal).Replace(' ', Glued)
                    .Replace("\n", "  ", StringComparison.Ordinal), width - MarkColumn - 2, int.MaxValue))
            {
                yield return [(KeyColumn, first ? name : "", Role.KeyName), (MarkColumn, line.Replace(Glued, ' '), Role.Text)];
                first = false;
            }
        }

        yield return [(KeyColumn, "Quitting leaves the process running, unless tpwatch started it.", Role.Faint)];
    }

    static IEnumerable<(string Name, string Text)> Legend(GlyphSet glyphs) =>
    [
        ("inject", string.Join("  ", GapMark.Reasons.Select(r => $"{r.Mark.Letter} {r.Mark.Name}"))),
        ("", string.Join("  ", GapMark.WithoutReason.Select(m => $"{m.Letter} {m.Name}")) + "  * several"),
        ("judged", "(d shows it) = as expected  ! early or late  ? unexplained  x not judged  o not over"),
        ("tabs", "new: findings that you have not read; press a to mark one as read"),
        ("gate", "G a gate check, bold if it added a thread (zoom in to 0.1 s)"),
        ("lines", "solid threads  dashed target  dotted MinThreads"),
        ("band", $"{glyphs.Starved} starved  ~ undetected starvation  m starved at MaxThreads  "
            + $"% saturated  ! wedged or held  {glyphs.Calm} no item known to wait 1 s"),
        ("data", "x events lost  ? not known  queue and cpu show the maximum, item/s the mean"),
    ];
}
