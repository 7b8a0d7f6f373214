using Tpwatch.Text;

namespace Tpwatch.Screen.State;

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
/// A theme: the style of each role. Backgrounds are always the terminal's own; nothing blinks; no necessary text is faint. The colours are
/// those of Okabe and Ito, reduced to the colours that must differ inside one lane. Their contrast to the background is 4.3 or more.
/// </summary>
sealed class Theme
{
    readonly Style[] styles;

    Theme(string name, Func<Role, Style> look)
    {
        Name = name;
        styles = [.. Enum.GetValues<Role>().Select(look)];
    }

    public static Theme Dark { get; } =
        new("dark", role => TrueColor(role, new Inks(0xD55E00, 0x56B4E9, 0xF0E442, 0x8A8A8A, 0xE69F00, 0x009E73)));

    public static Theme Light { get; } =
        new("light", role => TrueColor(role, new Inks(0xB34700, 0x0072B2, Colour.Own, 0x6A6A6A, 0x8F6200, 0x00785A)));

    public static Theme Sixteen { get; } = new("16", Palette);
    public static Theme Mono { get; } = new("mono", Colourless);

    /// <summary>The name of the theme, spelled as for <c>--theme</c>.</summary>
    public string Name { get; }

    public Style this[Role role] => styles[(int)role];

    /// <summary>
    /// Returns the theme for the requested mode and the terminal's colours; some terminals report their background colour in COLORFGBG.
    /// </summary>
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
        Role.Starvation => new(ink.Alarm, Attr: Attr.Bold),
        Role.Blocking or Role.Threads => new(ink.Blue),
        Role.Climbing => ink.Yellow == Colour.Own ? new(Attr: Attr.Bold) : new(ink.Yellow),
        Role.Queue => new(ink.Orange),
        Role.Cpu => new(ink.Green),
        Role.Alarm => new(ink.Alarm, Attr: Attr.Bold | Attr.Reverse),
        Role.Lost => new(ink.Orange),
        _ => Common(role),
    };

    static Style Palette(Role role) => role switch
    {
        Role.Starvation => new(Colour.Palette(1), Attr: Attr.Bold),
        Role.Blocking or Role.Threads => new(Colour.Palette(6)),
        Role.Climbing => new(Attr: Attr.Bold),
        Role.Queue or Role.Lost => new(Colour.Palette(3)),
        Role.Cpu => new(Colour.Palette(2)),
        Role.Alarm => new(Colour.Palette(1), Attr: Attr.Bold | Attr.Reverse),
        _ => Common(role),
    };

    static Style Colourless(Role role) => role switch
    {
        Role.Starvation => new(Attr: Attr.Bold | Attr.Reverse),
        Role.Blocking => new(Attr: Attr.Bold),
        Role.Alarm => new(Attr: Attr.Bold | Attr.Reverse),
        Role.Selection => new(Attr: Attr.Reverse | Attr.Underline),
        _ => Common(role),
    };

    static Style Common(Role role) => role switch
    {
        Role.Title or Role.KeyName => new(Attr: Attr.Bold),
        Role.Housekeeping or Role.Min => new(Attr: Attr.Faint),
        Role.Selection => new(Attr: Attr.Reverse),
        _ => Style.Plain,
    };
}
