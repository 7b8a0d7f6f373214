using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>Texts about the capture: what was asked of the target and what of it arrives; or what was lost.</summary>
static class InfoText
{
    const int Indent = 13;

    /// <summary>A heartbeat is late when two of them are missing.</summary>
    const int LateBeats = 3;

    /// <summary>What arrives of what was asked for, in lines.</summary>
    public static IEnumerable<TextLine> SelfCheck(Scene scene, int width) => Lines(SelfCheck(scene), width);

    /// <summary>What was lost, in lines.</summary>
    public static IEnumerable<TextLine> Loss(Scene scene, int width) => Lines(Loss(scene), width);

    static IEnumerable<TextLine> Lines(IEnumerable<(string Label, string Text)> texts, int width) =>
        texts.SelectMany(t => TextBlock.Labelled(t.Label, t.Text, Indent, width));

    static IEnumerable<(string Label, string Text)> SelfCheck(Scene scene)
    {
        var (timeline, report) = (scene.Timeline, scene.Report);
        yield return ("stream",
            $"{Format.Plural(timeline.Quality.Events, "event")} in {Format.Duration(timeline.Now.MsSince(timeline.Start))}, "
                + $"read up to {Format.Utc(timeline.UtcOf(timeline.Quality.CompleteUpTo))}");
        yield return ("adjustments", report.Adjustments.IsEmpty
            ? "none: the pool has not changed its target thread count since the capture began. With steady work that is normal."
            : $"{Format.Plural(report.Adjustments.Values.Sum(), "thread count adjustment")}: "
                + $"{string.Join(", ", report.Adjustments.Select(a => $"{GapMark.OfReason(a.Key).Name} {Format.Count(a.Value)}"))}");
        yield return ("threads",
            timeline.WorkerMoments.IsEmpty
                ? "no event about worker threads came"
                    + (!timeline.Heartbeats.IsEmpty ? "; counter samples tell how many there are"
                        : report.Adjustments.IsEmpty ? ", so their number is not known"
                        : ", so only adjustments tell how many there are")
                : $"{Format.Plural(timeline.WorkerMoments.Length, "event")} of worker threads kept");
        yield return ("counters", Heartbeat(timeline));
        yield return ("processors", Value(timeline.Target.Processors));
        yield return ("MinThreads", MinThreads(scene));
        yield return ("MaxThreads", Value(timeline.Target.MaxWorkers));
        yield return ("clock",
            timeline.Clock is { } clock
                ? $"tpwatch reads the machine's clock (steps of {Format.Duration(clock.StepMs)}), so it can explain each gate check"
                : "tpwatch cannot read the clock that the pool measures with. "
                    + "So tpwatch cannot tell whether a gate check about 500 ms after the last dequeue should add a thread.");
        yield return ("process",
            timeline.Process is null
                ? timeline.Source == SessionSource.Recording ? "the recording does not hold the state of the process"
                    : "not known: tpwatch reads the state only of a process on the same Linux machine"
                : "tpwatch reads the state of the process: stops, throttling, waits for a processor");
        foreach (var remark in timeline.Quality.Remarks)
        {
            yield return ("remark", remark);
        }

        yield return ("summary", Conclusion(scene));
    }

    static string MinThreads(Scene scene) => scene.State.Min is { } told ? $"{Format.Count(told)} (assumed by :min)"
        : Value(scene.Timeline.Target.MinWorkers) + (scene.Timeline.Target.MinWorkers.Value is null
            ? "; if you know it, type :min N (it changes only what tpwatch computes)" : "");

    static string Heartbeat(TimelineSnapshot timeline)
    {
        if (timeline.Heartbeats is not [.., var last])
        {
            return "none came, so queue length and undetected starvation are not known. Either counter samples are off, "
                + "or another tool holds the runtime's metrics session.";
        }

        var ago = timeline.Now.MsSince(last.At);
        return $"{Format.Plural(timeline.Heartbeats.Length, "counter sample")} kept, "
            + $"the last {Format.Duration(ago)} before the newest event"
            + (IsLate(last, ago) ? ": too long ago" : "");
    }

    static bool IsLate(Heartbeat last, double agoMs) => last.IntervalMs is { } interval && agoMs > LateBeats * interval;

    static string Conclusion(Scene scene)
    {
        var timeline = scene.Timeline;
        var lost = timeline.Quality.Lost > 0 || timeline.Quality.LossUnknown ? " Some events were lost." : "";
        string[] missing = [.. new[]
        {
            timeline.Heartbeats.IsEmpty ? "counter samples" : null,
            timeline.Target.MinWorkers.Value is null ? "MinThreads" : null,
            timeline.Target.MaxWorkers.Value is null ? "MaxThreads" : null,
            timeline.Clock is null ? "the machine's clock" : null,
            timeline.Process is null ? "the state of the process" : null,
        }.OfType<string>()];
        return missing switch
        {
            [] when lost.Length == 0 => "Everything that tpwatch asked for arrives.",
            [] => lost.TrimStart(),
            [var one] => $"Missing: {one}.{lost}",
            [.. var others, var last] => $"Missing: {string.Join(", ", others)} and {last}.{lost}",
        };
    }

    static IEnumerable<(string Label, string Text)> Loss(Scene scene)
    {
        var (quality, start) = (scene.Timeline.Quality, scene.Timeline.Start);
        yield return ("lost", quality is { Lost: 0, LossUnknown: false } ? "Nothing was lost."
            : $"{(quality.LossUnknown ? "An unknown number" : Format.Count(quality.Lost))} "
                + $"of {Format.Plural(quality.Events + quality.Lost, "event")}, in "
                + $"{Format.Plural(quality.LossSpans.Length, "period")}. "
                + "tpwatch judges no injection delays in that time and draws no curves.");
        foreach (var span in quality.LossSpans.Reverse())
        {
            yield return (Format.Clock(span.From.MsSince(start), tenths: true),
                $"to {Format.Clock(span.To.MsSince(start), tenths: true)}, {Format.Duration(span.Ms)}");
        }

        yield return ("decoding",
            quality.Undecodable == 0
                ? "tpwatch understood every pool event that arrived."
                : $"tpwatch could not understand {Format.Plural(quality.Undecodable, "event")}.");
        if (scene.Report.Evicted > 0)
        {
            yield return ("discarded",
                $"{Format.Plural(scene.Report.Evicted, "injection delay or episode", "injection delays and episodes")}, "
                    + "to limit memory use. The totals still include them.");
        }

        yield return ("why",
            "The runtime drops events when its buffer is full: events come faster than tpwatch reads them. "
                + "To lose fewer events, keep one processor free for tpwatch. If tpwatch measures items, stop that (4, then t).");
    }

    static string Value(SourcedValue value) =>
        value.Value is { } known ? $"{Format.Count(known)} ({TargetWords.Source(value.Source)})" : "not known";
}
