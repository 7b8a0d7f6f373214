using Tpwatch.Basics;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Why the gate's ticks come where task waits should have steps: memory counts as high (G6), or the goal was raised before for other
/// blocking (G7). The gate looks for starvation only while no step is pending, so an injection shows that the pool had none to make, or was
/// not let. That workers wait for tasks at that moment is known only where steps were seen and not taken back; otherwise it stays a
/// suspicion.
/// </summary>
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

    /// <summary>An injection by the gate, told what else was known at its moment.</summary>
    public Func<Gap, Gap> At(PoolState state, double? load)
    {
        var (stands, high) = (Stands, IsHigh(load));
        var free = CooperativeSchedule.FreeUpTo(state.Settings);
        return gap => gap.Rule != GapRule.G1GateTick ? gap
            : high == true ? Vetoed(gap, stands, load)
            : !stands || gap.GoalBefore < free ? gap
            : high == false ? gap with { Rule = GapRule.G7Debt, Because = $"{Debt(gap, state.Settings)} {gap.Because}" }
            : gap with
            {
                Also = GapRule.G7Debt,
                Because = $"{gap.Because} {Debt(gap, state.Settings)} Unless memory counts as high, which is not known here.",
            };
    }

    /// <summary>Null where nobody tells the load and no setting decides it.</summary>
    bool? IsHigh(double? load) => ignored ? false : load is { } known ? known >= Veto : Veto <= NearlyAlways ? true : null;

    Gap Vetoed(Gap gap, bool stands, double? load)
    {
        var high = load is { } known
            ? $"Memory counts as high ({Format.Percent(known)} in use, {Format.Percent(Veto)} suffice)"
            : $"Memory counts as high ({Format.Percent(Veto)} in use suffice)";
        return stands
            ? gap with
            {
                Rule = GapRule.G6MemoryVeto,
                Because = $"{high}, so task waits that were compensated before get no step; the gate's ticks are left. {gap.Because}",
            }
            : gap with
            {
                Also = GapRule.G6MemoryVeto,
                Because = $"{gap.Because} {high}: should the workers wait for tasks, which stacks would tell, they get no step for it.",
            };
    }

    static string Debt(Gap gap, PoolSettings settings) =>
        $"No step for task waits was pending: the goal of {gap.GoalBefore}, raised before for other blocking, "
        + $"covers {gap.GoalBefore - settings.Min} of them beyond min.";
}
