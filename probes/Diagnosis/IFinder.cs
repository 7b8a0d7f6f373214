using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>A rule that detects one problem in a report and describes it.</summary>
interface IFinder
{
    /// <summary>Stable id, TPWnnn.</summary>
    string Id { get; }

    /// <summary>Title, a few words.</summary>
    string Title { get; }

    /// <summary>The explanation of the finding for users.</summary>
    FindingMeaning Text { get; }

    /// <summary>How the finding relates to the cause of the verdict.</summary>
    FindingCause Cause(PoolEvidence report) => FindingCause.None;

    /// <summary>The answer: found, clear, or the missing information.</summary>
    FinderAnswer Look(PoolEvidence report);
}
