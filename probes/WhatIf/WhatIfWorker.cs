namespace Tpwatch.WhatIf;

/// <summary>What a worker that holds a permit to work is doing.</summary>
enum WorkerPhase
{
    Starting,
    Running,
    Blocked,
    TaskWait,
}

/// <summary>A worker of an imagined pool while it works.</summary>
sealed class WhatIfWorker(int number, EventTime startsAt)
{
    /// <summary>Further away than any run lasts.</summary>
    static readonly EventTime Never = new(long.MaxValue);

    // An event time is a whole number of nanoseconds; what is left of a run after such a rounding is less than one.
    const double NothingMs = 1e-6;

    public int Number { get; } = number;
    public WorkerPhase Phase { get; private set; } = WorkerPhase.Starting;
    public int? Item { get; private set; }

    EventTime until = startsAt;
    double leftMs;
    WhatIfItem work;
    bool told;

    /// <summary>When the phase ends if the worker has <paramref name="share"/> of a processor from now on.</summary>
    public EventTime Ends(EventTime now, double share) =>
        Phase != WorkerPhase.Running ? until
        : double.IsPositiveInfinity(leftMs) ? Never
        : now.PlusMs(leftMs / share);

    public bool Over(EventTime now) => Phase == WorkerPhase.Running ? leftMs <= NothingMs : until <= now;

    public void Compute(double ms) => leftMs -= Phase == WorkerPhase.Running ? ms : 0;

    public void Take(int item, WhatIfItem what) => (Item, work, leftMs, Phase, told) = (item, what, what.RunMs, WorkerPhase.Running, false);

    /// <summary>The time of its wait is over, and the task waited for now needs a worker to end; true the first time only.</summary>
    public bool HangsOn()
    {
        var hangs = Phase == WorkerPhase.TaskWait && work.Blocking == Blocking.PoolTask && !told;
        (told, until) = hangs ? (true, Never) : (told, until);
        return hangs;
    }

    /// <summary>The task waited for has ended.</summary>
    public void Wake(EventTime now) => until = now;

    public bool BlocksNext => Phase == WorkerPhase.Running && work.BlockMs > 0 && work.Blocking != Blocking.Awaits;

    /// <summary>Its item is over.</summary>
    public void Leave() => Item = null;

    /// <summary>Blocks for so long.</summary>
    public void Block(EventTime now, double ms)
    {
        Phase = work.Blocking == Blocking.Unseen ? WorkerPhase.Blocked : WorkerPhase.TaskWait;
        until = double.IsPositiveInfinity(ms) ? Never : now.PlusMs(ms);
    }
}
