using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>Joins the stretches in which items waited into episodes, and says of which kind each is.</summary>
sealed class EpisodeTracker
{
    /// <summary>
    /// Two stretches closer than this are one episode: a heartbeat and a half, so that one missing reading does not split it.
    /// </summary>
    const double SameEpisodeMs = 1500;

    /// <summary>
    /// What has begun goes on while items wait for half of what proves it, as long as the runtime's own detector asks for: a rate that
    /// wavers from second to second does not end it and begin it again.
    /// </summary>
    const double GoesOnMs = GateTiming.StarvationMs;

    /// <summary>
    /// Two samples may find a queue that has just drained, and the third one that waits again: three heartbeats and a half.
    /// </summary>
    const double ResumesMs = 3500;

    /// <summary>More episodes than anybody reads; the oldest go first.</summary>
    const int Capacity = 1000;

    /// <summary>Three readings of a second: what holds the items now, not before.</summary>
    const double ReadyMs = 3000;

    /// <summary>What sleeps and wakes late on a crowded machine is ready for half of the time at most.</summary>
    const double ReadyShare = 0.5;

    /// <summary>So long after its end all that was read of the process meanwhile has come: readings come each second.</summary>
    const double SettledMs = 10_000;

    readonly Recent<EpisodeSoFar> episodes = new(Capacity);
    int settled;
    EventTime? lastAdded;
    EventTime? lastLost;

    /// <summary>Episodes that were forgotten to stay within bounds.</summary>
    public int Dropped { get; private set; }

    /// <summary>How long those lasted in all, milliseconds.</summary>
    public double DroppedMs { get; private set; }

    /// <summary>
    /// An injection by the gate while work waited: nothing was dequeued for this long. How long a single item waited it does not prove.
    /// </summary>
    /// <param name="span">The time without a dequeue.</param>
    /// <param name="cpu">Processor use, 0 to 1.</param>
    /// <param name="goal">The goal from then on, where it is known.</param>
    public void Starved(EventSpan span, double? cpu, int? goal = null)
    {
        // Up to where it stood at max it gives back what hill climbing has taken; beyond, max was not reached or is larger now.
        var givesBack = IsSame(span.From) && episodes[^1] is { AtMaxAt: not null } last && goal <= last.AtMaxWith;
        Join(Reading(span, cpu, longestMs: 0) with { AddedAt = givesBack ? null : span.To, GaveBack = givesBack });
    }

    /// <summary>The pool added a worker for a task wait: it notices, be it too slowly.</summary>
    public void Added(EventTime at)
    {
        lastAdded = at;
        if (IsSame(at))
        {
            episodes[^1] = episodes[^1] with { AddedAt = at };
        }
    }

    /// <summary>
    /// Events were lost: workers that the pool added may have been among them, so that nobody says of this stretch that it did not notice.
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
    /// What a wait without an adjustment is charged to, as of a heartbeat with so many workers: it says of which kind the episode is.
    /// </summary>
    public void Charge(Mechanism rule, EventSpan wait, double? cpu, int? workers = null)
    {
        if (rule == Mechanism.G3Silent && IsSame(wait.To))
        {
            episodes[^1] = episodes[^1] with { SilentAt = wait.To };
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

    /// <summary>The pool has had no room since a moment: what it seemed not to notice since then, it could not answer.</summary>
    public void HadNoRoom(EventTime since)
    {
        for (var i = episodes.Count - 1; i >= 0 && episodes[i].Span.To >= since && episodes[i].AtMaxAt is null; i--)
        {
            episodes[i] = episodes[i] with { AtMaxAt = episodes[i].Span.To, Settled = null };
            settled = Math.Min(settled, i);
        }
    }

    /// <summary>Takes a heartbeat: what it proves, or that an episode under way goes on.</summary>
    public void Take(BeatLog beats)
    {
        var beat = beats.Last!;
        var waited = beats.ProvenWaitMs;
        if (waited >= WaitTracker.AlarmMs)
        {
            Waited(new(beat.At.PlusMs(-waited), beat.At), beat.Cpu);
        }
        else if (BeatLog.EstimatedWaitMs(beat) >= GoesOnMs)
        {
            GoesOn(beat.At);
        }
    }

    /// <summary>The counters prove that some item has waited through the span.</summary>
    public void Waited(EventSpan span, double? cpu) =>
        Join(Reading(span, cpu, span.Ms) with
        {
            AddedAt = lastAdded >= span.From ? lastAdded : null,
            LostAt = lastLost >= span.From.PlusMs(-SameEpisodeMs) ? lastLost : null,
        });

    public ImmutableArray<StarvedEpisode> Snapshot(EventTime now, double heartbeatMs, HindranceTracker? hindrances = null)
    {
        Settle(now, hindrances);
        return [.. episodes.Select(e => new StarvedEpisode(
            e.Span, e.Settled ?? KindOf(e, hindrances), now.MsSince(e.Span.To) > heartbeatMs + SameEpisodeMs, e.LongestMs))];
    }

    /// <summary>What hindered the process is kept for a while only; what it made of an episode stays true.</summary>
    void Settle(EventTime now, HindranceTracker? hindrances)
    {
        for (; settled < episodes.Count && now.MsSince(episodes[settled].Span.To) > SettledMs; settled++)
        {
            episodes[settled] = episodes[settled] with { Settled = KindOf(episodes[settled], hindrances) };
        }
    }

    /// <summary>Where the process itself did not run for most of it, and the gate did not inject, the pool is not the cause.</summary>
    static Verdict KindOf(EpisodeSoFar stretch, HindranceTracker? hindrances) =>
        stretch is { AddedAt: null, GaveBack: false } && hindrances?.MsWithin(
            stretch.Span, HindranceKind.Stopped, HindranceKind.Suspension, HindranceKind.Throttled) > stretch.Span.Ms / 2
            ? Verdict.NotThePool
            : stretch.Kind is Verdict.Starved or Verdict.SilentlyStarved && LacksProcessors(stretch, hindrances) ? Verdict.Saturated
            : stretch.Kind;

    /// <summary>
    /// Items that kept the processors busy before still compute where their threads are ready and find no processor: another process has
    /// it, so that the target's own use falls. What blocks instead is not ready.
    /// </summary>
    static bool LacksProcessors(EpisodeSoFar stretch, HindranceTracker? hindrances)
    {
        var newest = new EventSpan(EventTime.Max(stretch.Span.From, stretch.Span.To.PlusMs(-ReadyMs)), stretch.Span.To);
        return stretch.WasBusy && hindrances?.MsWithin(newest, HindranceKind.ProcessorWait) >= ReadyShare * newest.Ms;
    }

    /// <summary>By backlog and rate items still wait for long: an episode under way is not over, though nothing new is proven.</summary>
    void GoesOn(EventTime at)
    {
        if (episodes is [.., var last] && at > last.Span.To && at.MsSince(last.Span.To) <= ResumesMs)
        {
            episodes[^1] = last with { Span = last.Span with { To = at } };
        }
    }

    /// <summary>Whether what begins then belongs to the newest episode.</summary>
    bool IsSame(EventTime from) => episodes is [.., var last] && from.MsSince(last.Span.To) <= SameEpisodeMs;

    static EpisodeSoFar Reading(EventSpan span, double? cpu, double longestMs) =>
        new(span, cpu is null ? [] : [(span.To, cpu >= GateTiming.BusyCpu)], cpu >= GateTiming.BusyCpu, longestMs);

    void Join(EpisodeSoFar stretch)
    {
        var last = episodes.Count - 1;
        if (IsSame(stretch.Span.From))
        {
            // A proven wait may reach back before the last episode's own start.
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

/// <summary>An episode as far as it has been seen, and what decides of which kind it is.</summary>
/// <param name="Span">From when to when items waited.</param>
/// <param name="Processors">Readings of the processors of its newest <see cref="LatelyMs"/>, and whether they were busy.</param>
/// <param name="WasBusy">Whether they ever were busy.</param>
/// <param name="LongestMs">Longest wait that is proven, milliseconds.</param>
sealed record EpisodeSoFar(EventSpan Span, ImmutableArray<(EventTime At, bool Busy)> Processors, bool WasBusy, double LongestMs)
{
    /// <summary>
    /// Five readings of a second tell what lasts: fewer are a pause, and what was so for minutes before says nothing of what holds the
    /// items now.
    /// </summary>
    public const double LatelyMs = 5000;

    /// <summary>When the pool last added a worker for it.</summary>
    public EventTime? AddedAt { get; init; }

    /// <summary>When events were lost last, a worker that the pool added perhaps among them.</summary>
    public EventTime? LostAt { get; init; }

    /// <summary>When its wait was last charged to a detector that is kept asleep: for long enough no worker had come.</summary>
    public EventTime? SilentAt { get; init; }

    /// <summary>
    /// Whether the gate gave back what hill climbing had taken while it stood at max: it injected, and max is reached all the same.
    /// </summary>
    public bool GaveBack { get; init; }

    /// <summary>When it last stood at max.</summary>
    public EventTime? AtMaxAt { get; init; }

    /// <summary>The most workers with which it stood there, or the goal if that was more.</summary>
    public int AtMaxWith { get; init; }

    /// <summary>When it last was wedged.</summary>
    public EventTime? WedgedAt { get; init; }

    /// <summary>Its kind, once nothing that is still to come can change it; null before.</summary>
    public Verdict? Settled { get; init; }

    // Busy processors explain the wait whether or not the gate injected: its rule fires under load too, only later. Otherwise the
    // newest state counts: a pool that has grown to its max and stands there is at max, and one that grows again is not.
    public Verdict Kind => Processors.Count(r => r.Busy) * 2 > Processors.Length ? Verdict.Saturated
        : WedgedAt is not null && WedgedAt >= Latest(AddedAt, AtMaxAt) ? Verdict.Wedged
        : AtMaxAt is not null && AtMaxAt >= Latest(AddedAt, null) ? Verdict.StarvedAtMax
        : AddedAt is not null || LostAt > Latest(SilentAt, null) ? Verdict.Starved
        : Verdict.SilentlyStarved;

    public EpisodeSoFar With(EpisodeSoFar next) => new(
        new(Span.From < next.Span.From ? Span.From : next.Span.From, EventTime.Max(Span.To, next.Span.To)),
        Lately([.. Processors, .. next.Processors]), WasBusy || next.WasBusy, Math.Max(LongestMs, next.LongestMs))
    {
        AddedAt = Newer(AddedAt, next.AddedAt),
        LostAt = Newer(LostAt, next.LostAt),
        SilentAt = Newer(SilentAt, next.SilentAt),
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
