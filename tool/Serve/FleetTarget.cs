using Tpwatch.Run;
using Tpwatch.Text;
using Tpwatch.Watch;

namespace Tpwatch.Serve;

/// <summary>One watched process: its session, its counters and the period of its current verdict. Not thread-safe.</summary>
sealed class FleetTarget : IDisposable
{
    /// <summary>
    /// Age at which a session is replaced, milliseconds. The memory of a session grows for four hours, and there can be 200 sessions.
    /// During an episode, the session is replaced at twice this age. After the replacement, counters continue and the report starts again.
    /// </summary>
    const double RenewMs = 1_800_000;

    /// <summary>Time between two kept snapshots, milliseconds. Outside of episodes, a verdict covers the last 1 to 2 minutes.</summary>
    const double MinuteMs = 60_000;

    const int LongestName = 64;

    readonly TargetMeter? meter;
    volatile IWatch? watch;
    volatile TargetSnapshot? last;
    TargetCounters tally = TargetCounters.None;
    TimelineSnapshot? since;
    TimelineSnapshot? next;
    bool wasOpen;

    public FleetTarget(
        ProcessRow row, IWatch first, TargetLabels labels, IEnumerable<FleetTarget> others, PrometheusPage? metrics = null)
    {
        (Row, watch, Labels, Page) = (row, first, labels, Unused(PageOf(row), others));
        meter = metrics?.Add(labels, () => last);
    }

    public ProcessRow Row { get; }

    /// <summary>The session; null while the session is being replaced.</summary>
    public IWatch? Watch => watch;

    public bool IsDue => watch is not null && last is { Glance.Timeline: var seen, Open: var open, Silence: null }
        && seen.Now.MsSince(seen.Start) >= (open is null ? RenewMs : 2 * RenewMs);

    public TargetLabels Labels { get; }

    /// <summary>Name of the process's HTTP page, with only characters that need no escape in a URL.</summary>
    public string Page { get; }

    /// <summary>Returns the new state of the process: null before the first data, the last state while its session is replaced.</summary>
    public TargetSnapshot? Look()
    {
        if (watch is not { } now || now.Glance(since) is not { } glance)
        {
            return last;
        }

        tally = tally.With(glance);
        foreach (var delay in tally.Fresh)
        {
            meter?.Record(delay);
        }

        Remember(glance);
        return last = new(Row, Labels, Page, tally) { Glance = glance, Silence = now.Silence };
    }

    /// <summary>Removes the session from this object, and returns it for the caller to end.</summary>
    public IWatch Rest()
    {
        var old = watch!;
        watch = null;
        return old;
    }

    public void Dispose() => meter?.Dispose();

    public void Resume(IWatch fresh) => (watch, since, next, wasOpen, tally) = (fresh, null, null, false, tally.ForNewWatch());

    // After an episode, the verdict covers only the time since the episode's end, so that waits in the episode do not count.
    void Remember(CurrentPoolState glance)
    {
        var isOpen = glance.Ledger.Episodes.Any(e => !e.Over);
        var now = glance.Timeline;
        if (wasOpen && !isOpen)
        {
            (since, next) = (Slim(now), null);
        }
        else if (next is null || now.Now.MsSince(next.Now) >= MinuteMs)
        {
            (since, next) = (next ?? since, Slim(now));
        }

        wasOpen = isOpen;
    }

    // Drops lists from a kept snapshot, because the next verdict needs only the totals.
    static TimelineSnapshot Slim(TimelineSnapshot seen) => seen with { CounterSamples = [], WorkerMoments = [], Hindrances = [] };

    // Two containers may each have a process with the same name and id, so the second page name gets a number.
    static string Unused(string page, IEnumerable<FleetTarget> others)
    {
        var taken = others.Select(t => t.Page).ToHashSet();
        return Enumerable.Range(0, taken.Count + 1)
            .Select(n => n == 0 ? page : string.Create(CultureInfo.InvariantCulture, $"{page}-{n}")).First(name => !taken.Contains(name));
    }

    static string PageOf(ProcessRow row)
    {
        var letters = row.Name.Take(LongestName).Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '.' ? c : '_').ToArray();
        var name = string.Join('.', new string(letters).Split('.', StringSplitOptions.RemoveEmptyEntries));
        return string.Create(CultureInfo.InvariantCulture, $"{name}-{row.Pid}");
    }
}

/// <summary>
/// The counters of a watched process; immutable. Each snapshot adds only what is new. So a session can forget old data or be replaced, and
/// no counter decreases.
/// </summary>
sealed record TargetCounters
{
    public static TargetCounters None { get; } = new();

    /// <summary>Number of episodes by their first verdict.</summary>
    public ImmutableSortedDictionary<Verdict, long> Episodes { get; private init; } = ImmutableSortedDictionary<Verdict, long>.Empty;

    /// <summary>Total time of episodes in seconds, by the verdict of the episode at that time.</summary>
    public ImmutableSortedDictionary<Verdict, double> Seconds { get; private init; } = ImmutableSortedDictionary<Verdict, double>.Empty;

    /// <summary>Injection delays that are new in the last snapshot; each delay is recorded once.</summary>
    public ImmutableArray<CountedDelay> Fresh { get; private init; } = [];

    /// <summary>Sum of all rises of the target thread count, in threads, for each of the runtime's reasons.</summary>
    public ImmutableSortedDictionary<AdjustmentReason, long> Injected { get; private init; } =
        ImmutableSortedDictionary<AdjustmentReason, long>.Empty;

    public long Lost { get; private init; }

    // The part of the current session that is already counted: newest delay number, episodes, episode time in ms, and lost events.
    int InjectionDelay { get; init; }

    int Begun { get; init; }
    double Ms { get; init; }
    long LostSeen { get; init; }

    /// <summary>Returns the counters increased by what is new in a snapshot.</summary>
    public TargetCounters With(CurrentPoolState now) => WithEpisodes(now).WithDelays(now) with
    {
        Lost = Lost + Math.Max(0, now.Timeline.Quality.Lost - LostSeen),
        LostSeen = Math.Max(LostSeen, now.Timeline.Quality.Lost),
    };

    /// <summary>Returns these counters for a new session, of which nothing is counted yet.</summary>
    public TargetCounters ForNewWatch() => this with { InjectionDelay = 0, Begun = 0, Ms = 0, LostSeen = 0 };

    // Later data can merge two episodes or move the start of an episode back. The counters then keep their values.
    TargetCounters WithEpisodes(CurrentPoolState now)
    {
        var ledger = now.Ledger;
        if (ledger.Episodes.IsEmpty)
        {
            return this;
        }

        var kind = ledger.Episodes[^1].Kind;
        var (begun, ms) = (ledger.Episodes.Length + ledger.DroppedEpisodes, ledger.Episodes.Sum(e => e.Span.Ms) + ledger.DroppedMs);
        return this with
        {
            Episodes = begun > Begun ? Episodes.SetItem(kind, Episodes.GetValueOrDefault(kind) + begun - Begun) : Episodes,
            Begun = Math.Max(Begun, begun),
            Seconds = ms > Ms ? Seconds.SetItem(kind, Seconds.GetValueOrDefault(kind) + (ms - Ms) / 1000) : Seconds,
            Ms = Math.Max(Ms, ms),
        };
    }

    TargetCounters WithDelays(CurrentPoolState now)
    {
        var (delays, injected, newest) = (ImmutableArray.CreateBuilder<CountedDelay>(), Injected, InjectionDelay);
        foreach (var delay in now.Ledger.Journal.Where(delay => delay.Number > InjectionDelay))
        {
            newest = Math.Max(newest, delay.Number);
            if (delay is { IsWait: true, ObservedMs: { } ms, Mechanism: not Mechanism.None })
            {
                delays.Add(new(delay.Mechanism, ms / 1000));
            }

            if (delay is { Reason: { } reason, TargetThreadsBefore: { } before, TargetThreadsAfter: { } after } && after > before)
            {
                injected = injected.SetItem(reason, injected.GetValueOrDefault(reason) + after - before);
            }
        }

        return this with { Fresh = delays.ToImmutable(), Injected = injected, InjectionDelay = newest };
    }
}

/// <summary>An injection delay, or a wait without an added thread.</summary>
readonly record struct CountedDelay(Mechanism Mechanism, double Seconds);
