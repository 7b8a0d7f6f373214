namespace Tpwatch.Render.Tui;

/// <summary>The looks of the screen, chosen once at the start.</summary>
internal sealed record Look(Theme Theme, GlyphSet Glyphs);
