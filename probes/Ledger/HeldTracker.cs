using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Finds work that hangs while the queue is empty: at least as many worker threads as processors hold an item, and none of them has
/// completed one. A worker thread that runs out of work reports it (event 57) and ends after its idle timeout, so a thread that has
/// reported nothing for longer holds an item. If fewer items completed in that time than there are such threads, the other threads still
/// hold their item.
/// </summary>
sealed class HeldTracker(TargetFacts target)
{
    /// <summary>
    /// How long items run without any completion until they count as hanging, milliseconds: longer than ordinary load, but short enough to
    /// report an incident within seconds.
    /// </summary>
    public const double HangsMs = 5000;

    /// <summary>
    /// The minimum duration of a hang that is still reported after its end, milliseconds: the usual timeout of external calls. Items that
    /// completed sooner were long items and did not hang.
    /// </summary>
    public const double WorthTellingMs = 30_000;

    /// <summary>
    /// PortableThreadPool: an idle worker thread waits 20 s for work. One second is added because its end takes a moment to arrive.
    /// Milliseconds.
    /// </summary>
    public const double IdleTimeoutMs = 20_000 + 1000;

    /// <summary>A pool with this number of worker threads per processor or more has grown because of blocked items.</summary>
    const int ManyTimes = 4;

    /// <summary>The most worker threads kept, more than a pool has.</summary>
    const int MostWorkers = 65_536;

    /// <summary>
    /// Whether idle worker threads end as they do by default; otherwise only the events of a worker thread show its state.
    /// </summary>
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

    /// <summary>The newest hang; null when there was none.</summary>
    public StarvedEpisode? Last => open is { } span ? new(span, Verdict.Held, Over: false, 0) : last;

    /// <summary>
    /// The number of worker threads with unknown state, when it is so far above that of a quiet pool that all of them may hang: they are
    /// idle, which their timeout will show, or hold items. Null when there are none.
    /// </summary>
    public int? MayHang { get; private set; }

    /// <summary>
    /// The number of worker threads that took an item when they started and have not become idle since: each holds an item.
    /// </summary>
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

    /// <summary>Handles lost events: the state of all worker threads is unknown.</summary>
    public void Lose(EventTime at)
    {
        sleptAt.Clear();
        (started, emptySince, quietSince) = (at, null, null);
        ended.Clear();
        Close();
    }

    /// <summary>Takes a counter sample of a process with <paramref name="processors"/> processors.</summary>
    public void Take(CounterSample sample, int processors)
    {
        if (sample is not { Completed: { } completed, QueueLength: 0, Workers: { } workers, IntervalMs: { } interval })
        {
            (emptySince, quietSince, MayHang) = (null, null, null);
            Close();
            return;
        }

        emptySince ??= sample.At.PlusMs(-interval);
        quietSince = completed > 0 ? null : quietSince ?? sample.At.PlusMs(-interval);
        ended.Enqueue((sample.At, completed));
        while (sample.At.MsSince(ended.Peek().At) >= IdleTimeoutMs)
        {
            ended.Dequeue();
        }

        while (starts.TryPeek(out var first) && sample.At.MsSince(first) >= IdleTimeoutMs)
        {
            starts.Dequeue();
        }

        var computing = (sample.Cpu ?? 1) * processors;
        var busy = workers - MayBeIdle(sample.At, workers) - computing;
        if (quietSince is { } quiet && sample.At.MsSince(quiet) >= HangsMs
            && busy - starts.Count(s => sample.At.MsSince(s) < HangsMs) >= processors)
        {
            (open, MayHang) = (new(quiet, sample.At), null);
        }
        else if (sample.At.MsSince(emptySince.Value) >= IdleTimeoutMs && busy - starts.Count - ended.Sum(e => e.Items) >= processors)
        {
            // Other worker threads may start and end: each completed item belongs to one worker thread, and the remaining busy threads have
            // completed none.
            (open, MayHang) = (new(open?.From ?? sample.At.PlusMs(-IdleTimeoutMs), sample.At), null);
        }
        else
        {
            var unheard = Unheard(sample.At, workers);
            MayHang = quietSince is not null && unheard - computing >= ManyTimes * processors ? unheard : null;
            Close();
        }
    }

    // A worker thread that became idle within the timeout may still be idle. A worker thread without any event since the capture began may
    // be idle until one timeout has passed.
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
