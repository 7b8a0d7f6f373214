namespace Tpwatch.Explain.Rules;

/// <summary>One thing that can be wrong: decides about a report and phrases what it found.</summary>
interface IFindingRule
{
    /// <summary>Stable id, TPWnnn.</summary>
    string Id { get; }

    /// <summary>A few words.</summary>
    string Title { get; }

    /// <summary>Found, clear, or what is missing.</summary>
    RuleAnswer Look(PoolReport report);
}

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
