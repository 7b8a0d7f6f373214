using System.Runtime.InteropServices;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// Samples the machine's coarse clock on the thread that calls <see cref="Run"/>, and publishes a reading about once a second. The coarse
/// clock's lag behind the fine clock at each wake-up of this thread shows how the machine refreshes the coarse clock.
/// </summary>
sealed class CoarseClockSampler(double stepMs)
{
    // Maximum number of lags kept: those of the last 3 s while items wait (75), of the last 16 s while no item waits (40).
    const int MostLags = 75;
    const int MostLagsAtLeisure = 40;

    // Sleeps differ in length, because equal sleeps would sample the same part of a clock step repeatedly. Sleeps are longer while no item
    // waits, because a wake-up costs 0.1 ms and no gate check then needs an explanation.
    static readonly int[] SleepsMs = [40, 39, 42, 41];
    static readonly int[] SleepsAtLeisureMs = [400, 393, 411, 405];

    const int MsPerReading = 1000;
    const int ReadingsPerCalibration = 5;
    const int ReadingsPerCalibrationAtLeisure = 50;

    // An edge is a change of the coarse clock. Waiting for an edge costs a few milliseconds of spinning. After the first 20 edges, one edge
    // per calibration keeps the cost below 0.3 % of a core. The clocks hardly drift: while no item waits, one edge a minute is enough.
    const int EdgesAtStart = 20;
    const int EdgesPerCalibration = 1;

    readonly ReadingQueue<ClockReading> readings = new(reading => reading.At);
    readonly Queue<double> lags = new();
    readonly Queue<double> edges = new();
    volatile bool atLeisure;

    /// <summary>Creates a sampler; null on a machine without a coarse clock.</summary>
    public static CoarseClockSampler? Create() =>
        OperatingSystem.IsLinux() && CoarseClock.StepNanoseconds() is > 0 and var step ? new CoarseClockSampler(step / 1e6) : null;

    /// <summary>Takes the oldest reading if it was taken no later than <paramref name="until"/>; for any thread.</summary>
    public bool TryTake(EventTime until, out ClockReading reading) => readings.TryTake(until, out reading);

    /// <summary>
    /// Sets the sampling rate: 25 samples a second while items wait, otherwise 2 or 3. For any thread; takes effect after the next sleep.
    /// </summary>
    public void ItemsWait(bool now) => atLeisure = !now;

    /// <summary>
    /// Samples until <paramref name="stop"/> is set. After each sleep (40 ms, or 400 ms while no item waits), calls
    /// <paramref name="awake"/> for short extra work on this thread.
    /// </summary>
    public void Run(WaitHandle stop, Action awake)
    {
        Calibrate(EdgesAtStart, stop);
        Publish();
        var (samples, sleptMs, reading) = (0, 0, 0);
        for (var sleepMs = SleepMs(samples); !stop.WaitOne(sleepMs); sleepMs = SleepMs(samples))
        {
            samples++;
            sleptMs += sleepMs;
            TakeLag();
            awake();

            // Publish the first regime as soon as there are enough lags, then about once a second.
            if (sleptMs < MsPerReading && samples != ClockRegimeRule.LeastLags)
            {
                continue;
            }

            sleptMs = 0;
            if (++reading % (atLeisure ? ReadingsPerCalibrationAtLeisure : ReadingsPerCalibration) == 0)
            {
                Calibrate(EdgesPerCalibration, stop);
            }

            Publish();
        }
    }

    // The first lags are gathered at the short interval even while no item waits: tpwatch may attach in the middle of an incident.
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
        if ((after - before) / 1e6 < ClockEdge.SharpMs)
        {
            Keep(lags, (after - coarse) / 1e6, atLeisure ? MostLagsAtLeisure : MostLags);
        }
    }

    // Waits for edges. Gives up on an edge after two clock steps, because a coarse clock that has not changed by then does not advance.
    // Checks stop before each edge: on busy processors 20 edges may take more than a second, and a session must end sooner.
    void Calibrate(int edges, WaitHandle stop)
    {
        for (var i = 0; i < edges && !stop.WaitOne(0); i++)
        {
            var giveUp = CoarseClock.Fine() + (long)(2e6 * stepMs);
            var first = CoarseClock.Coarse();
            long before, after, coarse;
            do
            {
                before = CoarseClock.Fine();
                coarse = CoarseClock.Coarse();
                after = CoarseClock.Fine();
            }
            while (coarse == first && after < giveUp);

            if (coarse != first && (after - before) / 1e6 < ClockEdge.SharpMs)
            {
                Keep(this.edges, ModuloStep(after), EdgesAtStart);
            }
        }
    }

    void Publish()
    {
        if (ClockEdge.Edge(this.edges, stepMs) is not { } edge)
        {
            return;
        }

        var grid = ModuloStep(CoarseClock.Coarse());
        var lagAtEdge = ClockEdge.Modulo(edge - grid, stepMs);
        readings.Put(new ClockReading(
            new EventTime(CoarseClock.Fine()), stepMs, grid, edge, ClockRegimeRule.Judge(lags, stepMs, lagAtEdge))
        {
            IdleShare = ClockRegimeRule.IdleShare(lags, stepMs, lagAtEdge),
        });
    }

    // Returns milliseconds, but divides whole nanoseconds: a double with days in milliseconds would lose digits.
    double ModuloStep(long nanoseconds) => nanoseconds % (long)(stepMs * 1e6) / 1e6;

    static void Keep(Queue<double> ring, double value, int most)
    {
        ring.Enqueue(value);
        while (ring.Count > most)
        {
            ring.Dequeue();
        }
    }
}

/// <summary>Computes when the coarse clock changes, from the moments at which a change was seen.</summary>
static class ClockEdge
{
    /// <summary>Maximum time between the fine readings before and after a coarse one, milliseconds; slower samples are discarded.</summary>
    public const double SharpMs = 0.02;

    // Maximum time by which an edge may precede the median of all edges, milliseconds. The earliest of these edges is the true one, because
    // interrupts are never early. An earlier change is no edge: on an idle machine, each wake-up also refreshes the clock.
    const double NearMedianMs = 0.15;

    /// <summary>Computes the edge from observed edges; all are milliseconds modulo one clock step. Null without observed edges.</summary>
    public static double? Edge(IReadOnlyCollection<double> seen, double stepMs)
    {
        if (seen.Count == 0)
        {
            return null;
        }

        // Modulo one step, values near 0 and near the step are close together: shift all values so that the first is in the middle.
        var turn = (stepMs / 2) - seen.First();
        double[] turned = [.. seen.Select(s => Modulo(s + turn, stepMs)).Order()];
        var median = turned[turned.Length / 2];
        return Modulo(turned.First(t => median - t <= NearMedianMs) - turn, stepMs);
    }

    /// <summary>The remainder of a division, never negative.</summary>
    public static double Modulo(double value, double step) => value - (step * Math.Floor(value / step));
}

/// <summary>
/// Determines how the coarse clock is refreshed, from its lag behind the fine clock at the sampler's wake-ups. If all processors were idle,
/// the interrupt that woke the sampler refreshed the clock, and the lag is anything from 0 to one step. Otherwise, the last edge refreshed
/// the clock, and the lag is the lag at that edge plus the time since. Measured in 80 wake-ups (4 ms step, lag at an edge 1.5 ms): if idle,
/// 25 lags were below the lag at an edge and 2 above one step; if busy, 0 and 30.
/// </summary>
static class ClockRegimeRule
{
    /// <summary>Minimum number of lags, one per wake-up, from which the regime is determined.</summary>
    public const int LeastLags = 20;

    // Minimum number of conclusive lags (see Telling) for an idle share; from fewer lags, the share would be a guess.
    const int LeastTelling = 6;

    // Margin for the time that a reading takes and for jitter of the edges.
    const double MarginMs = 0.05;

    // Share of lags above one step (0 to 1) that only a busy machine exceeds; measured: idle 2 of 80, busy 30 of 80.
    const double ShareThatOnlyBusyHas = 0.1;

    // Expected number of lags below the lag at an edge, for an idle machine. At this number, an idle machine shows none with a probability
    // of only 1 %. So a machine that shows none then counts as busy.
    static readonly double EnoughExpected = -Math.Log(0.01);

    /// <summary>
    /// The share of wake-ups (0 to 1) at which the waking interrupt refreshed the clock; null with too few conclusive lags. Lags below the
    /// lag at an edge come only from such wake-ups, lags above one step only from others. Both kinds are equally likely to be seen.
    /// </summary>
    public static double? IdleShare(IReadOnlyCollection<double> lagsMs, double stepMs, double lagAtEdgeMs)
    {
        var (low, high) = Telling(lagsMs, stepMs, lagAtEdgeMs);
        return low + high >= LeastTelling ? (double)low / (low + high) : null;
    }

    public static ClockRegime Judge(IReadOnlyCollection<double> lagsMs, double stepMs, double lagAtEdgeMs)
    {
        var (low, high) = Telling(lagsMs, stepMs, lagAtEdgeMs);
        return lagsMs.Count < LeastLags ? ClockRegime.Unknown
            : low > 0 ? high > ShareThatOnlyBusyHas * lagsMs.Count ? ClockRegime.Mixed : ClockRegime.Idle
            // If the lag at an edge is near 0, the two regimes are hard to distinguish and differ little: report both as possible.
            : lagsMs.Count * Math.Max(0, lagAtEdgeMs - MarginMs) / stepMs >= EnoughExpected ? ClockRegime.Busy : ClockRegime.Mixed;
    }

    /// <summary>Counts the lags that are possible only if the waking interrupt refreshed the clock (Low), or only if not (High).</summary>
    static (int Low, int High) Telling(IReadOnlyCollection<double> lagsMs, double stepMs, double lagAtEdgeMs) =>
        (lagsMs.Count(lag => lag < lagAtEdgeMs - MarginMs), lagsMs.Count(lag => lag > stepMs + MarginMs));
}

/// <summary>
/// The two Linux clocks that determine the gate thread's timing, in nanoseconds since the same origin. The runtime stamps events with the
/// fine clock, and measures the time since the last dequeue with the coarse clock.
/// </summary>
static partial class CoarseClock
{
    const int Monotonic = 1;
    const int MonotonicCoarse = 6;

    /// <summary>The coarse clock's step in nanoseconds (4 ms at HZ=250), or 0 when the machine has no coarse clock.</summary>
    public static long StepNanoseconds() => clock_getres(MonotonicCoarse, out var step) == 0 ? step.Nanoseconds : 0;

    public static long Fine() => Now(Monotonic);

    public static long Coarse() => Now(MonotonicCoarse);

    static long Now(int clock)
    {
        _ = clock_gettime(clock, out var now);
        return now.Nanoseconds;
    }

    // Each call takes tens of nanoseconds and never blocks, so a GC transition would cost more than the call.
    [LibraryImport("libc")]
    [SuppressGCTransition]
    private static partial int clock_gettime(int clock, out TimeSpec now);

    [LibraryImport("libc")]
    private static partial int clock_getres(int clock, out TimeSpec step);

    [StructLayout(LayoutKind.Sequential)]
    readonly struct TimeSpec
    {
        readonly nint seconds;
        readonly nint nanoseconds;

        public long Nanoseconds => ((long)seconds * 1_000_000_000) + nanoseconds;
    }
}

/// <summary>
/// Samples many targets on only two threads: one reads the machine's clock once for all targets, and one samples the processes in turn. One
/// thread per target would wake about 25 times a second for each target.
/// </summary>
sealed class SharedProcessSampling : IDisposable
{
    // Time between two samples, and so the precision of the times of a stop. A sample reads two small files per process.
    static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);

    // Time between two sums for a process, milliseconds. A sum reads one file per thread: a hundred processes of twenty threads each cost
    // 400 file reads a second.
    const double BetweenSumsMs = 5000;

    readonly SystemPaths machine;
    readonly Neighbours neighbours;
    readonly CoarseClockSampler? clock = CoarseClockSampler.Create();
    readonly SamplingThread? clockThread;
    readonly SamplingThread thread;
    ImmutableHashSet<Member> members = [];
    ClockReading? newest;

    public SharedProcessSampling(SystemPaths machine)
    {
        (this.machine, neighbours) = (machine, new Neighbours(machine));
        clockThread = clock is null ? null : new SamplingThread("tpwatch clock", stop => clock.Run(stop, () => { }));
        thread = new SamplingThread("tpwatch sampling", Run);
    }

    /// <summary>Begins to sample a process, until the returned object is disposed.</summary>
    public IProcessSampling Of(int pid)
    {
        Member member = new(this, new ProcessSampler(machine, pid, neighbours));
        ImmutableInterlocked.Update(ref members, all => all.Add(member));
        return member;
    }

    public void Dispose()
    {
        thread.Dispose();
        clockThread?.Dispose();
    }

    void Run(WaitHandle stop)
    {
        do
        {
            var all = Volatile.Read(ref members);
            while (clock?.TryTake(Now(), out var reading) == true)
            {
                newest = reading;
                foreach (var member in all)
                {
                    member.Clock.Put(reading);
                }
            }

            foreach (var member in all)
            {
                Greet(member);
                member.Look.Look(Now, BetweenSumsMs);
            }
        }
        while (!stop.WaitOne(BetweenLooks));
    }

    // A process added since the last clock reading gets a copy of it with the current time: the clock's grid belongs to the machine and
    // does not change.
    void Greet(Member member)
    {
        if (!member.Greeted && newest is { } known)
        {
            member.Greeted = true;
            member.Clock.Put(known with { At = Now() });
        }
    }

    static EventTime Now() => new(CoarseClock.Fine());

    sealed class Member(SharedProcessSampling owner, ProcessSampler look) : IProcessSampling
    {
        public ReadingQueue<ClockReading> Clock { get; } = new(reading => reading.At);
        public ProcessSampler Look => look;
        public bool Greeted { get; set; }
        public bool? IsStopped => look.IsStopped;

        // Does nothing: the shared clock sampler always samples at the high rate, which is cheap for all processes together.
        public void ItemsWait(bool now)
        {
        }

        // Takes no last sample: another thread may be sampling, and a session of hours does not need its last seconds.
        public void Conclude()
        {
        }

        public bool TryTake(EventTime until, out ClockReading reading) => Clock.TryTake(until, out reading);

        public bool TryTake(EventTime until, out ProcessReading reading) => look.TryTake(until, out reading);

        public void Dispose()
        {
            ImmutableInterlocked.Update(ref owner.members, all => all.Remove(this));
            look.Dispose();
        }
    }
}

/// <summary>Samples a target and its machine from outside the process for as long as a session lasts.</summary>
interface IProcessSampling : IDisposable
{
    /// <summary>Whether the process was stopped at the last sample; null if this is unknown.</summary>
    bool? IsStopped { get; }

    /// <summary>Reports whether items wait: while none wait, samples may be further apart.</summary>
    void ItemsWait(bool now);

    /// <summary>
    /// Ends the sampling with one last sample, so that the sums in the readings cover the whole session. To be called before the stream
    /// ends, so that the reader gets this sample.
    /// </summary>
    void Conclude();

    /// <summary>Takes the oldest clock reading if it was taken no later than <paramref name="until"/>.</summary>
    bool TryTake(EventTime until, out ClockReading reading);

    /// <summary>Takes the oldest process reading if it was taken no later than <paramref name="until"/>.</summary>
    bool TryTake(EventTime until, out ProcessReading reading);
}
