using Tpwatch.Attach;
using Tpwatch.Explain;

namespace Tpwatch.Render.Json;

/// <summary>What the report rests on. <c>lost</c> is null when the stream says that events were lost and not how many.</summary>
internal sealed record CaptureSection(
    string Source, DateTime? Start, double Duration, long Events, long? Lost, long Undecodable, double CompleteUpTo, string Depth,
    string Quality, IReadOnlyList<string> Remarks, string End, long Evicted)
{
    /// <summary>The pool's own decisions and the heartbeat; deeper captures come with their own word.</summary>
    const string BasicDepth = "basic";

    /// <summary>From a report.</summary>
    public static CaptureSection Of(PoolReport report)
    {
        var timeline = report.Timeline;
        var quality = timeline.Quality;
        return new(
            Words.Of(timeline.Source), Numbers.UtcOf(timeline, timeline.Start), Numbers.At(timeline, timeline.Now), quality.Events,
            quality.LossUnknown ? null : quality.Lost, quality.Undecodable, Numbers.At(timeline, quality.CompleteUpTo), BasicDepth,
            Words.Of(CaptureGrades.Of(timeline)), quality.Remarks, Words.Of(report.End), report.Evicted);
    }

}
