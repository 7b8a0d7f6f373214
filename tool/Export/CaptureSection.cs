using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for the capture behind a report; <c>lost</c> is null if the number of lost events is unknown.</summary>
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

    // Returns one word: if the capture had several depths, the first of them in the order of this expression.
    static string DepthWord(CaptureDepth depth) =>
        depth.HasFlag(CaptureDepth.Stacks) ? "stacks" : depth.HasFlag(CaptureDepth.Items) ? "items"
        : depth.HasFlag(CaptureDepth.Requests) ? "requests" : depth.HasFlag(CaptureDepth.Inside) ? "inside"
        : depth.HasFlag(CaptureDepth.Auto) ? "auto" : "basic";
}
