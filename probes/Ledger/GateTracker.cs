using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Tracks the gate thread: its thread id, its last known gate check, and the dequeues since that check. The times of the next checks (their
/// phase) are known after the creation of the gate thread or an injection, until the gate thread may have slept.
/// </summary>
sealed class GateTracker(IInjectionPolicy policy, PoolState start) : IFactSink
{
    /// <summary>Maximum number of dequeues kept within one injection delay; the oldest ones are dropped.</summary>
    const int MaxDequeues = 32;

    /// <summary>
    /// Time without a request for a worker thread after which the gate thread may sleep, milliseconds. The gate thread sleeps at the second
    /// check after the last request, and the first check may come immediately. Waking starts a new phase.
    /// </summary>
    const double SleepsMs = 500;

    /// <summary>
    /// Maximum number of worker threads whose last idle time is kept. Without that time, the next idle event of a thread proves no request.
    /// </summary>
    const int MaxWorkers = 4096;

    readonly ThreadBirths births = new();
    readonly Dictionary<int, EventTime> waited = [];
    PoolState atCheck = start;
    ImmutableArray<EventTime> dequeues = [];
    ImmutableArray<EventSpan> steps = [];
    ImmutableArray<TargetThreadsMoved> moves = [];
    int? targetThreads;
    EventTime? idleAt;
    EventTime? quietUntil;
    EventTime? lostAt;
    bool isLost;
    int? thread;

    /// <summary>Time of the last start of a worker thread; null when unknown.</summary>
    public EventTime? LastStart { get; private set; }

    public void On(in ThreadCreated fact) => births.On(fact);

    public void On(in ThreadBegan fact) => births.On(fact);

    /// <summary>
    /// Handles a worker thread that became idle, because the queue was empty. If the thread was idle before, a request has woken it since.
    /// The time of that request is unknown: the thread may have held an item for most of that time while the gate thread slept.
    /// </summary>
    public void On(in WorkerWaited fact)
    {
        EventTime? before = waited.TryGetValue(fact.ThreadId, out var last) ? last : null;
        if (waited.Count >= MaxWorkers)
        {
            waited.Clear();
        }

        waited[fact.ThreadId] = fact.At;
        if (before >= idleAt)
        {
            Wake(fact.At);
            idleAt = before;
        }

        idleAt ??= fact.At;
    }

    /// <summary>Sets the id of the gate thread, which makes starvation and blocking-compensation adjustments.</summary>
    public void Seen(int threadId) => thread = threadId;

    /// <summary>
    /// Handles the start of a worker thread, which takes an item. Returns when that thread was created, and whether by the gate thread.
    /// </summary>
    public (ThreadCreation Birth, bool ByGate) Started(in WorkerStarted fact)
    {
        Wake(fact.At);
        // The worker thread requests the next one. Until a worker thread finds the queue empty, that request keeps the gate thread awake.
        (LastStart, idleAt) = (fact.At, null);
        dequeues = dequeues.Length < MaxDequeues ? dequeues.Add(fact.At) : [.. dequeues.Skip(1), fact.At];
        var birth = births.Of(fact.ThreadId) ?? new ThreadCreation(null, null, fact.At);
        return (birth, thread is not null && birth.Creator == thread);
    }

    /// <summary>Returns a starvation injection with the state known before it.</summary>
    public StarvationCase CaseOf(in TargetThreadsChanged fact, PoolState state) => new(
        Anchor(fact) with
        {
            TargetThreads = state.TargetThreads,
            Settings = state.Settings,
            Existing = state.Existing,
            Clock = state.Clock
        },
        dequeues, fact.At, fact.TargetThreads)
    { Steps = steps, TargetThreadMoves = moves, IsLost = isLost };

    public void Adjusted(in TargetThreadsChanged fact, PoolState state)
    {
        if (fact.Reason == AdjustmentReason.Starvation)
        {
            Injected(state);
        }
        else if (fact.Reason == AdjustmentReason.CooperativeBlocking)
        {
            Stepped(fact.At, state.CooperativeDue);
        }

        if (fact.Reason != AdjustmentReason.Starvation)
        {
            Moved(fact.At, state.TargetThreads);
        }
    }

    /// <summary>
    /// Records a change of the target thread count to <paramref name="to"/>, null when unknown. With busy processors, an injection requires
    /// one second without a dequeue for each thread of that count.
    /// </summary>
    public void Moved(EventTime at, int? to)
    {
        TargetThreadsMoved moved = new(at, targetThreads, to);
        moves = moves.Length < MaxDequeues ? moves.Add(moved) : [.. moves.Skip(1), moved];
        targetThreads = to;
    }

    /// <summary>
    /// Records a blocking-compensation step and when the next step is due. Until then the gate thread does not check for starvation.
    /// </summary>
    public void Stepped(EventTime at, EventTime? due)
    {
        if (due is { } until)
        {
            steps = steps.Length < MaxDequeues ? steps.Add(new(at, until)) : [.. steps.Skip(1), new(at, until)];
        }
    }

    /// <summary>
    /// Handles lost events. During the loss, the gate thread may have injected, or slept and woken. The next injection shows the phase of
    /// the gate checks again.
    /// </summary>
    public void Lose(EventTime at)
    {
        (lostAt, isLost) = (at, true);
        atCheck = policy.Apply(atCheck, new PoolInput.GateLost(at)) with { LastDequeue = null };
        (dequeues, steps, moves, targetThreads, idleAt, LastStart) = ([], [], [], null, null, null);
        waited.Clear();
    }

    /// <summary>
    /// Handles an injection by the gate thread. The phase of its checks is known again, and the dequeues so far belong to the ended delay.
    /// </summary>
    void Injected(PoolState state)
    {
        atCheck = state with { LastDequeue = null };
        (dequeues, steps, moves, targetThreads, idleAt, isLost) = ([], [], [], state.TargetThreads, null, false);
    }

    /// <summary>
    /// Returns the state at the last known gate check: the last injection, or the creation of the gate thread. Its
    /// <see cref="PoolState.LastCheck"/> is null when the gate thread may have slept since.
    /// </summary>
    PoolState Anchor(in TargetThreadsChanged fact)
    {
        if (atCheck.LastCheck is { } check)
        {
            return MayHaveSlept(check, fact.At)
                ? policy.Apply(atCheck, new PoolInput.GateLost(fact.At)) with { LastDequeue = LastStart }
                : atCheck;
        }

        return births.Of(fact.ThreadId) is { } birth && !(birth.Began <= lostAt) && !MayHaveSlept(birth.Began, fact.At)
            ? policy.Apply(atCheck, new PoolInput.GateBegan(birth.Began))
            : atCheck with { LastDequeue = LastStart };
    }

    bool MayHaveSlept(EventTime since, EventTime at) => quietUntil > since || (idleAt > since && IsQuiet(at));

    /// <summary>Records that a worker thread took a request. After a long time without a request, the gate thread may have slept.</summary>
    void Wake(EventTime at) => quietUntil = IsQuiet(at) ? at : quietUntil;

    bool IsQuiet(EventTime at) => idleAt is { } idle && at.MsSince(idle) > SleepsMs;
}

/// <summary>Records when each thread was created and by which thread. The number of entries is bounded.</summary>
sealed class ThreadBirths
{
    /// <summary>Maximum number of threads kept. This includes threads other than worker threads, which are never queried.</summary>
    const int Capacity = 4096;

    readonly Dictionary<long, ThreadCreated> creating = [];
    readonly Dictionary<int, ThreadCreation> born = [];

    public void On(in ThreadCreated fact)
    {
        Bound(creating);
        creating[fact.Id] = fact;
    }

    public void On(in ThreadBegan fact)
    {
        Bound(born);
        born[fact.ThreadId] = creating.Remove(fact.Id, out var created)
            ? new(created.At, created.CreatorThreadId, fact.At)
            : new(null, null, fact.At);
    }

    /// <summary>Returns the creation of a thread; null when its first run was not observed.</summary>
    public ThreadCreation? Of(int threadId) => born.TryGetValue(threadId, out var birth) ? birth : null;

    static void Bound<TKey, TValue>(Dictionary<TKey, TValue> all)
        where TKey : notnull
    {
        if (all.Count >= Capacity)
        {
            all.Clear();
        }
    }
}

/// <summary>The creation of a thread: when and by which thread, null when not observed, and when the new thread first ran.</summary>
readonly record struct ThreadCreation(EventTime? Created, int? Creator, EventTime Began);
