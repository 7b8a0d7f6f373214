using System.Runtime.CompilerServices;
using System.Text;

namespace Tpwatch.Export;

/// <summary>
/// A piece of HTML or SVG, made only from interpolated strings: the literal parts are markup, the interpolated values are text and are
/// escaped unless they are <see cref="Markup"/> themselves. So text from a target cannot become markup by mistake.
/// </summary>
readonly record struct Markup(string Source)
{
    /// <summary>Empty markup.</summary>
    public static Markup None { get; } = new("");

    /// <summary>The markup of an interpolated string.</summary>
    public static Markup Of(MarkupBuilder builder) => new(builder.Taken());

    /// <summary>The pieces, concatenated.</summary>
    public static Markup Join(IEnumerable<Markup> pieces) => new(string.Concat(pieces.Select(p => p.Source)));

    public override string ToString() => Source;
}

/// <summary>Builds a piece of markup; the compiler calls it for an interpolated string.</summary>
[InterpolatedStringHandler]
readonly ref struct MarkupBuilder(int literalLength, int formattedCount)
{
    /// <summary>Average length of an interpolated value, characters.</summary>
    const int HoleLength = 12;

    readonly StringBuilder text = new(literalLength + formattedCount * HoleLength);

    /// <summary>A literal part: markup as it is.</summary>
    public void AppendLiteral(string literal) => text.Append(literal);

    /// <summary>Text, escaped; safe inside elements and quoted attributes.</summary>
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

    /// <summary>A coordinate, rounded to a tenth of a unit, which is less than a pixel.</summary>
    public void AppendFormatted(double value) => text.Append(Math.Round(value, 1).ToString(CultureInfo.InvariantCulture));

    /// <summary>A whole number.</summary>
    public void AppendFormatted(long value) => text.Append(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>A whole number.</summary>
    public void AppendFormatted(int value) => text.Append(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>The markup built.</summary>
    public string Taken() => text.ToString();

    // Control characters, characters that change the direction of writing, and characters that XML does not allow.
    static bool IsDropped(char c) =>
        char.IsControl(c) || c is >= '\u202A' and <= '\u202E' or >= '\u2066' and <= '\u2069' or '\uFFFE' or '\uFFFF';
}

/// <summary>The style sheets and the script of the HTML page, and the scripts for shells, read from embedded resources.</summary>
static class Assets
{
    /// <summary>The style of the lanes; the only style sheet in a timeline that is a file of its own.</summary>
    public static string TimelineCss => Read("timeline.css");

    /// <summary>The style of the page.</summary>
    public static string PageCss => Read("page.css");

    /// <summary>The script of the page: a cursor over the timeline, and keys that step through the injection delays.</summary>
    public static string PageScript => Read("page.js");

    /// <summary>What completes a command line in a shell.</summary>
    public static string Completion(string shell) => Read($"completion.{shell}");

    static string Read(string name)
    {
        using var stream = typeof(Assets).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
