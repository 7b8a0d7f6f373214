using Tpwatch.Reports;

namespace Tpwatch.Sessions;

/// <summary>
/// Tells how the coarse clock is refreshed, from how far it lags behind the fine one at our own wake-ups. When every processor was idle,
/// the interrupt that woke us has refreshed it, and the lag lies anywhere from 0 to one step. When some processor was awake, it was
/// refreshed at the last edge, where it lags by (edge - grid) modulo step, and has aged since.
/// Measured (4 ms step, 80 wake-ups, lag at an edge 1.5 ms): below that idle 25 and busy 0; above one step idle 2 and busy 30.
/// </summary>
static class RegimeRule
{
    /// <summary>Fewer wake-ups say nothing.</summary>
    public const int LeastLags = 20;

    // Of fewer a share is a guess.
    const int LeastTelling = 6;

    // Reading takes time, and edges jitter.
    const double MarginMs = 0.05;

    // Above one step: idle 2 of 80, busy 30 of 80.
    const double ShareThatOnlyBusyHas = 0.1;

    // To call a machine busy because a lag was never seen: on an idle one it would have been seen with a probability of 99 %.
    static readonly double EnoughExpected = -Math.Log(0.01);

    /// <summary>
    /// At what share of wake-ups the interrupt had refreshed the clock. Lags below that of an edge come from such alone, lags above one
    /// step from the others alone, and each kind shows itself equally often. Null when too few did.
    /// </summary>
    public static double? IdleShare(IReadOnlyCollection<double> lagsMs, double stepMs, double lagAtEdgeMs)
    {
        var (low, high) = Telling(lagsMs, stepMs, lagAtEdgeMs);
        return low + high >= LeastTelling ? (double)low / (low + high) : null;
    }

    public static ClockRegime Judge(IReadOnlyCollection<double> lagsMs, double stepMs, double lagAtEdgeMs)
    {
        if (lagsMs.Count < LeastLags)
        {
            return ClockRegime.Unknown;
        }

        var (low, high) = Telling(lagsMs, stepMs, lagAtEdgeMs);
        if (low > 0)
        {
            return high > ShareThatOnlyBusyHas * lagsMs.Count ? ClockRegime.Mixed : ClockRegime.Idle;
        }

        // With an edge close behind the grid the two regimes can hardly be told, nor do they differ much: let both be asked.
        return lagsMs.Count * Math.Max(0, lagAtEdgeMs - MarginMs) / stepMs >= EnoughExpected ? ClockRegime.Busy : ClockRegime.Mixed;
    }

    /// <summary>Lags that only wake-ups have whose interrupt refreshed the clock, and lags that only the others have.</summary>
    static (int Low, int High) Telling(IReadOnlyCollection<double> lagsMs, double stepMs, double lagAtEdgeMs) =>
        (lagsMs.Count(lag => lag < lagAtEdgeMs - MarginMs), lagsMs.Count(lag => lag > stepMs + MarginMs));
}
