using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>One reading of memory as text: the verdict as far as one moment allows it, and the contents.</summary>
static class MomentRenderer
{
    /// <summary>The text for a core dump; ends with a line break.</summary>
    public static string OfDump(InsideReading reading, string file, int width) => Render(reading, "dump", file, width);

    /// <summary>The text for a running process; ends with a line break.</summary>
    public static string OfProcess(InsideReading reading, string process, int width) => Render(reading, "reading", process, width);

    static string Render(InsideReading reading, string what, string source, int width)
    {
        var moment = Moment.Of(reading);
        return string.Join('\n', (string[])
        [
            .. TextLayout.Wrap($"{VerdictWords.Of(moment.Verdict)} at the moment of the {what}. {moment.Sentence}", width: width),
            "",
            .. InsideRenderer.Facts(reading),
            .. TextLayout.Fact("threads", Format.Plural(reading.Threads, "managed thread")),
            .. TextLayout.Fact(what == "dump" ? what : "process", source),
        ]) + "\n";
    }
}
