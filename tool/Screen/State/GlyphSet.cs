using System.Text;

namespace Tpwatch.Screen.State;

/// <summary>How lines are drawn.</summary>
enum LineStyle
{
    /// <summary>Braille: eight dots per cell.</summary>
    Dots,

    /// <summary>A step line with corners; each value is one whole row of cells.</summary>
    Steps,
}

/// <summary>The characters that the screen is drawn with.</summary>
sealed record GlyphSet
{
    /// <summary>Glyphs for terminals with a modern font.</summary>
    public static GlyphSet Braille { get; } = new() { Lines = LineStyle.Dots, Ramp = "▁▂▃▄▅▆▇█" };

    /// <summary>Glyphs for the Linux console: only the characters of code page 437.</summary>
    public static GlyphSet Block { get; } = new() { Lines = LineStyle.Steps, Ramp = "_▄▄█", Side = '│' };

    /// <summary>Glyphs for all other terminals.</summary>
    public static GlyphSet Ascii { get; } = new()
    {
        Lines = LineStyle.Steps, Ramp = ".#", Side = '|', Rule = '-', Starved = '=', Calm = '.',
        Corner = '+', CornerRight = '+', Tick = '+', StepRow = '-', StepColumn = '|', StepCorners = "++++", IsAscii = true,
    };

    /// <summary>How lines are drawn.</summary>
    public required LineStyle Lines { get; init; }

    /// <summary>Characters of filled areas, from the smallest value above zero to a full cell.</summary>
    public required string Ramp { get; init; }

    /// <summary>Character of the line between gutter and lane.</summary>
    public char Side { get; init; } = '┊';

    /// <summary>Character of the line between parts of the screen, and below the time axis.</summary>
    public char Rule { get; init; } = '─';

    public char Starved { get; init; } = '▒';

    /// <summary>Character for a time that the capture covers and in which nothing was wrong.</summary>
    public char Calm { get; init; } = '·';

    /// <summary>Character at the left end of the time axis.</summary>
    public char Corner { get; init; } = '└';

    /// <summary>Character at the right end of the time axis.</summary>
    public char CornerRight { get; init; } = '┘';

    /// <summary>Character of a tick mark on the time axis.</summary>
    public char Tick { get; init; } = '┬';

    /// <summary>Character of a step line where the value is constant.</summary>
    public char StepRow { get; init; } = '─';

    /// <summary>Character of a step line where the value changes by more than one row.</summary>
    public char StepColumn { get; init; } = '│';

    /// <summary>Corners of a step line: up from the left, up to the right, down from the left, down to the right.</summary>
    public string StepCorners { get; init; } = "┘┌┐└";

    /// <summary>Whether only ASCII characters may appear, also in texts.</summary>
    public bool IsAscii { get; init; }

    /// <summary>Returns the rune itself, or the character that this set shows instead of the rune.</summary>
    public Rune Show(Rune rune) => IsAscii ? Runes.Ascii(rune) : Runes.Narrow(rune);
}
