using Tpwatch.Ledger.Judging;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Whether task waits go on that the pool has compensated, and whether memory lets it.</summary>
sealed class CompensationTracker(TargetFacts target)
{
    /// <summary>What counts as high when nothing is set, percent; on machines of 80 GB and more a few percent more.</summary>
    const double DefaultVeto = MemoryThreshold.DefaultHighPercent * MemoryThreshold.PoolsShare / 100;

    /// <summary>A load that hardly any machine with a service on it is below.</summary>
    const double NearlyAlways = 0.2;

    readonly MemoryThreshold? set = MemoryThreshold.Of(target);
    readonly bool ignored =
        target.Settings.Any(s => s.Name.EndsWith("IgnoreMemoryUsage", StringComparison.Ordinal) && s.Value is "true" or "True" or "1");

    /// <summary>
    /// Whether task waits go on that were compensated: the last step raised the goal, and their end would have lowered it.
    /// </summary>
    public bool Stands { get; private set; }

    double Veto => set is { } known ? known.VetoPercent / 100 : DefaultVeto;

    public void Stepped(bool rises) => Stands = rises;

    /// <summary>What is known with such a share of the memory in use, 0 to 1.</summary>
    public TaskWaitsKnown At(double? load) => new(Stands, IsHigh(load), load, Veto);

    /// <summary>Null where nobody tells the load and no setting decides it.</summary>
    bool? IsHigh(double? load) => ignored ? false : load is { } known ? known >= Veto : Veto <= NearlyAlways ? true : null;
}
