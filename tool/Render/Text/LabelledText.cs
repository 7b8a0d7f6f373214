namespace Tpwatch.Render.Text;

/// <summary>A text of the short report, before it is known how wide its lines may be.</summary>
/// <param name="Label">What stands to the left of it; null for none.</param>
/// <param name="Text">The text; empty for an empty line.</param>
readonly record struct LabelledText(string? Label, string Text);
