namespace Tpwatch.Screen.State;

/// <summary>What <c>--color</c> asks for.</summary>
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

/// <summary>How many colours: the flag beats NO_COLOR beats CLICOLOR_FORCE beats what the terminal says of itself.</summary>
static class ColorChoice
{
    /// <summary>Terminals that show 24 bits and do not always say so; as they name themselves in TERM_PROGRAM.</summary>
    static readonly ImmutableArray<string> KnownPrograms = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"];

    /// <param name="mode">The flag.</param>
    /// <param name="environment">Reads a variable of the environment.</param>
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

    // 24 bits only where the terminal says so: the sixteen are right everywhere and follow the user's own palette.
    static ColorDepth Detect(Func<string, string?> environment) =>
        environment("COLORTERM") is "truecolor" or "24bit" || IsSet(environment("WT_SESSION"))
        || environment("TERM_PROGRAM") is { } program && KnownPrograms.Contains(program, StringComparer.OrdinalIgnoreCase)
            ? ColorDepth.TrueColor
            : ColorDepth.Sixteen;

    // https://no-color.org: present and not empty.
    static bool IsSet(string? value) => !string.IsNullOrEmpty(value);
}
