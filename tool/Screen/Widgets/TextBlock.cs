using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;

namespace Tpwatch.Screen.Widgets;

/// <summary>A line of a text and how it looks.</summary>
readonly record struct TextLine(string Text, Role Role = Role.Text);

/// <summary>Text that may be longer than its place: it is scrolled, and says so.</summary>
static class TextBlock
{
    /// <summary>Draws the lines from <paramref name="scroll"/> on; never scrolls beyond the last page.</summary>
    public static void Draw(Pane pane, IReadOnlyList<TextLine> lines, int scroll)
    {
        var room = lines.Count > pane.Height ? pane.Height - 1 : pane.Height;
        var top = Math.Clamp(scroll, 0, Math.Max(0, lines.Count - room));
        for (var y = 0; y < room && top + y < lines.Count; y++)
        {
            pane.Put(1, y, lines[top + y].Text, lines[top + y].Role);
        }

        var below = lines.Count - top - room;
        if (room < pane.Height)
        {
            pane.PutEndingAt(pane.Width - 1, room, below > 0 ? $"{Format.Plural(below, "more line")}: pgdn" : "the end: pgup", Role.Faint);
        }
    }

    /// <summary>A label at the left and beside it the text, wrapped at blanks.</summary>
    public static IEnumerable<TextLine> Labelled(string label, string text, int indent, int width, Role role = Role.Text) =>
        TextFit.Wrap(text, Math.Max(1, width - indent), int.MaxValue)
            .Select((line, i) => new TextLine((i == 0 ? label : "").PadRight(indent) + line, role));

    /// <summary>A rule across with a title on it.</summary>
    public static void Title(Pane line, string text)
    {
        line.Fill(0, line.Glyphs.Rule, Role.Faint);
        line.Put(1, 0, $" {TextFit.Cut(text, line.Width - 4)} ", Role.Title);
    }
}
