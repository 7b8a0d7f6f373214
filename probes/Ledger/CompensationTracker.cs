using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Whether task waits go on that the pool has compensated, and whether memory lets it.</summary>
sealed class CompensationTracker(TargetFacts target)
{
    readonly MemoryThreshold threshold = MemoryThreshold.Of(target);

    /// <summary>
    /// Whether task waits go on that were compensated: the last step raised the goal, and their end would have lowered it.
    /// </summary>
    public bool Stands { get; private set; }

    /// <summary>Whether memory may keep the pool from a step, as far as there is reason to ask; as for <see cref="At"/>.</summary>
    public bool MayBeVetoed(double? load, int processors) => threshold.MayBeHigh(load, processors);

    public void Stepped(bool rises) => Stands = rises;

    /// <summary>What is known with such a share of the memory in use, 0 to 1, or none known, and so many processors.</summary>
    public TaskWaitsKnown At(double? load, int processors) =>
        new(Stands, threshold.IsHigh(load, processors), load, threshold.VetoPercent / 100) { Setting = threshold.Setting?.Name };
}
