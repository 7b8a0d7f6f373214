namespace Tpwatch.Screen.State;

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

    /// <param name="mode">The value of the option <c>--glyphs</c>.</param>
    /// <param name="environment">Reads an environment variable.</param>
    /// <param name="outputIsUtf8">Whether .NET writes UTF-8.</param>
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

    // Whether the locale means plain ASCII, as "C" and "POSIX" do. .NET assumes UTF-8 where the locale names no character set. An unset
    // locale does not mean ASCII: containers often have none, and the user enters a container from a modern terminal.
    static bool LocaleIsPlain(Func<string, string?> environment)
    {
        var locale = LocaleVariables.Select(environment).FirstOrDefault(v => !string.IsNullOrEmpty(v));
        return locale is "C" or "POSIX";
    }
}
