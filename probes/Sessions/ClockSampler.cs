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
