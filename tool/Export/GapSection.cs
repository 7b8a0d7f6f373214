using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>One injection delay or other adjustment; windows in milliseconds after its start.</summary>
sealed record GapSection(
    int Number, double? Start, double End, string StartBasis, string EndBasis, string? Reason, int? GoalBefore, int? GoalAfter,
    double? ObservedMs, IReadOnlyList<WindowSection> Windows, IReadOnlyList<TickSection> Ticks, string Verdict, string? Rule,
    string Because, double? Cpu, long? Backlog, string? Also)
{
    /// <summary>Converts the report's value.</summary>
    public static GapSection Of(Gap gap, TimelineSnapshot timeline) => new(
        gap.Number, gap.Start is { } start ? Numbers.At(timeline, start) : null, Numbers.At(timeline, gap.End),
        Words.Of(gap.StartBasis), Words.Of(gap.EndBasis), gap.Reason?.ToString(), gap.GoalBefore, gap.GoalAfter,
        Numbers.Ms(gap.ObservedMs), [.. gap.Windows.Select(w => new WindowSection(Numbers.Ms(w.MinMs), Numbers.Ms(w.MaxMs)))],
        [.. gap.Ticks.Select(t => TickSection.Of(t, timeline))], Words.Of(gap.Verdict), Words.Code(gap.Mechanism),
        gap.Because, Numbers.Share(gap.Cpu), gap.Backlog, gap.Also is { } also ? Words.Code(also) : null);
}

/// <summary>A time window in which the rule allows the injection.</summary>
sealed record WindowSection(double? MinMs, double? MaxMs);

/// <summary>The readings and the decision of one gate check.</summary>
sealed record TickSection(double At, double? SinceDequeueMs, double? Cpu, bool Fired, string Why, bool Sure, string Basis)
{
    /// <summary>Converts the report's value.</summary>
    public static TickSection Of(GateTick tick, TimelineSnapshot timeline) => new(
        Numbers.At(timeline, tick.At), Numbers.Ms(tick.SinceDequeueMs), Numbers.Share(tick.Cpu), tick.Fired, tick.Why, tick.Sure,
        Words.Of(tick.Basis));
}
