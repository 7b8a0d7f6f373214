using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The answer of a finder: one of three.</summary>
abstract record FinderAnswer
{
    /// <summary>The problem was found.</summary>
    public sealed record Found(Finding Finding) : FinderAnswer;

    /// <summary>The problem is not there.</summary>
    public sealed record Clear : FinderAnswer;

    /// <summary>The capture cannot decide; <paramref name="Missing"/> would decide it.</summary>
    public sealed record Undecided(string Missing) : FinderAnswer;
}
