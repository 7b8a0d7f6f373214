using Tpwatch.Reports;

namespace Tpwatch.Pool;

/// <summary>
/// A runtime's algorithm for adding workers, as a pure function over event time. The gap ledger asks it about the past, a forecast about
/// the next second, a what-if about another world; a rule of the runtime is written once, here.
/// </summary>
interface IInjectionPolicy
{
    /// <summary>
    /// After so many ticks that found nothing waiting the gate sleeps, and its period starts anew with the next item; null: it never does.
    /// </summary>
    int? IdleTicksBeforeSleep => 2;

    /// <summary>The state before anything happened.</summary>
    PoolState Start(PoolSettings settings);

    /// <summary>The state after <paramref name="input"/>.</summary>
    PoolState Apply(PoolState state, PoolInput input);

    /// <summary>When the pool looks next whether to add a worker; null when that is not known.</summary>
    PoolTick? NextTick(PoolState state);

    /// <summary>What it decides at a tick, if nothing else happens before it.</summary>
    Decision Decide(PoolState state, PoolTick tick);
}

/// <summary>What makes the gate thread wake.</summary>
enum TickKind
{
    /// <summary>Its period is over.</summary>
    Periodic,

    /// <summary>The delay of a pending cooperative adjustment is over.</summary>
    CooperativeDelay,
}

/// <summary>
/// A moment at which the pool asks whether to add a worker: most likely at <paramref name="At"/>, allowed from
/// <see cref="Earliest"/> to <see cref="Latest"/>.
/// </summary>
readonly record struct PoolTick(EventTime At, TickKind Kind)
{
    /// <summary>First allowed moment.</summary>
    public EventTime Earliest => At.PlusMs(-GateTiming.EarlyMs);

    /// <summary>Last allowed moment.</summary>
    public EventTime Latest => At.PlusMs(GateTiming.LateMs);
}

/// <summary>What a tick leads to.</summary>
enum DecisionKind
{
    /// <summary>A worker is added.</summary>
    Add,

    /// <summary>None is added.</summary>
    Hold,

    /// <summary>The goal falls, since fewer workers wait for tasks: whoever ends its item beyond it stops.</summary>
    Lower,

    /// <summary>Something is missing to say.</summary>
    Undecided,
}

/// <summary>A decision with the rule and the numbers compared.</summary>
/// <param name="Kind">What happens.</param>
/// <param name="Mechanism">The mechanism behind it.</param>
/// <param name="Words">The numbers compared, a few words; made when asked for, since a simulation decides
/// thousands of times and asks for none.</param>
sealed record Decision(DecisionKind Kind, Mechanism Mechanism, Func<string> Words)
{
    /// <summary>A decision whose words need no numbers.</summary>
    public Decision(DecisionKind kind, Mechanism rule, string why)
        : this(kind, rule, () => why)
    {
    }

    /// <summary>The numbers compared, a few words.</summary>
    public string Why => Words();

    /// <summary>By how many workers the goal rises or falls; more than one only where the task waits are told.</summary>
    public int Workers { get; init; } = 1;

    /// <summary>Time since the last dequeue as the runtime counts it, milliseconds; null when unknown or not asked.</summary>
    public double? SinceDequeueMs { get; init; }

    /// <summary>Whether small errors of the inferred moments change nothing.</summary>
    public bool Sure { get; init; } = true;

    /// <summary>Whether the age compared lies so near the limit that small errors of the inferred moments could turn the answer.</summary>
    public bool Near { get; init; }

    /// <summary>How likely it adds a worker, 0 to 1, since the moment of an expected tick scatters; reckoned when asked for.</summary>
    public double Chance => Likelihood?.Invoke() ?? (Kind == DecisionKind.Add ? 1 : 0);

    /// <summary>Reckons <see cref="Chance"/>; null where there is no doubt.</summary>
    public Func<double>? Likelihood { get; init; }

    /// <summary>Too close to say without the machine's clock; <see cref="Why"/> says so already.</summary>
    public bool Close { get; init; }

    /// <summary>Whether the processors may have been so busy at this tick, though not on average, that it had to wait for longer.</summary>
    public bool MayBeBusy { get; init; }

    /// <summary>
    /// Whether a worker could be added at this tick, whatever the coarse clock's phase was: the wide answer by which gaps are judged,
    /// while <see cref="Kind"/> is the sharp one by which they are explained.
    /// </summary>
    public bool Possible { get; init; } = true;

    /// <summary>Whether a worker had to be added at this tick, whatever the coarse clock's phase was.</summary>
    public bool Certain { get; init; }
}
