namespace Tpwatch.Screen.State;

/// <summary>The looks of the screen, chosen at the start.</summary>
sealed record Look(Theme Theme, GlyphSet Glyphs)
{
    /// <summary>How many colours the terminal has: another theme never uses more.</summary>
    public ColorDepth Depth { get; init; } = ColorDepth.TrueColor;

    /// <summary>With another theme or other glyphs, as typed; null keeps them.</summary>
    public Look With(ThemeMode? theme, GlyphMode? glyphs) => theme is null && glyphs is null ? this : this with
    {
        Theme = theme is { } named ? Theme.Decide(named, Depth, _ => null) : Theme,
        Glyphs = glyphs is { } asked ? GlyphChoice.Decide(asked, _ => null, outputIsUtf8: true) : Glyphs,
    };
}
