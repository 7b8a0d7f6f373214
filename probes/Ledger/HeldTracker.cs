using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Finds work that hangs though nothing waits in the queue: as many workers as processors or more hold an item, and none of them has ended
/// one. A worker that runs out of work says so (event 57) and ends after its idle time-out, so one that has said nothing for longer holds
/// an item; and if fewer items ended in that time than there are such workers, the rest hold the same item all the while.
/// </summary>
sealed class HeldTracker(TargetFacts target)
{
    /// <summary>Items that run so long without any other ending are no ordinary load; an incident is told within seconds.</summary>
    public const double HangsMs = 5000;

    /// <summary>The usual time-out of calls to something outside. What ended sooner were long items, and did not hang.</summary>
    public const double WorthTellingMs = 30_000;

    /// <summary>PortableThreadPool: an idle worker waits 20 s for work; its end takes a moment to arrive.</summary>
    public const double IdleTimeoutMs = 20_000 + 1000;

    /// <summary>A pool that grew to so many workers a processor did it for items that blocked.</summary>
    const int ManyTimes = 4;

    /// <summary>More workers than a pool has.</summary>
    const int MostWorkers = 65_536;

    /// <summary>Whether idle workers end as they do by default; otherwise only what a worker says itself is known of it.</summary>
    readonly bool idleOnesEnd = !target.Settings.Any(s => Changes.Any(name => s.Name.EndsWith(name, StringComparison.Ordinal)));

    readonly Dictionary<int, EventTime?> sleptAt = [];
    readonly Queue<EventTime> starts = new();
    readonly Queue<(EventTime At, long Items)> ended = new();
    EventTime started;
    EventTime? emptySince;
    EventTime? quietSince;
    EventSpan? open;
    StarvedEpisode? last;

    static string[] Changes => ["ThreadTimeoutMs", "ThreadsToKeepAlive"];

    /// <summary>The newest stretch of it; null when there was none.</summary>
    public StarvedEpisode? Last => open is { } span ? new(span, Verdict.Held, Over: false, 0) : last;

    /// <summary>
    /// Workers of whom nothing is known, so many more than a quiet pool keeps that they may all hang: they are idle, which their time-out
    /// will show, or hold items. Null where there are none.
    /// </summary>
    public int? MayHang { get; private set; }

    /// <summary>Workers that took an item when they started and have said nothing since: they hold one.</summary>
    public int KnownHeld => sleptAt.Values.Count(slept => slept is null);

    public void Open(EventTime at) => started = at;

    public void Started(in WorkerStarted fact)
    {
        Say(fact.ThreadId, null);
        starts.Enqueue(fact.At);
        if (starts.Count > MostWorkers)
        {
            starts.Dequeue();
        }
    }

    public void Slept(in WorkerWaited fact) => Say(fact.ThreadId, fact.At);

    public void Ended(in WorkerStopped fact) => sleptAt.Remove(fact.ThreadId);

    /// <summary>Nothing is known any more of what workers did.</summary>
    public void Lose(EventTime at)
    {
        sleptAt.Clear();
        (started, emptySince, quietSince) = (at, null, null);
        ended.Clear();
        Close();
    }

    /// <summary>A heartbeat, and on how many processors.</summary>
    public void Take(Heartbeat beat, int processors)
    {
        if (beat is not { Completed: { } completed, Backlog: 0, Workers: { } workers, IntervalMs: { } interval })
        {
            (emptySince, quietSince, MayHang) = (null, null, null);
            Close();
            return;
        }

        emptySince ??= beat.At.PlusMs(-interval);
        quietSince = completed > 0 ? null : quietSince ?? beat.At.PlusMs(-interval);
        ended.Enqueue((beat.At, completed));
        while (beat.At.MsSince(ended.Peek().At) >= IdleTimeoutMs)
        {
            ended.Dequeue();
        }

        while (starts.TryPeek(out var first) && beat.At.MsSince(first) >= IdleTimeoutMs)
        {
            starts.Dequeue();
        }

        var computing = (beat.Cpu ?? 1) * processors;
        var busy = workers - MayBeIdle(beat.At, workers) - computing;
        if (quietSince is { } quiet && beat.At.MsSince(quiet) >= HangsMs
            && busy - starts.Count(s => beat.At.MsSince(s) < HangsMs) >= processors)
        {
            (open, MayHang) = (new(quiet, beat.At), null);
        }
        else if (beat.At.MsSince(emptySince.Value) >= IdleTimeoutMs && busy - starts.Count - ended.Sum(e => e.Items) >= processors)
        {
            // Others may come and go: each item that ended was one worker's, and the rest of those that are not idle have ended none.
            (open, MayHang) = (new(open?.From ?? beat.At.PlusMs(-IdleTimeoutMs), beat.At), null);
        }
        else
        {
            var unheard = Unheard(beat.At, workers);
            MayHang = quietSince is not null && unheard - computing >= ManyTimes * processors ? unheard : null;
            Close();
        }
    }

    // Who has slept within the time-out may sleep still. Of whom nothing was heard since the capture began
    // the same holds until one time-out has passed.
    int MayBeIdle(EventTime now, int workers) => Unheard(now, workers) + sleptAt.Values.Count(at => at is { } then && !IsOver(now, then));

    int Unheard(EventTime now, int workers) => IsOver(now, started) ? 0 : Math.Max(0, workers - sleptAt.Count);

    bool IsOver(EventTime now, EventTime since) => idleOnesEnd && now.MsSince(since) > IdleTimeoutMs;

    void Say(int thread, EventTime? slept)
    {
        if (sleptAt.Count < MostWorkers || sleptAt.ContainsKey(thread))
        {
            sleptAt[thread] = slept;
        }
    }

    void Close()
    {
        last = open is { } span && span.Ms >= WorthTellingMs ? new(span, Verdict.Held, Over: true, 0) : last;
        open = null;
    }
}
