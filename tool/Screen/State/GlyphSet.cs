using System.Text;

namespace Tpwatch.Screen.State;

/// <summary>How lines are drawn.</summary>
enum LineStyle
{
    /// <summary>Braille: eight dots per cell.</summary>
    Dots,

    /// <summary>A step line with corners; a value takes the whole row.</summary>
    Steps,
}

/// <summary>The characters that the screen is drawn with.</summary>
sealed record GlyphSet
{
    /// <summary>For terminals with a modern font.</summary>
    public static GlyphSet Braille { get; } = new() { Lines = LineStyle.Dots, Ramp = "▁▂▃▄▅▆▇█" };

    /// <summary>For the Linux console: only the characters of code page 437.</summary>
    public static GlyphSet Block { get; } = new() { Lines = LineStyle.Steps, Ramp = "_▄▄█", Side = '│' };

    /// <summary>For all other terminals.</summary>
    public static GlyphSet Ascii { get; } = new()
    {
        Lines = LineStyle.Steps, Ramp = ".#", Side = '|', Rule = '-', Starved = '=', Calm = '.',
        Corner = '+', CornerRight = '+', Tick = '+', StepRow = '-', StepColumn = '|', StepCorners = "++++", IsAscii = true,
    };

    /// <summary>How lines are drawn.</summary>
    public required LineStyle Lines { get; init; }

    /// <summary>Characters of filled areas, from the least value above zero to a full cell.</summary>
    public required string Ramp { get; init; }

    /// <summary>The line between gutter and lane.</summary>
    public char Side { get; init; } = '┊';

    /// <summary>The line between parts of the screen, and below the time axis.</summary>
    public char Rule { get; init; } = '─';

    public char Starved { get; init; } = '▒';

    /// <summary>A time that the capture covers and in which nothing was wrong.</summary>
    public char Calm { get; init; } = '·';

    /// <summary>The left end of the time axis.</summary>
    public char Corner { get; init; } = '└';

    /// <summary>The right end of the time axis.</summary>
    public char CornerRight { get; init; } = '┘';

    /// <summary>A tick mark of the time axis.</summary>
    public char Tick { get; init; } = '┬';

    /// <summary>A step line where the value is constant.</summary>
    public char StepRow { get; init; } = '─';

    /// <summary>A step line where the value changes by more than a row.</summary>
    public char StepColumn { get; init; } = '│';

    /// <summary>Corners of a step line: up from the left, up to the right, down from the left, down to the right.</summary>
    public string StepCorners { get; init; } = "┘┌┐└";

    /// <summary>Whether only ASCII may appear, in texts too.</summary>
    public bool IsAscii { get; init; }

    /// <summary>The rune itself, or the replacement that this set shows for it.</summary>
    public Rune Show(Rune rune) => IsAscii ? Runes.Ascii(rune) : Runes.Narrow(rune);
}
