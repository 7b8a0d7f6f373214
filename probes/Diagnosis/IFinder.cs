using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>One thing that can be wrong: decides about a report and phrases what it found.</summary>
interface IFinder
{
    /// <summary>Stable id, TPWnnn.</summary>
    string Id { get; }

    /// <summary>A few words.</summary>
    string Title { get; }

    /// <summary>What a person is told who asks about the finding itself.</summary>
    FindingMeaning Text { get; }

    /// <summary>What it has to do with the cause where it was found.</summary>
    FindingCause Cause(PoolReport report) => FindingCause.None;

    /// <summary>Found, clear, or what is missing.</summary>
    FinderAnswer Look(PoolReport report);
}
