using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Scoring.Truths;

/// <summary>What is kept beside a recording: what really happened in that run, and how it was made.</summary>
/// <param name="Run">The fixture's own record.</param>
/// <param name="Delivered">How much of the stream had reached the reader when; ascending.</param>
sealed record StoredTruth(RunTruth Run, ImmutableArray<Delivery> Delivered)
{
    /// <summary>Runs that did not complete before this one did, each with the reason; the first that completed is kept.</summary>
    public ImmutableArray<string> Incomplete { get; init; } = [];

    /// <summary>The machine's load of the last minute before it began; null where the system does not tell.</summary>
    public double? LoadBefore { get; init; }
}

/// <summary>So many bytes of the stream had been read by then.</summary>
/// <param name="Bytes">Bytes since the start of the stream.</param>
/// <param name="At">Event time: the clock of the stream, read by whoever recorded it.</param>
readonly record struct Delivery(long Bytes, EventTime At);
