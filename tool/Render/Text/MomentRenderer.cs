using Tpwatch.Findings.Clues;
using Tpwatch.Render.Shared;

namespace Tpwatch.Render.Text;

/// <summary>A core dump as text: the verdict as far as a moment tells, and what was read.</summary>
static class DumpRenderer
{
    /// <summary>The page, with a line break at its end.</summary>
    public static string Render(InsideReading reading, string file, int width)
    {
        var moment = Moment.Of(reading);
        return string.Join('\n', (string[])
        [
            .. TextLayout.Wrap($"{VerdictWords.Of(moment.Verdict)} at the moment of the dump. {moment.Sentence}", width: width),
            "",
            .. InsideRenderer.Facts(reading),
            .. TextLayout.Fact("threads", Format.Plural(reading.Threads, "managed thread")),
            .. TextLayout.Fact("dump", file),
        ]) + "\n";
    }
}
