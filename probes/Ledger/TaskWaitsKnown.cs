using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Explains why the gate thread injects where blocking compensation should make steps: memory use counts as high (G6), or the target thread
/// count was raised before for other blocking (G7). The gate thread checks for starvation only while no step is pending, so an injection
/// shows that the pool had no step to make or was not allowed one. It is certain that worker threads wait for tasks at that time only if
/// steps were seen and not taken back; otherwise it is a suspicion.
/// </summary>
/// <param name="Stands">Whether task waits continue that the pool has compensated.</param>
/// <param name="High">Whether memory use counts as high; null when unknown.</param>
/// <param name="Load">Memory in use, 0 to 1; null when unknown.</param>
/// <param name="Veto">The load from which memory use counts as high, 0 to 1.</param>
sealed record TaskWaitsKnown(bool Stands, bool? High, double? Load, double Veto)
{
    /// <summary>The name of the setting that defines the threshold <see cref="Veto"/>; null for the runtime's default.</summary>
    public string? Setting { get; init; }

    /// <summary>No task wait, and enough memory.</summary>
    public static TaskWaitsKnown None { get; } = new(false, false, null, 1);

    /// <summary>Adds the state of task waits and memory to the explanation of an injection by the gate thread.</summary>
    public InjectionDelay Charge(InjectionDelay delay, PoolSettings settings) => delay.Mechanism != Mechanism.G1GateTick ? delay
        : High == true ? Vetoed(delay)
        : !Stands || delay.TargetThreadsBefore < CooperativeSchedule.FreeUpTo(settings) ? delay
        : High == false ? delay with { Mechanism = Mechanism.G7Debt, Because = $"{Debt(delay, settings)} {delay.Because}" }
        : delay with
        {
            Also = Mechanism.G7Debt,
            Because = $"{delay.Because} {Debt(delay, settings)} High memory use may be the cause instead: "
                + (Load is { } load ? $"at {Format.Percent(load)} it may count as high." : "the memory load is not known."),
        };

    InjectionDelay Vetoed(InjectionDelay delay)
    {
        var load = Load is { } known ? $" ({Format.Percent(known)})" : "";
        var high = $"{(Setting is null ? $"Memory use is high{load}" : $"Memory use{load} counts as high because of {Setting}")}: "
            + $"from {Format.FinePercent(Veto)} on, task waits get no extra thread.";
        return Stands
            ? delay with
            {
                Mechanism = Mechanism.G6MemoryVeto,
                Because = $"{high} Only the gate thread adds threads then. {delay.Because}",
            }
            : delay with
            {
                Also = Mechanism.G6MemoryVeto,
                Because = $"{delay.Because} {high} Stacks would show whether the threads wait for tasks.",
            };
    }

    static string Debt(InjectionDelay delay, PoolSettings settings) =>
        $"Task waits get no extra thread here: the pool has raised the target thread count to "
        + $"{delay.TargetThreadsBefore} for other blocking. "
        + $"The threads above MinThreads ({delay.TargetThreadsBefore - settings.Min}) already count as extra threads for task waits.";
}
