using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>A line of text and its role.</summary>
readonly record struct TextLine(string Text, Role Role = Role.Text);

/// <summary>Draws and wraps lines of text.</summary>
static class TextBlock
{
    /// <summary>Draws the lines that fit, and the number of the remaining lines.</summary>
    public static void Draw(Pane pane, IReadOnlyList<TextLine> lines)
    {
        var room = lines.Count > pane.Height ? pane.Height - 1 : pane.Height;
        for (var y = 0; y < room && y < lines.Count; y++)
        {
            pane.Put(1, y, lines[y].Text, lines[y].Role);
        }

        if (room < pane.Height)
        {
            pane.PutEndingAt(pane.Width - 1, room, Format.Plural(lines.Count - room, "more line"), Role.Faint);
        }
    }

    /// <summary>Returns lines with a label at the left and, right of the label, the text, wrapped at blanks.</summary>
    public static IEnumerable<TextLine> Labelled(string label, string text, int indent, int width, Role role = Role.Text) =>
        TextFit.Wrap(text, Math.Max(1, width - indent), int.MaxValue)
            .Select((line, i) => new TextLine((i == 0 ? label : "").PadRight(indent) + line, role));

    /// <summary>Draws a rule across the first row, with a title on it.</summary>
    public static void Title(Pane line, string text)
    {
        line.Fill(0, line.Glyphs.Rule, Role.Faint);
        line.Put(1, 0, $" {TextFit.Cut(text, line.Width - 4)} ", Role.Title);
    }
}
