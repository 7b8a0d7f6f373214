using Tpwatch.Reports;

namespace Tpwatch.Assertions;

/// <summary>What was asserted of a report does not hold.</summary>
/// <param name="message">What was seen, as the report says it.</param>
/// <param name="report">The report.</param>
public sealed class PoolAssertionException(string message, PoolReport report) : Exception(message), IAssertionException
{
    /// <summary>All that was seen.</summary>
    public PoolReport Report { get; } = report;
}

/// <summary>By this name xunit tells a failed assertion from an error.</summary>
interface IAssertionException;
