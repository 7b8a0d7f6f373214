using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>One of three answers.</summary>
abstract record FinderAnswer
{
    /// <summary>It is there.</summary>
    public sealed record Found(Finding Finding) : FinderAnswer;

    /// <summary>It is not there.</summary>
    public sealed record Clear : FinderAnswer;

    /// <summary>The capture cannot say; <paramref name="Missing"/> would decide it.</summary>
    public sealed record Undecided(string Missing) : FinderAnswer;
}
