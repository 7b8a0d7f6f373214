using Tpwatch.Reports;

namespace Tpwatch.Events;

/// <summary>
/// The pool changed the number of workers it wants (event 55). <paramref name="Goal"/> is the goal, not the number of threads.
/// </summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the thread that changed it: the gate for Starvation and CooperativeBlocking.</param>
/// <param name="Goal">The new goal, workers.</param>
/// <param name="Reason">Why; numbers that this version does not know are kept as they are.</param>
readonly record struct WorkerGoalChanged(EventTime At, int ThreadId, int Goal, AdjustmentReason Reason) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>Hill climbing took a sample (event 54).</summary>
/// <param name="At">Event time.</param>
/// <param name="ItemsPerSecond">Throughput of the sample.</param>
readonly record struct ThroughputSampled(EventTime At, double ItemsPerSecond) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker began its life (event 50).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker.</param>
/// <param name="Existing">Workers that exist now, this one included.</param>
readonly record struct WorkerStarted(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker ended its life, idle for too long (event 51).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker.</param>
/// <param name="Existing">Workers that exist now.</param>
readonly record struct WorkerStopped(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A worker found nothing to do and went to sleep (event 57).</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the worker.</param>
/// <param name="Existing">Workers that exist now.</param>
readonly record struct WorkerWaited(EventTime At, int ThreadId, int Existing) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A managed thread is being created (event 70), seen on its creator.</summary>
/// <param name="At">Event time.</param>
/// <param name="CreatorThreadId">OS id of the creator.</param>
/// <param name="Id">Pairs with <see cref="ThreadBegan"/>.</param>
readonly record struct ThreadCreated(EventTime At, int CreatorThreadId, long Id) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>A managed thread runs (event 71), seen on itself.</summary>
/// <param name="At">Event time.</param>
/// <param name="ThreadId">OS id of the new thread.</param>
/// <param name="Id">Pairs with <see cref="ThreadCreated"/>.</param>
readonly record struct ThreadBegan(EventTime At, int ThreadId, long Id) : IFact
{
    public void Tell(IFactSink sink) => sink.On(this);
}

/// <summary>
/// Min or max were set (event 59), at the pool's birth and on changes, never again on attach; or were read as they are.
/// </summary>
/// <param name="At">Event time.</param>
/// <param name="Min">Min workers.</param>
/// <param name="Max">Max workers.</param>
/// <param name="Source">Who says so.</param>
readonly record struct LimitsChanged(EventTime At, int Min, int Max, SettingSource Source = SettingSource.Event) : IFact
{
    /// <summary>Whether they may have stood for long: nothing was moved by a call now.</summary>
    public bool Stand => Source == SettingSource.Memory;

    /// <summary>
    /// The goal after the call that set these limits, which moves it between them without an adjustment event. Where task waits are
    /// compensated it does not raise it: the gate does, and tells.
    /// </summary>
    /// <param name="before">The goal before; null where it is not known, and then it is taken for min.</param>
    /// <param name="compensates">Whether task waits go on that were compensated.</param>
    public int GoalAfter(int? before, bool compensates) => before is not { } goal ? Min
        : goal < Min && compensates ? goal
        : Math.Min(Math.Max(goal, Min), Math.Max(Min, Max));

    public void Tell(IFactSink sink) => sink.On(this);
}
