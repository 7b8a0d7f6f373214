namespace Tpwatch.Benchmarks.Screen;

/// <summary>Frames in what a terminal got: each stands between the marks of a synchronised update.</summary>
static class FrameBytes
{
    const string Begin = "\e[?2026h";
    const string End = "\e[?2026l";

    /// <summary>Bytes of each whole frame.</summary>
    public static IReadOnlyList<int> Of(string text)
    {
        var sizes = new List<int>();
        for (var from = text.IndexOf(Begin, StringComparison.Ordinal); from >= 0;
            from = text.IndexOf(Begin, from + 1, StringComparison.Ordinal))
        {
            var to = text.IndexOf(End, from, StringComparison.Ordinal);
            if (to < 0)
            {
                break;
            }

            sizes.Add(System.Text.Encoding.UTF8.GetByteCount(text.AsSpan(from, to + End.Length - from)));
        }

        return sizes;
    }

    /// <summary>Whether a whole frame holds a text.</summary>
    public static bool Shows(string text, string wanted) =>
        text.IndexOf(wanted, StringComparison.Ordinal) is >= 0 and var at && text.IndexOf(End, at, StringComparison.Ordinal) >= 0;
}
