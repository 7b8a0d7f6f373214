using Tpwatch.Reports;

namespace Tpwatch.Sessions;

/// <summary>
/// Reads the coarse clock about once a second, on a thread that is lent to it: by its sleeps it also sees how the machine refreshes it.
/// </summary>
sealed class ClockSampler
{
    // The last 3 s while items wait; 16 s of the longer sleeps, as many as tell a busy machine.
    const int MostLags = 75;
    const int MostLagsAtLeisure = 40;

    // Sleeps of different length, since equal ones would visit the same part of a step again and again. A wake-up costs 0.1 ms: while
    // nothing waits, no gate check is to be explained, and the regime need not be known to the second.
    static readonly int[] SleepsMs = [40, 39, 42, 41];
    static readonly int[] SleepsAtLeisureMs = [400, 393, 411, 405];

    const int MsPerReading = 1000;
    const int ReadingsPerCalibration = 5;
    const int ReadingsPerCalibrationAtLeisure = 50;

    // Each edge costs a few milliseconds of spinning: many at first, later one at a time, which joins the earlier ones, so that the
    // cost stays below 0.3 % of a core. Both clocks are the kernel's own and hardly drift: at leisure once a minute does.
    const int EdgesAtStart = 20;
    const int EdgesPerCalibration = 1;

    readonly ReadingQueue<ClockReading> readings = new(reading => reading.At);
    readonly Queue<double> lags = new();
    readonly Queue<double> edges = new();
    readonly double stepMs;
    volatile bool atLeisure;

    ClockSampler(double stepMs) => this.stepMs = stepMs;

    /// <summary>Null on a machine without such a clock.</summary>
    public static ClockSampler? Create() =>
        OperatingSystem.IsLinux() && CoarseClock.StepNanoseconds() is > 0 and var step ? new ClockSampler(step / 1e6) : null;

    /// <summary>The oldest reading, if it was taken until then; for any thread.</summary>
    public bool TryTake(EventTime until, out ClockReading reading) => readings.TryTake(until, out reading);

    /// <summary>While none wait, 2 or 3 samples a second do, instead of 25; for any thread, heeded after the next sleep.</summary>
    public void ItemsWait(bool now) => atLeisure = !now;

    /// <summary>
    /// Samples until it is told to stop; after each of its sleeps, 40 ms or at leisure 400 ms long, the thread is free for something short.
    /// </summary>
    public void Run(WaitHandle stop, Action awake)
    {
        Calibrate(EdgesAtStart);
        Publish();
        var (samples, sleptMs, reading) = (0, 0, 0);
        for (var sleepMs = SleepMs(samples); !stop.WaitOne(sleepMs); sleepMs = SleepMs(samples))
        {
            samples++;
            sleptMs += sleepMs;
            TakeLag();
            awake();

            // The first regime as soon as there can be one, then about once a second.
            if (sleptMs < MsPerReading && samples != RegimeRule.LeastLags)
            {
                continue;
            }

            sleptMs = 0;
            if (++reading % (atLeisure ? ReadingsPerCalibrationAtLeisure : ReadingsPerCalibration) == 0)
            {
                Calibrate(EdgesPerCalibration);
            }

            Publish();
        }
    }

    // The first lags are gathered quickly whatever the target does: an attach may meet the middle of an incident.
    int SleepMs(int samples)
    {
        var sleeps = atLeisure && samples >= MostLagsAtLeisure ? SleepsAtLeisureMs : SleepsMs;
        return sleeps[samples % sleeps.Length];
    }

    void TakeLag()
    {
        var before = CoarseClock.Fine();
        var coarse = CoarseClock.Coarse();
        var after = CoarseClock.Fine();
        if ((after - before) / 1e6 < EdgeSample.SharpMs)
        {
            Keep(lags, (after - coarse) / 1e6, atLeisure ? MostLagsAtLeisure : MostLags);
        }
    }

    // At most two steps a look: then the clock stands, and there is nothing to see.
    void Calibrate(int edges)
    {
        for (var i = 0; i < edges; i++)
        {
            var giveUp = CoarseClock.Fine() + (long)(2e6 * this.stepMs);
            var first = CoarseClock.Coarse();
            long before, after, coarse;
            do
            {
                before = CoarseClock.Fine();
                coarse = CoarseClock.Coarse();
                after = CoarseClock.Fine();
            }
            while (coarse == first && after < giveUp);

            if (coarse != first && (after - before) / 1e6 < EdgeSample.SharpMs)
            {
                Keep(this.edges, ModuloStep(after), EdgesAtStart);
            }
        }
    }

    void Publish()
    {
        if (EdgeSample.Edge(this.edges, this.stepMs) is not { } edge)
        {
            return;
        }

        var grid = ModuloStep(CoarseClock.Coarse());
        var lagAtEdge = EdgeSample.Modulo(edge - grid, this.stepMs);
        readings.Put(new ClockReading(
            new EventTime(CoarseClock.Fine()), this.stepMs, grid, edge, RegimeRule.Judge(lags, this.stepMs, lagAtEdge))
        {
            IdleShare = RegimeRule.IdleShare(lags, this.stepMs, lagAtEdge),
        });
    }

    // In whole nanoseconds: a fraction of days in milliseconds would lose digits.
    double ModuloStep(long nanoseconds) => nanoseconds % (long)(this.stepMs * 1e6) / 1e6;

    static void Keep(Queue<double> ring, double value, int most)
    {
        ring.Enqueue(value);
        while (ring.Count > most)
        {
            ring.Dequeue();
        }
    }
}

/// <summary>Works out when the coarse clock changes, from moments at which it was seen changing.</summary>
static class EdgeSample
{
    /// <summary>A change seen between two readings farther apart than this says too little, milliseconds.</summary>
    public const double SharpMs = 0.02;

    // The true edge is the earliest that was seen: an interrupt can only be late. But a few are late by milliseconds, and in the
    // idle regime the clock also changes between edges; so only those near the median count.
    const double NearMedianMs = 0.15;

    /// <summary>The edge modulo step, from edges modulo step; null without any. All in milliseconds.</summary>
    public static double? Edge(IReadOnlyCollection<double> seen, double stepMs)
    {
        if (seen.Count == 0)
        {
            return null;
        }

        // Edges near 0 and near the step are neighbours: turn them all so that one of them lies in the middle.
        var turn = (stepMs / 2) - seen.First();
        double[] turned = [.. seen.Select(s => Modulo(s + turn, stepMs)).Order()];
        var median = turned[turned.Length / 2];
        return Modulo(turned.First(t => median - t <= NearMedianMs) - turn, stepMs);
    }

    /// <summary>Never negative.</summary>
    public static double Modulo(double value, double step) => value - (step * Math.Floor(value / step));
}

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
