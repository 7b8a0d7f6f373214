using Tpwatch.Diagnosis;
using Tpwatch.Ledger;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>All folded data up to one moment; immutable. The only object that the reading thread shares with other threads.</summary>
sealed record Observation(TimelineSnapshot Timeline, LedgerSnapshot Ledger, ExtraEvidence Side, SessionEnd End)
{
    public FlightTape Tape { get; init; } = FlightTape.Empty;
}
