using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// Samples many targets on two threads in all: one reads the machine's clock once for all targets, and one samples the processes in turn.
/// With one thread per target, each thread would wake 35 times a second, which is too expensive for a hundred targets.
/// </summary>
sealed class SharedSampling : IDisposable
{
    // Time between two samples, which limits how exactly a stop is known; a sample reads two small files per process.
    static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);

    // Time between two sums, milliseconds. Sums read one file per thread: with a hundred processes of twenty threads each, a fifth of the
    // files is read each second.
    const double BetweenSumsMs = 5000;

    readonly Machine machine;
    readonly Neighbours neighbours;
    readonly ClockSampler? clock = ClockSampler.Create();
    readonly SamplingThread? clockThread;
    readonly SamplingThread thread;
    ImmutableHashSet<Member> members = [];
    ClockReading? newest;

    public SharedSampling(Machine machine)
    {
        (this.machine, neighbours) = (machine, new Neighbours(machine));
        clockThread = clock is null ? null : new SamplingThread("tpwatch clock", stop => clock.Run(stop, () => { }));
        thread = new SamplingThread("tpwatch sampling", Run);
    }

    /// <summary>Begins to sample a process, until the returned object is disposed.</summary>
    public ISampling Of(int pid)
    {
        Member member = new(this, new ProcessLook(machine, pid, neighbours));
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
                Tell(all, reading);
            }

            foreach (var member in all)
            {
                Greet(member);
                member.Look.Look(Now, BetweenSumsMs);
            }
        }
        while (!stop.WaitOne(BetweenLooks));
    }

    static void Tell(ImmutableHashSet<Member> all, ClockReading reading)
    {
        foreach (var member in all)
        {
            member.Clock.Put(reading);
        }
    }

    // A process added since the last clock reading gets that reading with the current time: the clock's grid belongs to the machine and
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

    sealed class Member(SharedSampling owner, ProcessLook look) : ISampling
    {
        public ReadingQueue<ClockReading> Clock { get; } = new(reading => reading.At);
        public ProcessLook Look => look;
        public bool Greeted { get; set; }
        public bool? IsStopped => look.IsStopped;

        // The clock is shared, and one wake-up for all processes is cheap.
        public void ItemsWait(bool now)
        {
        }

        // Takes no last sample: another thread may be sampling, and the sampler runs for hours, so the last seconds change no judgement.
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
