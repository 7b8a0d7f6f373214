using Tpwatch.Events.Facts;
using Tpwatch.Explain;
using Tpwatch.Explain.Gaps;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>How often "two ticks" is right for the next injection by the gate: what a prediction must be better than.</summary>
internal static class ConstantAnswer
{
    const int Two = 2;

    public static Share Of(PoolReport report)
    {
        var gaps = report.Gaps.Where(g => g is { Reason: AdjustmentReason.Starvation, Verdict: GapVerdict.Fits, Ticks.IsEmpty: false }).ToArray();
        return new(gaps.Count(g => g.Ticks.Length == Two), gaps.Length);
    }
}
