using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>Met if a measured value is above a limit.</summary>
/// <param name="Text">The condition as written.</param>
/// <param name="Measure">The value to compare.</param>
/// <param name="Limit">The limit, milliseconds or a count.</param>
sealed record ThresholdCondition(string Text, Measure Measure, double Limit) : Condition(Text)
{
    protected override string? WhyMet(PoolReport report) => Measure.Of(report) is { } value && value > Limit
        ? Measure.Compared(value, "more than", Limit)
        : null;

    protected override string? WhyOpen(PoolReport report) => Measure.Of(report) is null ? Measure.Missing
        : Measure.IsLeast(report)
            ? $"{Measure.Words} at least {Measure.Written(Measure.Of(report)!.Value)}; the true value may be larger, since items still "
                + "wait or run"
        : report.EvictedWaits > 0
            && Measure.ForgetsOldOnes ? $"tpwatch discarded {Format.Plural(report.EvictedWaits, "older wait")} to limit memory use"
        : null;

    protected override string WhyNot(PoolReport report) => Measure.Compared(Measure.Of(report) ?? 0, "not more than", Limit);
}
