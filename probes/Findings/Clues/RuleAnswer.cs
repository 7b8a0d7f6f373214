using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>One of three answers.</summary>
abstract record RuleAnswer
{
    /// <summary>It is there.</summary>
    public sealed record Found(Finding Finding) : RuleAnswer;

    /// <summary>It is not there.</summary>
    public sealed record Clear : RuleAnswer;

    /// <summary>The capture cannot say; <paramref name="Missing"/> would decide it.</summary>
    public sealed record Open(string Missing) : RuleAnswer;
}
