using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// The sampling of many targets on two threads in all: the clock is the machine's and is read once for everybody, and one thread goes
/// round the processes. One thread a target would wake 35 times a second each, which a hundred targets cannot afford.
/// </summary>
sealed class SharedSampling : IDisposable
{
    // A stop is known to within so long; two small files a process.
    static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);

    // A file a thread: twenty threads a process, a hundred processes, so one in five of them a second.
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

    /// <summary>Begins to look at a process, until what is returned is disposed.</summary>
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

    // Who came since the last reading gets it as of now: the grid is the machine's and stands.
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

        // The clock is everybody's, and one wake-up for all of them is cheap.
        public void ItemsWait(bool now)
        {
        }

        // Another thread may be looking; and it is in use for hours, of which the last seconds change no judgement.
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
