using System.Runtime.CompilerServices;
using System.Text;

namespace Tpwatch.Text;

/// <summary>
/// A piece of HTML or SVG. Made of interpolated strings alone: what is written in the source is markup, what is put into its holes is text
/// and is escaped, unless it is a piece of markup itself. So nothing that came from a target can become markup by an oversight.
/// </summary>
readonly record struct Markup(string Source)
{
    /// <summary>Nothing.</summary>
    public static Markup None { get; } = new("");

    /// <summary>The piece.</summary>
    public static Markup Of(MarkupBuilder builder) => new(builder.Taken());

    /// <summary>Pieces after each other.</summary>
    public static Markup Join(IEnumerable<Markup> pieces) => new(string.Concat(pieces.Select(p => p.Source)));

    public override string ToString() => Source;
}

/// <summary>Puts a piece of markup together; the compiler calls it for an interpolated string.</summary>
[InterpolatedStringHandler]
readonly ref struct MarkupBuilder(int literalLength, int formattedCount)
{
    /// <summary>What a hole holds on average.</summary>
    const int HoleLength = 12;

    readonly StringBuilder text = new(literalLength + formattedCount * HoleLength);

    /// <summary>What stands in the source.</summary>
    public void AppendLiteral(string literal) => text.Append(literal);

    /// <summary>Text; safe inside of elements and of quoted attributes.</summary>
    public void AppendFormatted(string? value)
    {
        foreach (var c in value ?? "")
        {
            _ = c switch
            {
                '&' => text.Append("&amp;"),
                '<' => text.Append("&lt;"),
                '>' => text.Append("&gt;"),
                '"' => text.Append("&quot;"),
                '\'' => text.Append("&#39;"),
                '\n' or '\t' => text.Append(' '),
                _ when IsDropped(c) => text,
                _ => text.Append(c),
            };
        }
    }

    public void AppendFormatted(Markup value) => text.Append(value.Source);

    /// <summary>Markup as it is, one piece after another.</summary>
    public void AppendFormatted(IEnumerable<Markup> values)
    {
        foreach (var value in values)
        {
            text.Append(value.Source);
        }
    }

    /// <summary>A coordinate: a tenth of a unit is less than a pixel.</summary>
    public void AppendFormatted(double value) => text.Append(Math.Round(value, 1).ToString(CultureInfo.InvariantCulture));

    /// <summary>A whole number.</summary>
    public void AppendFormatted(long value) => text.Append(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>A whole number.</summary>
    public void AppendFormatted(int value) => text.Append(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>What was put together.</summary>
    public string Taken() => text.ToString();

    // Controls, what turns the direction of writing, and what XML does not allow.
    static bool IsDropped(char c) =>
        char.IsControl(c) || c is >= '\u202A' and <= '\u202E' or >= '\u2066' and <= '\u2069' or '\uFFFE' or '\uFFFF';
}
