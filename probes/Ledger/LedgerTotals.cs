using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>What is counted over the whole capture, whatever was forgotten of its parts.</summary>
sealed class LedgerTotals : IFactSink
{
    readonly SortedDictionary<AdjustmentReason, int> adjustments = [];
    int compensations;

    ImmutableSortedDictionary<AdjustmentReason, int> Adjustments => adjustments.ToImmutableSortedDictionary();
    int? MaxWorkers { get; set; }
    long? MaxBacklog { get; set; }

    public LedgerSnapshot AddTo(LedgerSnapshot snapshot) =>
        snapshot with { Adjustments = Adjustments, Compensations = compensations, MaxWorkers = MaxWorkers, MaxBacklog = MaxBacklog };

    public void Count(AdjustmentReason reason, bool rises)
    {
        adjustments[reason] = adjustments.GetValueOrDefault(reason) + 1;
        compensations += rises && reason == AdjustmentReason.CooperativeBlocking ? 1 : 0;
    }

    public void On(in WorkerStarted fact) => Workers(fact.Existing);

    public void On(in WorkerStopped fact) => Workers(fact.Existing);

    public void On(in WorkerWaited fact) => Workers(fact.Existing);

    public void Workers(int existing) => MaxWorkers = Math.Max(MaxWorkers ?? 0, existing);

    public void Backlog(long? items) => MaxBacklog = items > (MaxBacklog ?? -1) ? items : MaxBacklog;
}
