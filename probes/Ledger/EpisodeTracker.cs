using Tpwatch.Events;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Joins the times in which items waited into episodes and decides the kind of each episode.</summary>
sealed class EpisodeTracker
{
    /// <summary>
    /// Maximum time between two waits of the same episode, milliseconds: one and a half sample intervals, so that one missing counter
    /// sample does not split an episode.
    /// </summary>
    const double SameEpisodeMs = 1500;

    /// <summary>
    /// Minimum estimated wait (queue length divided by completion rate) at which an open episode continues, milliseconds. It is half of the
    /// wait that starts an episode, so that a completion rate that varies does not end and restart the episode.
    /// </summary>
    const double GoesOnMs = GateTiming.StarvationMs;

    /// <summary>
    /// Maximum time between the end and the continuation of an episode, milliseconds: three and a half sample intervals. The queue may be
    /// empty by chance at two counter samples, and items wait again at the third.
    /// </summary>
    const double ResumesMs = 3500;

    /// <summary>Maximum number of episodes kept, more than a user reads. The oldest episodes are dropped first.</summary>
    const int Capacity = 1000;

    /// <summary>
    /// Length of the newest part of an episode, in which a lack of processors must show, milliseconds: three process readings.
    /// </summary>
    const double ReadyMs = 3000;

    /// <summary>
    /// Minimum share of time in which a thread must be ready without a processor to show a lack of processors. Threads that sleep and wake
    /// late on a crowded machine reach at most half of the time.
    /// </summary>
    const double ReadyShare = 0.5;

    /// <summary>
    /// Time after the end of an episode from which its kind is final, milliseconds. By then, all readings of the process have arrived.
    /// </summary>
    const double SettledMs = 10_000;

    readonly Recent<EpisodeSoFar> episodes = new(Capacity);
    int settled;
    EventTime? lastAdded;
    EventTime? lastLost;

    /// <summary>Number of episodes dropped to stay within <see cref="Capacity"/>.</summary>
    public int Dropped { get; private set; }

    /// <summary>The total duration of the dropped episodes, milliseconds.</summary>
    public double DroppedMs { get; private set; }

    /// <summary>Records a starvation injection while items waited. It does not prove how long a single item waited.</summary>
    /// <param name="span">The time without a dequeue.</param>
    /// <param name="cpu">Processor use, 0 to 1; null when unknown.</param>
    /// <param name="targetThreads">The target thread count after the injection; null when unknown.</param>
    public void Starved(EventSpan span, double? cpu, int? targetThreads = null)
    {
        // If the pool was at MaxThreads with n threads, an injection up to n threads only returns threads that hill climbing has removed.
        // An injection above n shows that MaxThreads was not reached or has been raised.
        var givesBack = IsSame(span.From) && episodes[^1] is { AtMaxAt: not null } last && targetThreads <= last.AtMaxWith;
        Join(Reading(span, cpu, longestMs: 0) with { AddedAt = givesBack ? null : span.To, GaveBack = givesBack });
    }

    /// <summary>Records that the pool added a worker thread for a task wait, so the open episode is not undetected starvation.</summary>
    public void Added(EventTime at)
    {
        lastAdded = at;
        if (IsSame(at))
        {
            episodes[^1] = episodes[^1] with { AddedAt = at };
        }
    }

    /// <summary>
    /// Records lost events. The pool may have added threads unseen, so the open episode does not prove undetected starvation.
    /// </summary>
    public void Lose(EventTime at)
    {
        lastLost = at;
        if (IsSame(at))
        {
            episodes[^1] = episodes[^1] with { LostAt = at };
        }
    }

    /// <summary>
    /// Records the rule that explains a wait without an adjustment; the rule decides the kind of the episode. <paramref name="workers"/> is
    /// the number of worker threads or, if larger, the target thread count.
    /// </summary>
    public void Charge(Mechanism rule, EventSpan wait, double? cpu, int? workers = null)
    {
        if (rule == Mechanism.G3Undetected && IsSame(wait.To))
        {
            episodes[^1] = episodes[^1] with { UndetectedAt = wait.To };
        }

        if (rule is Mechanism.G8Ceiling or Mechanism.G14Wedged)
        {
            Join(Reading(wait, cpu, wait.Ms) with
            {
                AtMaxAt = rule == Mechanism.G8Ceiling ? wait.To : null,
                AtMaxWith = rule == Mechanism.G8Ceiling ? workers ?? 0 : 0,
                WedgedAt = rule == Mechanism.G14Wedged ? wait.To : null,
            });
        }
    }

    /// <summary>
    /// Records that the pool has been at MaxThreads since a given time. Episodes since then that looked like undetected starvation become
    /// starvation at MaxThreads.
    /// </summary>
    public void HadNoRoom(EventTime since)
    {
        for (var i = episodes.Count - 1; i >= 0 && episodes[i].Span.To >= since && episodes[i].AtMaxAt is null; i--)
        {
            episodes[i] = episodes[i] with { AtMaxAt = episodes[i].Span.To, Settled = null };
            settled = Math.Min(settled, i);
        }
    }

    /// <summary>
    /// Takes the newest counter sample. A proven wait starts or extends an episode. A long estimated wait only extends the open episode.
    /// </summary>
    public void Take(CounterSampleLog samples)
    {
        var sample = samples.Last!;
        var waited = samples.ProvenWaitMs;
        if (waited >= WaitTracker.AlarmMs)
        {
            Waited(new(sample.At.PlusMs(-waited), sample.At), sample.Cpu);
        }
        else if (CounterSampleLog.EstimatedWaitMs(sample) >= GoesOnMs)
        {
            GoesOn(sample.At);
        }
    }

    /// <summary>Records that the counter samples prove that some item waited through the whole span.</summary>
    public void Waited(EventSpan span, double? cpu) =>
        Join(Reading(span, cpu, span.Ms) with
        {
            AddedAt = lastAdded >= span.From ? lastAdded : null,
            LostAt = lastLost >= span.From.PlusMs(-SameEpisodeMs) ? lastLost : null,
        });

    public ImmutableArray<StarvedEpisode> Snapshot(EventTime now, double sampleIntervalMs, HindranceTracker? hindrances = null)
    {
        Settle(now, hindrances);
        return [.. episodes.Select(e => new StarvedEpisode(
            e.Span, e.Settled ?? KindOf(e, hindrances), now.MsSince(e.Span.To) > sampleIntervalMs + SameEpisodeMs, e.LongestMs))];
    }

    /// <summary>Makes the kind of old episodes final, because <paramref name="hindrances"/> forgets old hindrances.</summary>
    void Settle(EventTime now, HindranceTracker? hindrances)
    {
        for (; settled < episodes.Count && now.MsSince(episodes[settled].Span.To) > SettledMs; settled++)
        {
            episodes[settled] = episodes[settled] with { Settled = KindOf(episodes[settled], hindrances) };
        }
    }

    /// <summary>
    /// Returns the kind of an episode. The pool is not the cause if the process did not run for more than half of the episode and the pool
    /// added no thread.
    /// </summary>
    static Verdict KindOf(EpisodeSoFar stretch, HindranceTracker? hindrances) =>
        stretch is { AddedAt: null, GaveBack: false } && hindrances?.MsWithin(
            stretch.Span, HindranceKind.Stopped, HindranceKind.Suspension, HindranceKind.Throttled) > stretch.Span.Ms / 2
            ? Verdict.NotThePool
            : stretch.Kind is Verdict.Starved or Verdict.SilentlyStarved && LacksProcessors(stretch, hindrances) ? Verdict.Saturated
            : stretch.Kind;

    /// <summary>
    /// Whether the threads lack processors: the target kept the processors busy earlier in the episode, and its threads are ready but get
    /// no processor in the newest part. Another process then uses them. A blocked thread is not ready.
    /// </summary>
    static bool LacksProcessors(EpisodeSoFar stretch, HindranceTracker? hindrances)
    {
        var newest = new EventSpan(EventTime.Max(stretch.Span.From, stretch.Span.To.PlusMs(-ReadyMs)), stretch.Span.To);
        return stretch.WasBusy && hindrances?.MsWithin(newest, HindranceKind.ProcessorWait) >= ReadyShare * newest.Ms;
    }

    /// <summary>Extends the open episode to a counter sample at which the estimated wait is long, although no new wait is proven.</summary>
    void GoesOn(EventTime at)
    {
        if (episodes is [.., var last] && at > last.Span.To && at.MsSince(last.Span.To) <= ResumesMs)
        {
            episodes[^1] = last with { Span = last.Span with { To = at } };
        }
    }

    /// <summary>Whether a wait that begins at <paramref name="from"/> belongs to the newest episode.</summary>
    bool IsSame(EventTime from) => episodes is [.., var last] && from.MsSince(last.Span.To) <= SameEpisodeMs;

    static EpisodeSoFar Reading(EventSpan span, double? cpu, double longestMs) =>
        new(span, cpu is null ? [] : [(span.To, cpu >= GateTiming.BusyCpu)], cpu >= GateTiming.BusyCpu, longestMs);

    void Join(EpisodeSoFar stretch)
    {
        var last = episodes.Count - 1;
        if (IsSame(stretch.Span.From))
        {
            // A proven wait may begin before the last episode. The joined episode then belongs to the episode before it.
            var joined = episodes[last].With(stretch);
            episodes.RemoveNewest();
            settled = Math.Min(settled, last);
            Join(joined);
            return;
        }

        if (episodes.IsFull)
        {
            DroppedMs += episodes[0].Span.Ms;
            Dropped++;
            settled = Math.Max(0, settled - 1);
        }

        episodes.Add(stretch);
    }
}

/// <summary>An episode as observed so far, with the values that decide its kind.</summary>
/// <param name="Span">The time in which items waited.</param>
/// <param name="Processors">For each reading of processor use in the newest <see cref="LatelyMs"/>: its time, and whether the processors
/// were busy.</param>
/// <param name="WasBusy">Whether the processors were busy at any reading of the episode.</param>
/// <param name="LongestMs">The longest proven wait, milliseconds.</param>
sealed record EpisodeSoFar(EventSpan Span, ImmutableArray<(EventTime At, bool Busy)> Processors, bool WasBusy, double LongestMs)
{
    /// <summary>
    /// Maximum age of processor readings that count, milliseconds: five readings, one per second. Fewer readings may only show a pause, and
    /// older readings say nothing about the current cause of the wait.
    /// </summary>
    public const double LatelyMs = 5000;

    /// <summary>Time at which the pool last added a worker thread during the episode; null when no thread was added.</summary>
    public EventTime? AddedAt { get; init; }

    /// <summary>Time at which events were last lost, perhaps with added worker threads among them; null when none was lost.</summary>
    public EventTime? LostAt { get; init; }

    /// <summary>Time at which the wait was last explained as undetected starvation; null when never.</summary>
    public EventTime? UndetectedAt { get; init; }

    /// <summary>Whether an injection only returned a thread that hill climbing had removed; the pool is then at MaxThreads again.</summary>
    public bool GaveBack { get; init; }

    /// <summary>Time at which the pool was last at MaxThreads; null when never.</summary>
    public EventTime? AtMaxAt { get; init; }

    /// <summary>Largest number of worker threads at MaxThreads, or the target thread count at MaxThreads if that is larger.</summary>
    public int AtMaxWith { get; init; }

    /// <summary>Time at which the pool was last wedged: items waited, none was dequeued, and no rule of the pool explains this.</summary>
    public EventTime? WedgedAt { get; init; }

    /// <summary>Final kind, once no later reading can change the kind; null before.</summary>
    public Verdict? Settled { get; init; }

    // Busy processors explain the wait even if the gate thread injected, because with busy processors it still injects, only later.
    // Otherwise the newest state counts: a pool that grew to MaxThreads and stays there is at MaxThreads, and a pool that grows again is
    // not.
    public Verdict Kind => Processors.Count(r => r.Busy) * 2 > Processors.Length ? Verdict.Saturated
        : WedgedAt is not null && WedgedAt >= Latest(AddedAt, AtMaxAt) ? Verdict.Wedged
        : AtMaxAt is not null && AtMaxAt >= Latest(AddedAt, null) ? Verdict.StarvedAtMax
        : AddedAt is not null || LostAt > Latest(UndetectedAt, null) ? Verdict.Starved
        : Verdict.SilentlyStarved;

    public EpisodeSoFar With(EpisodeSoFar next) => new(
        new(Span.From < next.Span.From ? Span.From : next.Span.From, EventTime.Max(Span.To, next.Span.To)),
        Lately([.. Processors, .. next.Processors]), WasBusy || next.WasBusy, Math.Max(LongestMs, next.LongestMs))
    {
        AddedAt = Newer(AddedAt, next.AddedAt),
        LostAt = Newer(LostAt, next.LostAt),
        UndetectedAt = Newer(UndetectedAt, next.UndetectedAt),
        GaveBack = GaveBack || next.GaveBack,
        AtMaxAt = Newer(AtMaxAt, next.AtMaxAt),
        AtMaxWith = Math.Max(AtMaxWith, next.AtMaxWith),
        WedgedAt = Newer(WedgedAt, next.WedgedAt),
    };

    static ImmutableArray<(EventTime At, bool Busy)> Lately(ImmutableArray<(EventTime At, bool Busy)> all) =>
        all.IsEmpty ? all : all.RemoveAll(r => r.At < all[^1].At.PlusMs(-LatelyMs));

    static EventTime? Newer(EventTime? one, EventTime? other) => one is { } a && other is { } b ? EventTime.Max(a, b) : one ?? other;

    static EventTime Latest(EventTime? one, EventTime? other) => Newer(one, other) ?? new EventTime(long.MinValue);
}

/// <summary>
/// Finds work that hangs while the queue is empty: at least as many worker threads as processors hold an item, and none of these threads
/// has completed one. A worker thread that runs out of work reports this (event 57) and ends after its idle timeout. So a thread without
/// such an event for longer than the timeout holds an item. If fewer items completed in that time than there are such threads, the rest of
/// these threads still hold their item.
/// </summary>
sealed class HangTracker(TargetFacts target)
{
    /// <summary>
    /// Minimum time without any completion after which running items count as hanging, milliseconds. Ordinary load takes less time, and an
    /// incident is still reported within seconds.
    /// </summary>
    public const double HangsMs = 5000;

    /// <summary>
    /// Minimum duration of a hang that is reported after its end, milliseconds: the usual timeout of external calls. Items that completed
    /// sooner were long items and did not hang.
    /// </summary>
    public const double WorthTellingMs = 30_000;

    /// <summary>
    /// Idle timeout of a worker thread, milliseconds. A thread of PortableThreadPool waits 20 s for work, and the event of its end takes a
    /// moment to arrive, so one second is added.
    /// </summary>
    public const double IdleTimeoutMs = 20_000 + 1000;

    /// <summary>Minimum number of worker threads per processor that shows that the pool grew because items block.</summary>
    const int ManyTimes = 4;

    /// <summary>Maximum number of worker threads kept, more than a pool has.</summary>
    const int MostWorkers = 65_536;

    /// <summary>Whether idle worker threads end after the default timeout: no setting changes the timeout or keeps threads alive.</summary>
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
    /// Number of worker threads without any event so far, if no item completes and a quiet pool has far fewer threads; otherwise null. Each
    /// of these threads is idle or hangs. After one idle timeout, the events show which of them are idle.
    /// </summary>
    public int? MayHang { get; private set; }

    /// <summary>
    /// Number of worker threads that took an item when they started and have not become idle since; each of these holds an item.
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

    /// <summary>Handles lost events, after which the state of all worker threads is unknown.</summary>
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
            (open, MayHang) = (new(open?.From ?? quiet, sample.At), null);
        }
        else if (sample.At.MsSince(emptySince.Value) >= IdleTimeoutMs && busy - starts.Count - ended.Sum(e => e.Items) >= processors)
        {
            // Recently started threads, and one thread for each completed item, are subtracted. The remaining busy threads have completed
            // no item.
            (open, MayHang) = (new(open?.From ?? sample.At.PlusMs(-IdleTimeoutMs), sample.At), null);
        }
        else
        {
            var unheard = Unheard(sample.At, workers);
            MayHang = quietSince is not null && unheard - computing >= ManyTimes * processors ? unheard : null;
            Close();
        }
    }

    // Upper bound of the idle worker threads: those that became idle within the timeout and, until one timeout after the start of the
    // capture, those without any event.
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
