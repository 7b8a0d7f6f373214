namespace Tpwatch.WhatIf;

/// <summary>The phase of a worker thread that is allowed to work.</summary>
enum WorkerPhase
{
    Starting,
    Running,
    Blocked,
    TaskWait,
}

/// <summary>A working worker thread of a simulated pool.</summary>
sealed class WhatIfWorker(int number, EventTime startsAt)
{
    /// <summary>A time after the end of any simulation.</summary>
    static readonly EventTime Never = new(long.MaxValue);

    // An event time is a whole number of nanoseconds; the rest of a run after rounding is less than one nanosecond.
    const double NothingMs = 1e-6;

    public int Number { get; } = number;
    public WorkerPhase Phase { get; private set; } = WorkerPhase.Starting;
    public int? Item { get; private set; }

    EventTime until = startsAt;
    double leftMs;
    WhatIfItem work;
    bool told;

    /// <summary>When the phase ends if the worker thread has <paramref name="share"/> of a processor from now on.</summary>
    public EventTime Ends(EventTime now, double share) =>
        Phase != WorkerPhase.Running ? until
        : double.IsPositiveInfinity(leftMs) ? Never
        : now.PlusMs(leftMs / share);

    public bool Over(EventTime now) => Phase == WorkerPhase.Running ? leftMs <= NothingMs : until <= now;

    public void Compute(double ms) => leftMs -= Phase == WorkerPhase.Running ? ms : 0;

    public void Take(int item, WhatIfItem what) => (Item, work, leftMs, Phase, told) = (item, what, what.RunMs, WorkerPhase.Running, false);

    /// <summary>
    /// Whether the time of the wait is over and the awaited task now needs a worker thread to end; true only the first time.
    /// </summary>
    public bool HangsOn()
    {
        var hangs = Phase == WorkerPhase.TaskWait && work.Blocking == Blocking.PoolTask && !told;
        (told, until) = hangs ? (true, Never) : (told, until);
        return hangs;
    }

    /// <summary>The awaited task has ended.</summary>
    public void Wake(EventTime now) => until = now;

    public bool BlocksNext => Phase == WorkerPhase.Running && work.BlockMs > 0 && work.Blocking != Blocking.Awaits;

    /// <summary>The item is complete.</summary>
    public void Leave() => Item = null;

    /// <summary>Blocks for <paramref name="ms"/> milliseconds.</summary>
    public void Block(EventTime now, double ms)
    {
        Phase = work.Blocking == Blocking.Unseen ? WorkerPhase.Blocked : WorkerPhase.TaskWait;
        until = double.IsPositiveInfinity(ms) ? Never : now.PlusMs(ms);
    }
}
