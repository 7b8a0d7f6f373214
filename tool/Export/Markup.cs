using System.Runtime.CompilerServices;
using System.Text;

namespace Tpwatch.Export;

/// <summary>
/// A piece of HTML or SVG, built from interpolated strings. The literal parts are markup. The interpolated values are text and are escaped,
/// unless they are <see cref="Markup"/>. So text from a target cannot become markup by mistake.
/// </summary>
readonly record struct Markup(string Source)
{
    public static Markup None { get; } = new("");

    public static Markup Of(MarkupBuilder builder) => new(builder.Taken());

    /// <summary>Returns the pieces one after another.</summary>
    public static Markup Join(IEnumerable<Markup> pieces) => new(string.Concat(pieces.Select(p => p.Source)));

    public override string ToString() => Source;
}

/// <summary>Builds a piece of markup. The compiler calls the methods for the parts of an interpolated string.</summary>
[InterpolatedStringHandler]
readonly ref struct MarkupBuilder(int literalLength, int formattedCount)
{
    /// <summary>Expected length of an interpolated value, characters.</summary>
    const int HoleLength = 12;

    readonly StringBuilder text = new(literalLength + formattedCount * HoleLength);

    /// <summary>Appends a literal part without escaping.</summary>
    public void AppendLiteral(string literal) => text.Append(literal);

    /// <summary>Appends a text, escaped for use in elements and quoted attributes.</summary>
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

    /// <summary>Appends pieces of markup without escaping.</summary>
    public void AppendFormatted(IEnumerable<Markup> values)
    {
        foreach (var value in values)
        {
            text.Append(value.Source);
        }
    }

    /// <summary>Appends a coordinate, rounded to a tenth of a unit, which is less than a pixel.</summary>
    public void AppendFormatted(double value) => text.Append(Math.Round(value, 1).ToString(CultureInfo.InvariantCulture));

    public void AppendFormatted(long value) => text.Append(value.ToString(CultureInfo.InvariantCulture));

    public string Taken() => text.ToString();

    // Whether to leave out a character: control characters, characters that reverse the writing direction, and those XML forbids.
    static bool IsDropped(char c) =>
        char.IsControl(c) || c is >= '\u202A' and <= '\u202E' or >= '\u2066' and <= '\u2069' or '\uFFFE' or '\uFFFF';
}

/// <summary>Returns the embedded style sheets and script of the HTML page and the completion scripts for shells.</summary>
static class EmbeddedFiles
{
    /// <summary>The style of the timeline, on the page and in an SVG file.</summary>
    public static string TimelineCss => Read("timeline.css");

    /// <summary>The style of the rest of the page.</summary>
    public static string PageCss => Read("page.css");

    /// <summary>The script of the page, for the cursor over the timeline and for keys that step through the injection delays.</summary>
    public static string PageScript => Read("page.js");

    public static string Completion(string shell) => Read($"completion.{shell}");

    static string Read(string name)
    {
        using var stream = typeof(EmbeddedFiles).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
