using Tpwatch.Reports;

namespace Tpwatch.Attach.Clock;

/// <summary>
/// Reads the coarse clock about once a second, on a thread that is lent to it: by its sleeps it also sees how the machine refreshes it.
/// </summary>
sealed class ClockSampler
{
    // 75 lags are the last 3 s. Sleeps of different length, since equal ones would visit the same part of a step again and again.
    const int MostLags = 75;
    static readonly int[] SleepsMs = [40, 39, 42, 41];

    // About a second, and 5 s; in sleeps.
    const int SleepsPerReading = 25;
    const int SleepsPerCalibration = 125;

    // Each edge costs a few milliseconds of spinning: many at first, later one at a time, which joins the earlier ones, so that the
    // cost stays below 0.3 % of a core.
    const int EdgesAtStart = 20;
    const int EdgesPerCalibration = 1;

    readonly ReadingQueue<ClockReading> readings = new(reading => reading.At);
    readonly Queue<double> lags = new();
    readonly Queue<double> edges = new();
    readonly double stepMs;

    ClockSampler(double stepMs) => this.stepMs = stepMs;

    /// <summary>Null on a machine without such a clock.</summary>
    public static ClockSampler? Create() =>
        OperatingSystem.IsLinux() && CoarseClock.StepNanoseconds() is > 0 and var step ? new ClockSampler(step / 1e6) : null;

    /// <summary>The oldest reading, if it was taken until then; for any thread.</summary>
    public bool TryTake(EventTime until, out ClockReading reading) => readings.TryTake(until, out reading);

    /// <summary>Samples until it is told to stop; after each of its sleeps, 40 ms long, the thread is free for something short.</summary>
    public void Run(WaitHandle stop, Action awake)
    {
        Calibrate(EdgesAtStart);
        Publish();
        for (var sleep = 1; !stop.WaitOne(SleepsMs[sleep % SleepsMs.Length]); sleep++)
        {
            TakeLag();
            awake();
            if (sleep % SleepsPerCalibration == 0)
            {
                Calibrate(EdgesPerCalibration);
            }

            // The first regime as soon as there can be one, then about once a second.
            if (sleep % SleepsPerReading == 0 || sleep == RegimeRule.LeastLags)
            {
                Publish();
            }
        }
    }

    void TakeLag()
    {
        var before = CoarseClock.Fine();
        var coarse = CoarseClock.Coarse();
        var after = CoarseClock.Fine();
        if ((after - before) / 1e6 < EdgeSample.SharpMs)
        {
            Keep(lags, (after - coarse) / 1e6, MostLags);
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
