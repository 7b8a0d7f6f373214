using Tpwatch.Findings.Clues;
using Tpwatch.Reports;

namespace Tpwatch.Findings;

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
