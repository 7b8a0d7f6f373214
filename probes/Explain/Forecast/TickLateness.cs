using Tpwatch.Explain.Policies;

namespace Tpwatch.Explain.Forecast;

/// <summary>
/// How much later than on the quiet machine that was measured this target's gate looks. On a process that keeps its processors busy each
/// look comes 10 to 80 ms late, again and again, which alone decides whether the first look after an injection adds the next worker.
/// </summary>
sealed class TickLateness
{
    /// <summary>Few enough to follow a change, enough to pass over one late wake-up.</summary>
    const int Newest = 5;

    /// <summary>Begins with the machine that was measured: one late look alone changes nothing.</summary>
    readonly Queue<double> seen = new([0]);

    /// <summary>By how much a look is late as a rule, milliseconds; 0 before anything was seen.</summary>
    public double UsualMs { get; private set; }

    /// <summary>The least of the newest.</summary>
    public double LeastMs { get; private set; }

    /// <summary>The most of the newest.</summary>
    public double MostMs { get; private set; }

    /// <summary>So many looks lay between two injections that were so many milliseconds apart.</summary>
    public void Take(int looks, double ms)
    {
        seen.Enqueue((ms - Nominal(looks)) / looks);
        if (seen.Count > Newest)
        {
            seen.Dequeue();
        }

        var sorted = seen.Order().ToArray();
        (LeastMs, UsualMs, MostMs) = (sorted[0], sorted[(sorted.Length - 1) / 2], sorted[^1]);
    }

    /// <summary>What is known when the gate looks so much later.</summary>
    public static PoolState Late(PoolState state, double byMs) => state with { TickPeriodMs = state.TickPeriodMs + byMs };

    static double Nominal(int looks) => GateTiming.AfterInjection + (looks - 1) * GateTiming.AfterHold;
}
