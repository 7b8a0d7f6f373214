namespace Tpwatch.Screen.State;

/// <summary>Theme and characters of the screen, chosen at the start.</summary>
sealed record Look(Theme Theme, GlyphSet Glyphs)
{
    /// <summary>How many colours the terminal has; a theme that the user types never uses more colours.</summary>
    public ColorDepth Depth { get; init; } = ColorDepth.TrueColor;

    /// <summary>Returns this look with the theme and glyphs that the user typed; null keeps the present theme or glyphs.</summary>
    public Look With(ThemeMode? theme, GlyphMode? glyphs) => theme is null && glyphs is null ? this : this with
    {
        Theme = theme is { } named ? Theme.Decide(named, Depth, _ => null) : Theme,
        Glyphs = glyphs is { } asked ? GlyphChoice.Decide(asked, _ => null, outputIsUtf8: true) : Glyphs,
    };
}
