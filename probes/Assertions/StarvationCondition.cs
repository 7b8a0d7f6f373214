using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>Met if items waited while every worker thread was held, whether the runtime detected this or not.</summary>
sealed record StarvationCondition(string Text) : Condition(Text)
{
    protected override string? WhyMet(PoolReport report) =>
        report.Verdict.IsStarvation() || report.Episodes.Any(e => e.Kind.IsStarvation())
            ? report.Verdict.IsStarvation()
                ? report.Headline
                : $"{Format.Duration(StarvedMs(report))} of starvation in part of the capture. {report.Headline}"
            : null;

    protected override string WhyNot(PoolReport report) => report.Headline;

    static double StarvedMs(PoolReport report) => report.Episodes.Where(e => e.Kind.IsStarvation()).Sum(e => e.Span.Ms);
}
