using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>The capture behind the report. <c>lost</c> is null if events were lost but their count is not known.</summary>
sealed record CaptureSection(
    string Source, DateTime? Start, double Duration, long Events, long? Lost, long Undecodable, double CompleteUpTo, string Depth,
    string Quality, IReadOnlyList<string> Remarks, string End, long Evicted)
{
    public static CaptureSection Of(PoolReport report)
    {
        var timeline = report.Timeline;
        var quality = timeline.Quality;
        return new(
            Words.Of(timeline.Source), Numbers.UtcOf(timeline, timeline.Start), Numbers.At(timeline, timeline.Now), quality.Events,
            quality.LossUnknown ? null : quality.Lost, quality.Undecodable,
            Numbers.At(timeline, quality.CompleteUpTo), DepthWord(report.Depth),
            Words.Of(CaptureGrades.Of(timeline)), quality.Remarks, Words.Of(report.End), report.Evicted);
    }

    // One word: if several depths were on, the first in this order.
    static string DepthWord(CaptureDepth depth) =>
        depth.HasFlag(CaptureDepth.Stacks) ? "stacks" : depth.HasFlag(CaptureDepth.Items) ? "items"
        : depth.HasFlag(CaptureDepth.Requests) ? "requests" : depth.HasFlag(CaptureDepth.Inside) ? "inside"
        : depth.HasFlag(CaptureDepth.Auto) ? "auto" : "basic";
}
