namespace Tpwatch.Screen.State;

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

/// <summary>
/// Decides how many colours the output may use. Precedence: option <c>--color</c>, NO_COLOR, CLICOLOR_FORCE, the terminal's report.
/// </summary>
static class ColorChoice
{
    /// <summary>Values of TERM_PROGRAM for terminals that show 24-bit colours but do not always report this ability.</summary>
    static readonly ImmutableArray<string> KnownPrograms = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"];

    /// <param name="mode">The value of the option <c>--color</c>.</param>
    /// <param name="environment">Reads an environment variable.</param>
    /// <param name="isTerminal">Whether the output goes to a terminal.</param>
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

    // 24-bit colours only in terminals known to show them: the sixteen colours work everywhere and follow the user's palette.
    static ColorDepth Detect(Func<string, string?> environment) =>
        environment("COLORTERM") is "truecolor" or "24bit" || IsSet(environment("WT_SESSION"))
        || environment("TERM_PROGRAM") is { } program && KnownPrograms.Contains(program, StringComparer.OrdinalIgnoreCase)
            ? ColorDepth.TrueColor
            : ColorDepth.Sixteen;

    // By https://no-color.org, the variable counts only when it is present and not empty.
    static bool IsSet(string? value) => !string.IsNullOrEmpty(value);
}
