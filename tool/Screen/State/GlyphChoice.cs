namespace Tpwatch.Screen.State;

/// <summary>What <c>--glyphs</c> asks for.</summary>
enum GlyphMode
{
    Auto,
    Braille,
    Block,
    Ascii,
}

/// <summary>Which runes may be used.</summary>
static class GlyphChoice
{
    /// <summary>What decides the character set, the strongest first.</summary>
    static readonly string[] LocaleVariables = ["LC_ALL", "LC_CTYPE", "LANG"];

    /// <param name="mode">The flag.</param>
    /// <param name="environment">Reads a variable of the environment.</param>
    /// <param name="outputIsUtf8">Whether .NET would write UTF-8.</param>
    public static GlyphSet Decide(GlyphMode mode, Func<string, string?> environment, bool outputIsUtf8) => mode switch
    {
        GlyphMode.Braille => GlyphSet.Braille,
        GlyphMode.Block => GlyphSet.Block,
        GlyphMode.Ascii => GlyphSet.Ascii,
        _ when !outputIsUtf8 || LocaleIsPlain(environment) => GlyphSet.Ascii,
        // Fonts of the console hold the characters of code page 437 and no braille.
        _ when environment("TERM") == "linux" => GlyphSet.Block,
        _ => GlyphSet.Braille,
    };

    // .NET takes a locale without a character set for UTF-8; "C" and "POSIX" say that it is not. Nothing set at all is common in containers
    // that are entered from a modern terminal.
    static bool LocaleIsPlain(Func<string, string?> environment)
    {
        var locale = LocaleVariables.Select(environment).FirstOrDefault(v => !string.IsNullOrEmpty(v));
        return locale is "C" or "POSIX";
    }
}
