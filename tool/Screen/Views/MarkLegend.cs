using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>What the marks of the screen mean.</summary>
static class MarkLegend
{
    /// <summary>A mark and its name are not broken apart.</summary>
    const char Glued = '\u00A0';

    const int Indent = 9;

    /// <summary>Lines for a help text; those of a group that holds every word, all where there are none.</summary>
    public static IEnumerable<TextLine> Lines(GlyphSet glyphs, int width, string search)
    {
        foreach (var (name, text) in Legend(glyphs).Where(l => $"{l.Name} {l.Text}".Contains(search, StringComparison.OrdinalIgnoreCase)))
        {
            var glued = string.Join("  ", text.Split("  ").Select(part => part.Replace(' ', Glued)));
            foreach (var line in TextBlock.Labelled(name, glued, Indent, width))
            {
                yield return line with { Text = line.Text.Replace(Glued, ' ') };
            }
        }
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
