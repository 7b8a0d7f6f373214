namespace Tpwatch.Events;

/// <summary>
/// Between the probes and everything that reckons with facts: numbers that no pool can have, out of a damaged payload or a version that
/// means something else by a field, are told as undecodable instead of being believed.
/// </summary>
sealed class PlausibleFacts(IFactSink inner) : IFactSink
{
    /// <summary>
    /// The pool keeps its counts in 16 bits with a sign. Source: PortableThreadPool.MaxPossibleThreadCount of dotnet/runtime.
    /// </summary>
    const int MostWorkers = short.MaxValue;

    /// <summary>A runtime has a dozen, numbered from 0.</summary>
    const int MostReasons = byte.MaxValue;

    /// <summary>More than any machine has.</summary>
    const int MostProcessors = 1 << 16;

    EventTime? lastBeat;

    public void On(in StreamOpened fact) => inner.On(IsCount(fact.Processors, MostProcessors) ? fact : fact with { Processors = 0 });

    public void On(in WorkerGoalChanged fact)
    {
        if (Passes(IsCount(fact.Goal, MostWorkers) && IsCount((int)fact.Reason, MostReasons), fact.At, "adjustment"))
        {
            inner.On(fact);
        }
    }

    public void On(in ThroughputSampled fact) => inner.On(fact);

    public void On(in WorkerStarted fact)
    {
        if (Passes(IsCount(fact.Existing, MostWorkers), fact.At, "start of a worker thread"))
        {
            inner.On(fact);
        }
    }

    public void On(in WorkerStopped fact)
    {
        if (Passes(IsCount(fact.Existing, MostWorkers), fact.At, "end of a worker thread"))
        {
            inner.On(fact);
        }
    }

    public void On(in WorkerWaited fact)
    {
        if (Passes(IsCount(fact.Existing, MostWorkers), fact.At, "wait of a worker thread"))
        {
            inner.On(fact);
        }
    }

    public void On(in ThreadCreated fact) => inner.On(fact);

    public void On(in ThreadBegan fact) => inner.On(fact);

    public void On(in LimitsChanged fact)
    {
        if (Passes(fact.Min <= fact.Max && IsCount(fact.Min, MostWorkers) && IsCount(fact.Max, MostWorkers), fact.At,
            "MinThreads and MaxThreads"))
        {
            inner.On(fact);
        }
    }

    public void On(in CountersRead fact)
    {
        if (fact.At <= lastBeat)
        {
            inner.On(new EventUndecodable(fact.At, "counter sample that is older than the one before it"));
        }
        else if (Passes(IsPlausible(fact), fact.At, "counter sample"))
        {
            lastBeat = fact.At;
            inner.On(fact);
        }
    }

    public void On(in HeartbeatOverruled fact) => inner.On(fact);

    public void On(in ProcessorsCounted fact)
    {
        if (Passes(fact.Count > 0 && IsCount(fact.Count, MostProcessors), fact.At, "processor count"))
        {
            inner.On(fact);
        }
    }

    public void On(in SwitchSeen fact) => inner.On(fact);

    public void On(in ThreadsSuspended fact) => inner.On(fact);

    public void On(in ProcessSampled fact) => inner.On(fact);

    public void On(in ClockSeen fact) => inner.On(fact);

    public void On(in EventsLost fact) => inner.On(fact);

    public void On(in EventUndecodable fact) => inner.On(fact);

    static bool IsPlausible(in CountersRead fact) =>
        fact.Backlog is null or >= 0 && fact.Completed is null or >= 0 && (fact.Workers is not { } workers || IsCount(workers, MostWorkers))
        && IsAmount(fact.IntervalMs) && IsAmount(fact.Cpu.Seconds) && IsAmount(fact.Cpu.Share);

    static bool IsCount(int number, int most) => number >= 0 && number <= most;

    static bool IsAmount(double? number) => number is null or (>= 0 and < double.PositiveInfinity);

    bool Passes(bool plausible, EventTime at, string what)
    {
        if (!plausible)
        {
            inner.On(new EventUndecodable(at, $"{what} with impossible numbers"));
        }

        return plausible;
    }
}
