using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>
/// A thread count adjustment (event 55): the target thread count <paramref name="TargetThreads"/>, not the number of threads.
/// </summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the adjusting thread: the gate thread for Starvation and CooperativeBlocking.</param>
/// <param name="TargetThreads">The new target thread count.</param>
/// <param name="Reason">The reason; unknown numbers are kept unchanged.</param>
readonly record struct TargetThreadsChanged(EventTime At, int ThreadId, int TargetThreads, AdjustmentReason Reason) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A hill climbing sample (event 54).</summary>
/// <param name="At">Event time.</param>
/// <param name="ItemsPerSecond">Throughput of the sample, items per second.</param>
readonly record struct ThroughputSampled(EventTime At, double ItemsPerSecond) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker thread started (event 50).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Existing">Existing worker threads, including this one.</param>
readonly record struct WorkerStarted(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker thread ended after being idle for too long (event 51).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Existing">Existing worker threads after the event.</param>
readonly record struct WorkerStopped(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker thread found no work and began to wait for it (event 57).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker thread.</param>
/// <param name="Existing">Existing worker threads.</param>
readonly record struct WorkerWaited(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A managed thread is being created (event 70); sent by its creator.</summary>
/// <param name="At">Event time.</param>
/// <param name="CreatorThreadId">OS id of the creating thread.</param>
/// <param name="Id">Pairs with <see cref="ThreadBegan"/>.</param>
readonly record struct ThreadCreated(EventTime At, int CreatorThreadId, long Id) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A managed thread runs (event 71); sent by the new thread.</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the new thread.</param>
/// <param name="Id">Pairs with <see cref="ThreadCreated"/>.</param>
readonly record struct ThreadBegan(EventTime At, int ThreadId, long Id) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>
/// MinThreads and MaxThreads: set when the pool was created or changed (event 59, which an attach does not repeat), or read from memory.
/// </summary>
/// <param name="At">Event time.</param>
/// <param name="Min">MinThreads, worker threads.</param>
/// <param name="Max">MaxThreads, worker threads.</param>
/// <param name="Source">Where the values come from.</param>
readonly record struct LimitsChanged(EventTime At, int Min, int Max, SettingSource Source = SettingSource.Event) : IFact
{
    /// <summary>Whether the limits may have been in effect for long: they were read from memory, and no call has just set them.</summary>
    public bool Stand => Source == SettingSource.Memory;

    /// <summary>
    /// The target thread count after the call that set these limits: the call moves it between them without an adjustment event. While
    /// blocking compensation is active the call does not raise it; the gate thread does, with an event.
    /// </summary>
    /// <param name="before">The target thread count before; null where it is not known, then MinThreads is used.</param>
    /// <param name="compensates">Whether blocking compensation for task waits is active.</param>
    public int TargetThreadsAfter(int? before, bool compensates) => before is not { } targetThreads ? Min
        : targetThreads < Min && compensates ? targetThreads
        : Math.Min(Math.Max(targetThreads, Min), Math.Max(Min, Max));

    public void Tell(IFactSink sink) => sink.On(this);
}
