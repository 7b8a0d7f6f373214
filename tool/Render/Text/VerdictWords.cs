using Tpwatch.Reports;

namespace Tpwatch.Render.Text;

/// <summary>A verdict as a headline.</summary>
internal static class VerdictWords
{
    /// <summary>The verdict and, where there was trouble, whether it lasts: <c>STARVED, over</c>.</summary>
    public static string Of(PoolReport report) => report.Since is null ? Name(report.Verdict) : $"{Name(report.Verdict)}, {(report.IsNow ? "now" : "over")}";

    static string Name(Verdict verdict) => verdict switch
    {
        Verdict.Healthy => "HEALTHY",
        Verdict.Compensated => "COMPENSATED",
        Verdict.Starved => "STARVED",
        Verdict.SilentlyStarved => "SILENTLY STARVED",
        Verdict.Saturated => "SATURATED",
        Verdict.NotThePool => "NOT THE POOL",
        _ => "UNDECIDED",
    };
}
