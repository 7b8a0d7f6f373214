namespace Tpwatch.Explain.Rules;

/// <summary>One thing that can be wrong: decides about a report and phrases what it found.</summary>
interface IFindingRule
{
    /// <summary>Stable id, TPWnnn.</summary>
    string Id { get; }

    /// <summary>A few words.</summary>
    string Title { get; }

    /// <summary>What a person is told who asks about the rule itself.</summary>
    RuleText Text { get; }

    /// <summary>Found, clear, or what is missing.</summary>
    RuleAnswer Look(PoolReport report);
}

/// <summary>A rule explained, whatever a capture says; printed by <c>rules</c> and in the catalogue.</summary>
/// <param name="Mechanism">What the runtime does and why that hurts.</param>
/// <param name="Needs">What a capture must hold for the rule to decide.</param>
/// <param name="Remedy">What to do, the cause first and the stopgap last.</param>
/// <param name="FalseAlarms">When it speaks although nothing is wrong.</param>
sealed record RuleText(string Mechanism, string Needs, string Remedy, string FalseAlarms);

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
