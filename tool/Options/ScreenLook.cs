using Tpwatch.Screen.State;

namespace Tpwatch.Options;

/// <summary>Decides the colours, theme and glyphs of the screen from the options and the terminal.</summary>
static class ScreenLook
{
    public static Look Of(ScreenRequest request)
    {
        var depth = ColorChoice.Decide(Color(request.Color), Environment.GetEnvironmentVariable, isTerminal: true);
        var utf8 = Console.OutputEncoding.CodePage == 65001;
        return new(
            Theme.Decide(ThemeNamed(request.Theme), depth, Environment.GetEnvironmentVariable),
            GlyphChoice.Decide(Enum.Parse<GlyphMode>(request.Glyphs, ignoreCase: true), Environment.GetEnvironmentVariable, utf8))
        {
            Depth = depth,
        };
    }

    static ColorMode Color(string word) => word == "16" ? ColorMode.Sixteen : Enum.Parse<ColorMode>(word, ignoreCase: true);

    static ThemeMode ThemeNamed(string? word) => word switch
    {
        null => ThemeMode.Auto,
        "16" => ThemeMode.Sixteen,
        _ => Enum.Parse<ThemeMode>(word, ignoreCase: true),
    };
}
