using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>The report's section on the calls that block worker threads, by the innermost frame of the service's own code.</summary>
static class BlockersRenderer
{
    /// <summary>Most places listed.</summary>
    const int Told = 5;

    /// <summary>Most frames listed of the first place's stack; the JSON report has all of them.</summary>
    const int Frames = 12;

    /// <summary>The lines of the section; none if no stacks were requested.</summary>
    public static IEnumerable<string> Lines(PoolReport report) => report is { Bursts: { } bursts }
        ? [
            .. TextLayout.Title(
                report.Blockers is [{ Kind: BlockKind.Cpu }, ..] ? "Code that worker threads run" : "Calls that block worker threads"),
            .. TextLayout.Fact("sampled", Sampled(report, bursts)),
            .. (report.Blockers ?? []).Take(Told)
                .SelectMany(b => TextLayout.Fact(Format.Percent(b.Share), CulpritWords.InFull(b, bursts.WaitsFor))),
            .. report.Blockers is [var first, ..]
                ? Folded(first).Take(Frames).SelectMany((f, i) => TextLayout.Fact(i == 0 ? "stack" : "", f))
                : [],
            .. bursts.Remarks.SelectMany(r => TextLayout.Fact("remark", Words.OneLine(r))),
        ]
        : [];

    /// <summary>The stack, innermost frame first; runtime frames after the first frame of the user's own code are folded.</summary>
    public static IEnumerable<string> Folded(Blocker blocker)
    {
        var (own, folded) = (false, 0);
        foreach (var frame in blocker.Stack)
        {
            var runtime = frame.StartsWith("System.", StringComparison.Ordinal) || frame.StartsWith("Microsoft.", StringComparison.Ordinal);
            own |= !runtime;
            if (own && runtime)
            {
                folded++;
                continue;
            }

            if (folded > 0)
            {
                yield return Folded(folded);
                folded = 0;
            }

            yield return frame;
        }

        if (folded > 0)
        {
            yield return Folded(folded);
        }
    }

    static string Folded(int frames) => $"... {Format.Plural(frames, "runtime frame")}";

    static string Sampled(PoolReport report, StackBursts bursts) => bursts.Taken.IsEmpty
        ? "no burst was taken: either nothing starved, or every burst failed"
        : $"{Phrases.Taken(bursts)}, {Format.Plural(bursts.Samples, "sample")} of busy worker threads; "
            + Phrases.PausedBy(bursts)
            + bursts.WaitsFor switch
            {
                WaitsFor.QueuedItems when Tpw010Deadlock.Cycle(report) is { } cycle => $". {cycle.TrimEnd('.')}",
                WaitsFor.QueuedItems => ". Every worker thread waits for a task or an event, and no running thread will complete it. "
                    + "This is a deadlock on queued work, unless a timer or a socket completes the task",
                WaitsFor.Outside => ". The threads do not wait for queued items",
                _ => "",
            };
}
