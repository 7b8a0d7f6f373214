using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>Something measured lies above a limit.</summary>
/// <param name="Text">How it was written.</param>
/// <param name="Measure">What is compared.</param>
/// <param name="Limit">With what: milliseconds, or a count.</param>
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
