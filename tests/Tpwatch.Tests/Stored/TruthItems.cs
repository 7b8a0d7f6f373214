using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.Stored;

/// <summary>The items as the fixture itself knows them: when each was queued, and how long it was told to block.</summary>
sealed class TruthItems(RunTruth truth, Blocking blocking) : IItemSource
{
    public ItemsSeen Look(PoolReport report) => new(
        [.. truth.Items.OrderBy(item => item.Enqueued)
            .Select(item => new SimulatedItem(ObservedRun.At(item.Enqueued), 0, truth.Header.Option("hold"), blocking))],
        "the fixture's own record")
    {
        Ended = truth.TotalMs() is null ? null : ObservedRun.At(truth.Items.Max(item => item.Ended!.Value)),
    };
}
