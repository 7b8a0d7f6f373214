using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>Tells somebody whether items wait, whenever a fact says so.</summary>
sealed class WaitAlert(Action<bool> itemsWait) : IFactSink
{
    public void On(in CountersRead fact)
    {
        if (fact.Backlog is { } waiting)
        {
            itemsWait(waiting > 0);
        }
    }

    // Before the next counter sample says so.
    public void On(in WorkerGoalChanged fact)
    {
        if (fact.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking)
        {
            itemsWait(true);
        }
    }
}
