using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>Met if a finding has the given severity or a higher one.</summary>
sealed record FindingCondition(string Text, Severity Least) : Condition(Text)
{
    protected override string? WhyMet(PoolReport report) =>
        report.Findings.Where(f => f.Severity >= Least).ToList() is [var first, .. var others]
            ? $"{first.Id} {first.Title}: {first.Headline}"
                + (others.Count > 0 ? $" Also found: {string.Join(", ", others.Select(f => f.Id))}." : "")
            : null;

    protected override string WhyNot(PoolReport report) => report.Findings.IsEmpty
        ? "nothing was found"
        : $"only less serious findings: {string.Join(", ", report.Findings.Select(f => f.Id))}";
}

/// <summary>Met if one finding rule found something.</summary>
sealed record RuleCondition(string Id) : Condition(Id)
{
    protected override string? WhyMet(PoolReport report) =>
        report.Findings.FirstOrDefault(f => f.Id == Id) is { } found ? $"{found.Title}: {found.Headline}" : null;

    protected override string? WhyOpen(PoolReport report) =>
        report.Undecided.FirstOrDefault(u => u.Id == Id) is { } open ? $"the check is undecided: {open.Missing}" : null;

    protected override string WhyNot(PoolReport report) => "the check found nothing";
}
