using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>An occurrence in the target, as a value with its event time.</summary>
interface IFact
{
    EventTime At { get; }

    /// <summary>Passes this fact to a sink.</summary>
    void Tell(IFactSink sink);
}

/// <summary>
/// Receives facts in event-time order, on one thread. An implementation overrides the methods for the facts that it needs. For all other
/// facts from the event stream, it receives only the event time (<see cref="See"/>).
/// </summary>
interface IFactSink
{
    /// <summary>Called for a fact of the event stream that the sink does not handle; event time is now <paramref name="at"/>.</summary>
    void See(EventTime at)
    {
    }

    void On(in StreamOpened fact) => See(fact.At);
    void On(in TargetThreadsChanged fact) => See(fact.At);
    void On(in ThroughputSampled fact) => See(fact.At);
    void On(in WorkerStarted fact) => See(fact.At);
    void On(in WorkerStopped fact) => See(fact.At);
    void On(in WorkerWaited fact) => See(fact.At);
    void On(in ThreadCreated fact) => See(fact.At);
    void On(in ThreadBegan fact) => See(fact.At);
    void On(in LimitsChanged fact) => See(fact.At);
    void On(in CountersRead fact) => See(fact.At);
    void On(in IntervalOverruled fact) => See(fact.At);
    void On(in ProcessorsCounted fact) => See(fact.At);
    void On(in SwitchSeen fact) => See(fact.At);
    void On(in ThreadsSuspended fact) => See(fact.At);

    void On(in ProcessSampled fact)
    {
    }

    void On(in ClockSeen fact)
    {
    }

    void On(in EventsLost fact) => See(fact.At);
    void On(in EventUndecodable fact) => See(fact.At);
}

/// <summary>Receives the facts about items, locks and requests in addition to all others, in event-time order and on one thread.</summary>
interface ISideStreamSink : IFactSink
{
    void On(in ItemQueued fact);
    void On(in ItemTaken fact);
    void On(in LockAwaited fact);
    void On(in LockTaken fact);
    void On(in RequestStarted fact);
    void On(in RequestStopped fact);
}

/// <summary>
/// Passes every fact to each sink in turn. Before each fact, calls <paramref name="before"/> with the fact's event time; a replay at
/// original speed waits in this callback. Instead of a fact with impossible numbers, passes on an <see cref="EventUndecodable"/>. Such
/// numbers come from a damaged payload, or from a runtime version that uses a field differently.
/// </summary>
sealed class FactFanOut(Action<EventTime> before, params IFactSink[] sinks) : IFactSink
{
    /// <summary>
    /// Maximum number of worker threads: the pool stores thread counts in signed 16-bit integers. Source:
    /// PortableThreadPool.MaxPossibleThreadCount of dotnet/runtime.
    /// </summary>
    const int MostWorkers = short.MaxValue;

    /// <summary>Upper bound of the numeric value of an adjustment reason; a runtime has a dozen reasons, numbered from 0.</summary>
    const int MostReasons = byte.MaxValue;

    /// <summary>Upper bound of the number of processors, above that of any machine.</summary>
    const int MostProcessors = 1 << 16;

    EventTime? lastSample;

    public void On(in StreamOpened fact) => Hand(IsCount(fact.Processors, MostProcessors) ? fact : fact with { Processors = 0 });

    public void On(in TargetThreadsChanged fact) =>
        HandIf(IsCount(fact.TargetThreads, MostWorkers) && IsCount((int)fact.Reason, MostReasons), fact, "adjustment");

    public void On(in ThroughputSampled fact) => Hand(fact);

    public void On(in WorkerStarted fact) => HandIf(IsCount(fact.Existing, MostWorkers), fact, "start of a worker thread");

    public void On(in WorkerStopped fact) => HandIf(IsCount(fact.Existing, MostWorkers), fact, "end of a worker thread");

    public void On(in WorkerWaited fact) => HandIf(IsCount(fact.Existing, MostWorkers), fact, "wait of a worker thread");

    public void On(in ThreadCreated fact) => Hand(fact);

    public void On(in ThreadBegan fact) => Hand(fact);

    public void On(in LimitsChanged fact) =>
        HandIf(fact.Min <= fact.Max && IsCount(fact.Min, MostWorkers) && IsCount(fact.Max, MostWorkers), fact, "MinThreads and MaxThreads");

    public void On(in CountersRead fact)
    {
        if (fact.At <= lastSample)
        {
            Hand(new EventUndecodable(fact.At, "counter sample that is older than the one before it"));
            return;
        }

        var isPlausible = IsPlausible(fact);
        lastSample = isPlausible ? fact.At : lastSample;
        HandIf(isPlausible, fact, "counter sample");
    }

    public void On(in IntervalOverruled fact) => Hand(fact);

    public void On(in ProcessorsCounted fact) => HandIf(fact.Count > 0 && IsCount(fact.Count, MostProcessors), fact, "processor count");

    public void On(in SwitchSeen fact) => Hand(fact);

    public void On(in ThreadsSuspended fact) => Hand(fact);

    public void On(in ProcessSampled fact) => Hand(fact);

    public void On(in ClockSeen fact) => Hand(fact);

    public void On(in EventsLost fact) => Hand(fact);

    public void On(in EventUndecodable fact) => Hand(fact);

    static bool IsPlausible(in CountersRead fact) =>
        fact.QueueLength is null or >= 0 && fact.Completed is null or >= 0
            && (fact.Workers is not { } workers || IsCount(workers, MostWorkers))
        && IsAmount(fact.IntervalMs) && IsAmount(fact.Cpu.Seconds) && IsAmount(fact.Cpu.Share);

    static bool IsCount(int number, int most) => number >= 0 && number <= most;

    static bool IsAmount(double? number) => number is null or (>= 0 and < double.PositiveInfinity);

    void HandIf<T>(bool isPlausible, in T fact, string what)
        where T : struct, IFact
    {
        if (isPlausible)
        {
            Hand(fact);
        }
        else
        {
            Hand(new EventUndecodable(fact.At, $"{what} with impossible numbers"));
        }
    }

    void Hand<T>(in T fact)
        where T : struct, IFact
    {
        before(fact.At);
        foreach (var sink in sinks)
        {
            fact.Tell(sink);
        }
    }
}

/// <summary>A thread count adjustment (event 55): the pool set the target thread count, not the number of threads.</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the adjusting thread: the gate thread for Starvation and CooperativeBlocking.</param>
/// <param name="TargetThreads">The new target thread count.</param>
/// <param name="Reason">The reason; unknown numbers are kept unchanged.</param>
readonly record struct TargetThreadsChanged(EventTime At, int ThreadId, int TargetThreads, AdjustmentReason Reason) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A hill climbing sample (event 54).</summary>
readonly record struct ThroughputSampled(EventTime At, double ItemsPerSecond) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker thread started (event 50).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Existing">Number of existing worker threads, including this one.</param>
readonly record struct WorkerStarted(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker thread ended after being idle for too long (event 51).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Existing">Number of existing worker threads after the event.</param>
readonly record struct WorkerStopped(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker thread found no work item and began to wait for one (event 57).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Existing">Number of existing worker threads.</param>
readonly record struct WorkerWaited(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A managed thread is being created (event 70); sent by its creator.</summary>
/// <param name="At">Event time.</param>
/// <param name="CreatorThreadId">OS id of the creating thread.</param>
/// <param name="Id">The same id as in the new thread's <see cref="ThreadBegan"/>.</param>
readonly record struct ThreadCreated(EventTime At, int CreatorThreadId, long Id) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A new managed thread runs (event 71); sent by the new thread.</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the new thread.</param>
/// <param name="Id">The same id as in the thread's <see cref="ThreadCreated"/>.</param>
readonly record struct ThreadBegan(EventTime At, int ThreadId, long Id) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>
/// MinThreads and MaxThreads, from memory or from event 59. This event is sent at the pool's start and at a change, but not on attach.
/// </summary>
/// <param name="At">Event time.</param>
/// <param name="Min">MinThreads, worker threads.</param>
/// <param name="Max">MaxThreads, worker threads.</param>
/// <param name="Source">Source of the values.</param>
readonly record struct LimitsChanged(EventTime At, int Min, int Max, SettingSource Source = SettingSource.Event) : IFact
{
    /// <summary>Whether the limits may have been in effect for a long time, because they were read from memory.</summary>
    public bool Stand => Source == SettingSource.Memory;

    /// <summary>
    /// Returns the target thread count after the call that set these limits. The call moves the count into the new limits without an
    /// adjustment event. But during blocking compensation, only the gate thread raises the count, and with an event.
    /// </summary>
    /// <param name="before">The target thread count before the call. If it is null (unknown), the result is MinThreads.</param>
    /// <param name="compensates">Whether blocking compensation for task waits is active.</param>
    public int TargetThreadsAfter(int? before, bool compensates) => before is not { } targetThreads ? Min
        : targetThreads < Min && compensates ? targetThreads
        : Math.Min(Math.Max(targetThreads, Min), Math.Max(Min, Max));

    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A counter sample: the pool's counters, which the runtime reads within about 0.1 ms. Null means unknown, never zero.</summary>
/// <param name="At">Event time at which the sample was complete.</param>
/// <param name="IntervalMs">Time since the previous sample, milliseconds; null for the first.</param>
/// <param name="Workers">Number of existing worker threads.</param>
/// <param name="QueueLength">Queue length: number of items queued and not yet dequeued.</param>
/// <param name="Completed">Number of items completed since the previous sample.</param>
/// <param name="Cpu">Processor use of the process since the previous sample.</param>
readonly record struct CountersRead(EventTime At, double? IntervalMs, int? Workers, long? QueueLength, long? Completed, CpuUse Cpu) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>Processor use: meters give seconds, event counters a share. One of the two values is null, or both are.</summary>
/// <param name="Seconds">User and kernel time, seconds.</param>
/// <param name="Share">Share of all processors, 0 to 1.</param>
readonly record struct CpuUse(double? Seconds, double? Share);

/// <summary>
/// The target rejected tpwatch's counter settings, usually because another listener came first with other settings. Counter samples then
/// arrive at that listener's interval.
/// </summary>
/// <param name="At">Event time.</param>
/// <param name="Message">The reason given by the runtime.</param>
readonly record struct IntervalOverruled(EventTime At, string Message) : IFact
{
    /// <summary>The interval in effect, milliseconds; null if the runtime did not report the interval.</summary>
    public double? IntervalMs { get; init; }

    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>The runtime suspended all managed threads, usually for a garbage collection, and has resumed them (events 9 and 3).</summary>
/// <param name="At">Event time at which the threads were resumed.</param>
/// <param name="Ms">Length of the suspension, milliseconds.</param>
readonly record struct ThreadsSuspended(EventTime At, double Ms) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A reading of the target's process; from the session or a recording's side-car file, not from the event stream.</summary>
readonly record struct ProcessSampled(ProcessReading Reading) : IFact
{
    public EventTime At => Reading.At;

    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>An item was queued to the pool (event 30 of the framework's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that queued the item.</param>
/// <param name="Id">The runtime's hash of the item's object: constant for an object, but other objects may have the same hash.</param>
readonly record struct ItemQueued(EventTime At, int ThreadId, long Id);

/// <summary>A worker thread dequeued an item and now runs this item (event 31 of the framework's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Id">Hash of the item, as in <see cref="ItemQueued"/>.</param>
readonly record struct ItemTaken(EventTime At, int ThreadId, long Id);

/// <summary>A thread waits for a lock that another thread holds (event 81).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that waits.</param>
/// <param name="LockId">Id of the lock; 0 if the runtime does not report the lock.</param>
/// <param name="OwnerThreadId">OS id of the thread that held the lock at that time; 0 if the runtime does not report this thread.</param>
readonly record struct LockAwaited(EventTime At, int ThreadId, long LockId, int OwnerThreadId);

/// <summary>A thread that had waited for a lock has acquired it (event 91).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread.</param>
readonly record struct LockTaken(EventTime At, int ThreadId);

/// <summary>A request started: its thread enters the application's request pipeline (event 3 of Kestrel's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that runs the first part of the request.</param>
/// <param name="Id">Hash of the id that the server gave to the request.</param>
/// <param name="Route">Method and path; numbers and ids are replaced unless the user requested whole paths.</param>
readonly record struct RequestStarted(EventTime At, int ThreadId, ulong Id, string Route);

/// <summary>A request was answered (event 4 of Kestrel's source).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that ran the last part of the request.</param>
/// <param name="Id">Hash of the request's id, as in <see cref="RequestStarted"/>.</param>
/// <param name="Route">The route of the request; known even if the request started before the session.</param>
readonly record struct RequestStopped(EventTime At, int ThreadId, ulong Id, string Route);

/// <summary>The event stream began; the values are from its header.</summary>
/// <param name="At">Start of the session in event time.</param>
/// <param name="Utc">The start of the session as wall-clock time of the target.</param>
/// <param name="Processors">Number of processors of the machine, according to the header; 0 if that number is impossible.</param>
readonly record struct StreamOpened(EventTime At, DateTime Utc, int Processors) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>The number of processors that the target counts (System.Runtime event 2; .NET 7 and later).</summary>
readonly record struct ProcessorsCounted(EventTime At, int Count) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>An AppContext switch of the target (System.Runtime event 1).</summary>
readonly record struct SwitchSeen(EventTime At, string Name, bool On) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A reading of the target's coarse clock; from the session or a recording's side-car file, not from the event stream.</summary>
readonly record struct ClockSeen(ClockReading Reading) : IFact
{
    public EventTime At => Reading.At;

    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>Events were lost directly before the event with this event time.</summary>
/// <param name="At">Event time of the first event after the loss.</param>
/// <param name="Count">Number of lost events; null if this number is not known.</param>
readonly record struct EventsLost(EventTime At, long? Count) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>An event that a probe expected could not be decoded: an unknown version or a broken payload.</summary>
readonly record struct EventUndecodable(EventTime At, string What) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}
