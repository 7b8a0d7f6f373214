using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>
/// Everything that was folded up to one moment; immutable. The only thing that crosses from the reading thread to others.
/// </summary>
sealed record Observation(TimelineSnapshot Timeline, LedgerSnapshot Ledger, SeenBeside Beside, SessionEnd End)
{
    public FlightTape Tape { get; init; } = FlightTape.Empty;
}
