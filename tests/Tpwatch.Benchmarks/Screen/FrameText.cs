namespace Tpwatch.Benchmarks.Screen;

/// <summary>What a terminal got, as text: a frame has no marks, and only cells that differ from the last one are in it.</summary>
static class FrameText
{
    /// <summary>Whether a text was written in one piece, which it is in a frame that is drawn whole.</summary>
    public static bool Shows(string text, string wanted) => text.Contains(wanted, StringComparison.Ordinal);

    /// <summary>Whether a whole frame came that begins with a text: the line of hints, with `q quit`, is the last of it.</summary>
    public static bool ShowsToItsFoot(string text, string wanted) =>
        text.IndexOf(wanted, StringComparison.Ordinal) is >= 0 and var at && text.IndexOf("quit", at, StringComparison.Ordinal) >= 0;
}
