using System.Text;
using Tpwatch.Text;

namespace Tpwatch.Screen.Commands;

/// <summary>The values of <c>--theme</c>.</summary>
enum ThemeMode
{
    Auto,
    Dark,
    Light,
    Sixteen,
    Mono,
}

/// <summary>
/// A theme: the style of each role. Backgrounds are the terminal's own. Nothing blinks, and no necessary text is faint. The colours are
/// those of Okabe and Ito, which colour-blind users can tell apart. The contrast of each colour to the background is 4.3 or more.
/// </summary>
sealed class Theme(string name, Func<Role, Style> look)
{
    readonly Style[] styles = [.. Enum.GetValues<Role>().Select(look)];

    public static Theme Dark { get; } =
        new("dark", role => TrueColor(role, new Inks(0xD55E00, 0x56B4E9, 0xF0E442, 0x8A8A8A, 0xE69F00, 0x009E73)));

    public static Theme Light { get; } =
        new("light", role => TrueColor(role, new Inks(0xB34700, 0x0072B2, Colour.Own, 0x6A6A6A, 0x8F6200, 0x00785A)));

    public static Theme Sixteen { get; } = new("16", Palette);
    public static Theme Mono { get; } = new("mono", Colourless);

    /// <summary>The name of the theme, spelled as for <c>--theme</c>.</summary>
    public string Name => name;

    public Style this[Role role] => styles[(int)role];

    /// <summary>Returns the theme for a mode and a number of colours. In mode Auto, COLORFGBG may select light instead of dark.</summary>
    public static Theme Decide(ThemeMode mode, ColorDepth depth, Func<string, string?> environment) => (mode, depth) switch
    {
        (ThemeMode.Mono, _) or (_, ColorDepth.None) => Mono,
        (ThemeMode.Sixteen, _) or (_, ColorDepth.Sixteen) => Sixteen,
        (ThemeMode.Light, _) => Light,
        (ThemeMode.Dark, _) => Dark,
        _ => environment("COLORFGBG") is { } ground
            && (ground.EndsWith(";15", StringComparison.Ordinal) || ground.EndsWith(";7", StringComparison.Ordinal))
            ? Light
            : Dark,
    };

    sealed record Inks(int Alarm, int Blue, int Yellow, int Grey, int Orange, int Green);

    static Style TrueColor(Role role, Inks ink) => role switch
    {
        Role.Faint or Role.Housekeeping or Role.Min => new(ink.Grey),
        Role.Starvation => new(ink.Alarm, Attr: CellAttributes.Bold),
        Role.Blocking or Role.Threads => new(ink.Blue),
        Role.Climbing => ink.Yellow == Colour.Own ? new(Attr: CellAttributes.Bold) : new(ink.Yellow),
        Role.Queue => new(ink.Orange),
        Role.Cpu => new(ink.Green),
        Role.Alarm => new(ink.Alarm, Attr: CellAttributes.Bold | CellAttributes.Reverse),
        Role.Lost => new(ink.Orange),
        _ => Common(role),
    };

    static Style Palette(Role role) => role switch
    {
        Role.Starvation => new(Colour.Palette(1), Attr: CellAttributes.Bold),
        Role.Blocking or Role.Threads => new(Colour.Palette(6)),
        Role.Climbing => new(Attr: CellAttributes.Bold),
        Role.Queue or Role.Lost => new(Colour.Palette(3)),
        Role.Cpu => new(Colour.Palette(2)),
        Role.Alarm => new(Colour.Palette(1), Attr: CellAttributes.Bold | CellAttributes.Reverse),
        _ => Common(role),
    };

    static Style Colourless(Role role) => role switch
    {
        Role.Starvation => new(Attr: CellAttributes.Bold | CellAttributes.Reverse),
        Role.Blocking => new(Attr: CellAttributes.Bold),
        Role.Alarm => new(Attr: CellAttributes.Bold | CellAttributes.Reverse),
        Role.Selection => new(Attr: CellAttributes.Reverse | CellAttributes.Underline),
        _ => Common(role),
    };

    static Style Common(Role role) => role switch
    {
        Role.Title or Role.KeyName => new(Attr: CellAttributes.Bold),
        Role.Housekeeping or Role.Min => new(Attr: CellAttributes.Faint),
        Role.Selection => new(Attr: CellAttributes.Reverse),
        _ => Style.Plain,
    };
}

/// <summary>Theme and characters of the screen.</summary>
sealed record Look(Theme Theme, GlyphSet Glyphs)
{
    /// <summary>How many colours the terminal has; a theme that the user chooses later never uses more colours.</summary>
    public ColorDepth Depth { get; init; } = ColorDepth.TrueColor;

    /// <summary>Returns this look with the theme and glyphs that the user chose; null keeps the present theme or glyphs.</summary>
    public Look With(ThemeMode? theme, GlyphMode? glyphs) => theme is null && glyphs is null ? this : this with
    {
        Theme = theme is { } named ? Theme.Decide(named, Depth, _ => null) : Theme,
        Glyphs = glyphs is { } asked ? GlyphChoice.Decide(asked, _ => null, outputIsUtf8: true) : Glyphs,
    };
}

/// <summary>The values of <c>--color</c>.</summary>
enum ColorMode
{
    Auto,
    Always,
    Never,
    Sixteen,
    TrueColor,
}

/// <summary>How many colours the output may use.</summary>
enum ColorDepth
{
    None,
    Sixteen,
    TrueColor,
}

/// <summary>Decides how many colours the output may use. Precedence: --color, NO_COLOR, CLICOLOR_FORCE, the kind of terminal.</summary>
static class ColorChoice
{
    /// <summary>Values of TERM_PROGRAM for terminals that show 24-bit colours but do not always report this ability.</summary>
    static readonly ImmutableArray<string> KnownPrograms = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"];

    public static ColorDepth Decide(ColorMode mode, Func<string, string?> environment, bool isTerminal) => mode switch
    {
        ColorMode.Never => ColorDepth.None,
        ColorMode.Sixteen => ColorDepth.Sixteen,
        ColorMode.TrueColor => ColorDepth.TrueColor,
        ColorMode.Always => Detect(environment),
        _ when IsSet(environment("NO_COLOR")) => ColorDepth.None,
        _ when environment("CLICOLOR_FORCE") is { } force && IsSet(force) && force != "0" => Detect(environment),
        _ when !isTerminal || environment("TERM") == "dumb" => ColorDepth.None,
        _ => Detect(environment),
    };

    // Returns 24-bit colours only for terminals known to show them. The sixteen colours work everywhere and follow the user's palette.
    static ColorDepth Detect(Func<string, string?> environment) =>
        environment("COLORTERM") is "truecolor" or "24bit" || IsSet(environment("WT_SESSION"))
        || environment("TERM_PROGRAM") is { } program && KnownPrograms.Contains(program, StringComparer.OrdinalIgnoreCase)
            ? ColorDepth.TrueColor
            : ColorDepth.Sixteen;

    // By https://no-color.org, the variable counts only when it is present and not empty.
    static bool IsSet(string? value) => !string.IsNullOrEmpty(value);
}

/// <summary>The values of <c>--glyphs</c>.</summary>
enum GlyphMode
{
    Auto,
    Braille,
    Block,
    Ascii,
}

/// <summary>Decides which set of characters the screen uses.</summary>
static class GlyphChoice
{
    /// <summary>Environment variables that set the locale, highest precedence first.</summary>
    static readonly string[] LocaleVariables = ["LC_ALL", "LC_CTYPE", "LANG"];

    public static GlyphSet Decide(GlyphMode mode, Func<string, string?> environment, bool outputIsUtf8) => mode switch
    {
        GlyphMode.Braille => GlyphSet.Braille,
        GlyphMode.Block => GlyphSet.Block,
        GlyphMode.Ascii => GlyphSet.Ascii,
        _ when !outputIsUtf8 || LocaleIsPlain(environment) => GlyphSet.Ascii,
        // The fonts of the Linux console contain the characters of code page 437 and no braille.
        _ when environment("TERM") == "linux" => GlyphSet.Block,
        _ => GlyphSet.Braille,
    };

    // Whether the locale means plain ASCII, as "C" and "POSIX" do, although .NET then assumes UTF-8. An unset locale does not mean ASCII:
    // containers often have none, and users enter a container from a modern terminal.
    static bool LocaleIsPlain(Func<string, string?> environment)
    {
        var locale = LocaleVariables.Select(environment).FirstOrDefault(v => !string.IsNullOrEmpty(v));
        return locale is "C" or "POSIX";
    }
}

enum LineStyle
{
    /// <summary>Braille: eight dots per cell.</summary>
    Dots,

    /// <summary>A step line with corners; a value is rounded to a whole row of cells.</summary>
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

    public required LineStyle Lines { get; init; }

    /// <summary>Characters of filled areas, from the smallest value above zero to a full cell.</summary>
    public required string Ramp { get; init; }

    /// <summary>Character of the vertical lines at the left and right end of a lane.</summary>
    public char Side { get; init; } = '┊';

    /// <summary>Character of the line between parts of the screen, and below the time axis.</summary>
    public char Rule { get; init; } = '─';

    public char Starved { get; init; } = '▒';

    /// <summary>Character of a dotted background, such as time in which no item is known to wait.</summary>
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

    /// <summary>Corners of a step line, in this order: begin and end of a rise, begin and end of a fall.</summary>
    public string StepCorners { get; init; } = "┘┌┐└";

    /// <summary>Whether only ASCII characters may appear, also in texts.</summary>
    public bool IsAscii { get; init; }

    /// <summary>Returns the rune itself, or the character that this set shows instead of the rune.</summary>
    public Rune Show(Rune rune) => IsAscii ? Runes.Ascii(rune) : Runes.Narrow(rune);
}
