using System.Text;

namespace Tpwatch.Screen.State;

/// <summary>How lines are drawn.</summary>
enum LineStyle
{
    /// <summary>Eight dots a cell.</summary>
    Dots,

    /// <summary>One row a value, with corners.</summary>
    Steps,
}

/// <summary>The runes the screen is made of.</summary>
sealed record GlyphSet
{
    /// <summary>For terminals with a modern font.</summary>
    public static GlyphSet Braille { get; } = new() { Lines = LineStyle.Dots, Ramp = "▁▂▃▄▅▆▇█" };

    /// <summary>For the console: only what code page 437 holds.</summary>
    public static GlyphSet Block { get; } = new() { Lines = LineStyle.Steps, Ramp = "_▄▄█", Side = '│' };

    /// <summary>For everything else.</summary>
    public static GlyphSet Ascii { get; } = new()
    {
        Lines = LineStyle.Steps, Ramp = ".#", Side = '|', Rule = '-', Starved = '=', Calm = '.',
        Corner = '+', CornerRight = '+', Tick = '+', StepRow = '-', StepColumn = '|', StepCorners = "++++", IsAscii = true,
    };

    /// <summary>How lines are drawn.</summary>
    public required LineStyle Lines { get; init; }

    /// <summary>Areas: from the least that is not nothing to full.</summary>
    public required string Ramp { get; init; }

    /// <summary>Between gutter and lane.</summary>
    public char Side { get; init; } = '┊';

    /// <summary>Between parts of the screen, and the foot of the axis.</summary>
    public char Rule { get; init; } = '─';

    public char Starved { get; init; } = '▒';

    /// <summary>Seen, and nothing the matter.</summary>
    public char Calm { get; init; } = '·';

    /// <summary>The axis's left end.</summary>
    public char Corner { get; init; } = '└';

    /// <summary>The axis's right end.</summary>
    public char CornerRight { get; init; } = '┘';

    /// <summary>A tick of the axis.</summary>
    public char Tick { get; init; } = '┬';

    /// <summary>A step line that stays.</summary>
    public char StepRow { get; init; } = '─';

    /// <summary>A step line that changes by more than a row.</summary>
    public char StepColumn { get; init; } = '│';

    /// <summary>Corners of a step line: up from the left, up to the right, down from the left, down to the right.</summary>
    public string StepCorners { get; init; } = "┘┌┐└";

    /// <summary>Whether nothing but ASCII may appear, texts included.</summary>
    public bool IsAscii { get; init; }

    /// <summary>The rune as this set may show it.</summary>
    public Rune Show(Rune rune) => IsAscii ? Runes.Ascii(rune) : Runes.Narrow(rune);
}
