using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Knows the gate: its thread, when it last ticked, and what was dequeued since. Its phase begins with its own birth or with an injection,
/// and is lost when it may have slept.
/// </summary>
sealed class GateTracker(IInjectionPolicy policy, PoolState start) : IFactSink
{
    /// <summary>Dequeues inside one gap that are kept; a gap with more has no need of the first.</summary>
    const int MaxDequeues = 32;

    /// <summary>
    /// The gate sleeps at the second look after the last request and starts a new phase when it
    /// wakes; the first of the two may come at once.
    /// </summary>
    const double SleepsMs = 500;

    /// <summary>Workers whose last sleep is kept; without it nothing is concluded from the next.</summary>
    const int MaxWorkers = 4096;

    readonly ThreadBirths births = new();
    readonly Dictionary<int, EventTime> waited = [];
    PoolState atTick = start;
    ImmutableArray<EventTime> dequeues = [];
    ImmutableArray<EventSpan> steps = [];
    ImmutableArray<GoalMoved> goals = [];
    int? goal;
    EventTime? idleAt;
    EventTime? quietUntil;
    EventTime? lostAt;
    bool isLost;
    int? thread;

    /// <summary>The last start of a worker.</summary>
    public EventTime? LastStart { get; private set; }

    public void On(in ThreadCreated fact) => births.On(fact);

    public void On(in ThreadBegan fact) => births.On(fact);

    /// <summary>
    /// A worker that goes to sleep has found the queue empty. That it took a request since it slept last is all it shows: it may have held
    /// an item for most of that time, and the gate have slept meanwhile.
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

    /// <summary>Starvation and cooperative adjustments come from the gate.</summary>
    public void Seen(int threadId) => thread = threadId;

    /// <summary>A worker started and takes an item; the birth of its thread, and whether the gate created it.</summary>
    public (Birth Birth, bool ByGate) Started(in WorkerStarted fact)
    {
        Wake(fact.At);
        // It asks for the next one, and until a worker finds the queue empty that request keeps the gate awake.
        (LastStart, idleAt) = (fact.At, null);
        dequeues = dequeues.Length < MaxDequeues ? dequeues.Add(fact.At) : [.. dequeues.Skip(1), fact.At];
        var birth = births.Of(fact.ThreadId) ?? new Birth(null, null, fact.At);
        return (birth, thread is not null && birth.Creator == thread);
    }

    /// <summary>What was known before an injection.</summary>
    public StarvationCase CaseOf(in WorkerGoalChanged fact, PoolState state) => new(
        Anchor(fact) with { Goal = state.Goal, Settings = state.Settings, Existing = state.Existing, Clock = state.Clock },
        dequeues, fact.At, fact.Goal)
    { Steps = steps, Goals = goals, IsLost = isLost };

    public void Adjusted(in WorkerGoalChanged fact, PoolState state)
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
            Moved(fact.At, state.Goal);
        }
    }

    /// <summary>The goal is another from now on, or not known any more: with busy processors the gate waits for as many seconds.</summary>
    public void Moved(EventTime at, int? to)
    {
        GoalMoved moved = new(at, goal, to);
        goals = goals.Length < MaxDequeues ? goals.Add(moved) : [.. goals.Skip(1), moved];
        goal = to;
    }

    /// <summary>A step for task waits was made, and the next one is due: until then the gate does not look for starvation.</summary>
    public void Stepped(EventTime at, EventTime? due)
    {
        if (due is { } until)
        {
            steps = steps.Length < MaxDequeues ? steps.Add(new(at, until)) : [.. steps.Skip(1), new(at, until)];
        }
    }

    /// <summary>
    /// Events were lost: the gate may have injected, or slept and woken, since the tick that is known. The next injection tells its phase.
    /// </summary>
    public void Lose(EventTime at)
    {
        (lostAt, isLost) = (at, true);
        atTick = policy.Apply(atTick, new PoolInput.GateLost(at)) with { LastDequeue = null };
        (dequeues, steps, goals, goal, idleAt, LastStart) = ([], [], [], null, null, null);
        waited.Clear();
    }

    /// <summary>The gate injected: its phase is known, and what came before belongs to the gap that ended.</summary>
    void Injected(PoolState state)
    {
        atTick = state with { LastDequeue = null };
        (dequeues, steps, goals, goal, idleAt, isLost) = ([], [], [], state.Goal, null, false);
    }

    /// <summary>The gate's last known tick: the last injection, or the gate's own birth; none when it may have slept since.</summary>
    PoolState Anchor(in WorkerGoalChanged fact)
    {
        if (atTick.LastTick is { } tick)
        {
            return MayHaveSlept(tick, fact.At)
                ? policy.Apply(atTick, new PoolInput.GateLost(fact.At)) with { LastDequeue = LastStart }
                : atTick;
        }

        return births.Of(fact.ThreadId) is { } birth && !(birth.Began <= lostAt) && !MayHaveSlept(birth.Began, fact.At)
            ? policy.Apply(atTick, new PoolInput.GateBegan(birth.Began))
            : atTick with { LastDequeue = LastStart };
    }

    bool MayHaveSlept(EventTime since, EventTime at) => quietUntil > since || (idleAt > since && IsQuiet(at));

    /// <summary>A worker has taken a request: between its like the gate may have slept.</summary>
    void Wake(EventTime at) => quietUntil = IsQuiet(at) ? at : quietUntil;

    bool IsQuiet(EventTime at) => idleAt is { } idle && at.MsSince(idle) > SleepsMs;
}

/// <summary>Who created a thread and when; forgotten once asked, and within bounds when nobody asks.</summary>
sealed class ThreadBirths
{
    /// <summary>Threads other than workers are born too and never asked for.</summary>
    const int Capacity = 4096;

    readonly Dictionary<long, ThreadCreated> creating = [];
    readonly Dictionary<int, Birth> born = [];

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

    /// <summary>The birth of a thread, or null when it was not seen.</summary>
    public Birth? Of(int threadId) => born.TryGetValue(threadId, out var birth) ? birth : null;

    static void Bound<TKey, TValue>(Dictionary<TKey, TValue> all)
        where TKey : notnull
    {
        if (all.Count >= Capacity)
        {
            all.Clear();
        }
    }
}

/// <summary>How a thread came to be: when its creation began and by whom, as far as seen, and when it ran.</summary>
readonly record struct Birth(EventTime? Created, int? Creator, EventTime Began);
