using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for an injection delay or another adjustment; windows are in milliseconds after the delay's start.</summary>
sealed record InjectionDelaySection(
    int Number, double? Start, double End, string StartBasis, string EndBasis, string? Reason, int? GoalBefore, int? GoalAfter,
    double? ObservedMs, IReadOnlyList<WindowSection> Windows, IReadOnlyList<GateCheckSection> Ticks, string Verdict, string? Rule,
    string Because, double? Cpu, long? Backlog, string? Also)
{
    /// <summary>Converts an injection delay of a report.</summary>
    public static InjectionDelaySection Of(InjectionDelay delay, TimelineSnapshot timeline) => new(
        delay.Number, delay.Start is { } start ? Numbers.At(timeline, start) : null, Numbers.At(timeline, delay.End),
        Words.Of(delay.StartBasis), Words.Of(delay.EndBasis), delay.Reason?.ToString(), delay.TargetThreadsBefore, delay.TargetThreadsAfter,
        Numbers.Ms(delay.ObservedMs), [.. delay.Windows.Select(w => new WindowSection(Numbers.Ms(w.MinMs), Numbers.Ms(w.MaxMs)))],
        [.. delay.Ticks.Select(t => GateCheckSection.Of(t, timeline))], Words.Of(delay.Verdict), Words.Code(delay.Mechanism),
        delay.Because, Numbers.Share(delay.Cpu), delay.QueueLength, delay.Also is { } also ? Words.Code(also) : null);
}

/// <summary>A time window in which the runtime's rule allows the injection.</summary>
sealed record WindowSection(double? MinMs, double? MaxMs);

/// <summary>The readings and the decision of one gate check.</summary>
sealed record GateCheckSection(double At, double? SinceDequeueMs, double? Cpu, bool Fired, string Why, bool Sure, string Basis)
{
    /// <summary>Converts a gate check of a report.</summary>
    public static GateCheckSection Of(GateCheck check, TimelineSnapshot timeline) => new(
        Numbers.At(timeline, check.At), Numbers.Ms(check.SinceDequeueMs), Numbers.Share(check.Cpu), check.Fired, check.Why, check.Sure,
        Words.Of(check.Basis));
}
