using Tpwatch.Pool;

namespace Tpwatch.Forecast;

/// <summary>
/// How much later than on the quiet machine that was measured this target's gate ticks. On a process that keeps its processors busy each
/// tick comes 10 to 80 ms late, again and again, which alone decides whether the first tick after an injection adds the next worker.
/// </summary>
sealed class TickLateness
{
    /// <summary>Few enough to follow a change, enough to pass over one late wake-up and to tell how they scatter.</summary>
    const int Newest = 9;

    /// <summary>Begins with the machine that was measured: one late tick alone changes nothing.</summary>
    readonly Queue<double> seen = new([0]);

    /// <summary>Of fewer one may be the exception.</summary>
    const int EnoughToKnow = 3;

    /// <summary>A standard deviation is so much of the width of the middle half, if the scatter is normal.</summary>
    const double OfMiddleHalf = 0.74;

    double scatterMs = GateTiming.ScatterMs;

    /// <summary>By how much a tick is late as a rule, milliseconds; 0 before anything was seen.</summary>
    public double UsualMs { get; private set; }

    /// <summary>Whether enough ticks were seen to say how late this machine's are.</summary>
    public bool IsKnown => seen.Count > EnoughToKnow;

    /// <summary>The newest, milliseconds.</summary>
    public IReadOnlyCollection<double> SeenMs => seen;

    /// <summary>So many ticks lay between two injections that were so many milliseconds apart.</summary>
    public void Take(int ticks, double ms)
    {
        seen.Enqueue((ms - Nominal(ticks)) / ticks);
        if (seen.Count > Newest)
        {
            seen.Dequeue();
        }

        var sorted = seen.Order().ToArray();
        UsualMs = sorted[(sorted.Length - 1) / 2];
        // Of the middle half, so that one wake-up that is very late says nothing of the others.
        scatterMs = Math.Max(GateTiming.ScatterMs, (sorted[(sorted.Length - 1) * 3 / 4] - sorted[(sorted.Length - 1) / 4]) * OfMiddleHalf);
    }

    /// <summary>What is known when the gate ticks so much later, and scatters as it did.</summary>
    public PoolState Late(PoolState state, double byMs) =>
        state with { TickPeriodMs = state.TickPeriodMs + byMs, TickScatterMs = scatterMs };

    static double Nominal(int ticks) => GateTiming.AfterInjection + (ticks - 1) * GateTiming.AfterHold;
}
