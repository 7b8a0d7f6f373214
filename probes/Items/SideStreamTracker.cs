using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>State of items, lock waits and requests at one moment, from the second event stream, which has an event for each.</summary>
sealed record SideStreamSnapshot(ItemSnapshot Items, ImmutableArray<LockWait> Locks)
{
    /// <summary>HTTP requests; null if the stream had no request events.</summary>
    public RequestSnapshot? Requests { get; init; }
}

/// <summary>Aggregates the events of single items, lock waits and requests, and counts them for <see cref="EventRateLimit"/>.</summary>
sealed class SideStreamTracker : ISideStreamSink
{
    readonly ItemTracker items = new();
    readonly LockTracker locks = new();
    readonly RequestTracker requests = new();
    long requestsTold;

    /// <summary>Number of item, lock and request events so far.</summary>
    public long Told { get; private set; }

    /// <summary>What most events are about, as the subject of a sentence.</summary>
    public string Subject => requestsTold > Told / 2 ? "Requests" : "Work items";

    public bool HasLost { get; private set; }

    /// <summary>Event time of the newest event.</summary>
    public EventTime Now { get; private set; }

    public SideStreamSnapshot Snapshot() => new(items.Snapshot(), locks.Snapshot())
    {
        Requests = requestsTold > 0 ? requests.Snapshot() : null,
    };

    public void On(in ItemQueued fact)
    {
        (Told, Now) = (Told + 1, fact.At);
        items.Queued(fact);
    }

    public void On(in ItemTaken fact)
    {
        (Told, Now) = (Told + 1, fact.At);
        items.Taken(fact);
    }

    public void On(in LockAwaited fact)
    {
        (Told, Now) = (Told + 1, fact.At);
        locks.Awaited(fact);
    }

    public void On(in LockTaken fact)
    {
        (Told, Now) = (Told + 1, fact.At);
        locks.Taken(fact);
    }

    public void On(in RequestStarted fact)
    {
        (Told, Now, requestsTold) = (Told + 1, fact.At, requestsTold + 1);
        requests.Started(fact);
    }

    public void On(in RequestStopped fact)
    {
        (Told, Now, requestsTold) = (Told + 1, fact.At, requestsTold + 1);
        requests.Stopped(fact);
    }

    public void On(in WorkerStarted fact) => items.WorkerBorn(fact.At, fact.ThreadId);

    public void On(in WorkerStopped fact) => items.WorkerIdle(fact.At, fact.ThreadId);

    public void On(in WorkerWaited fact) => items.WorkerIdle(fact.At, fact.ThreadId);

    public void On(in CountersRead fact)
    {
        Now = fact.At;
        items.Listened(fact.At);
        requests.Listened(fact.At);
        if (fact.QueueLength == 0)
        {
            items.QueueEmpty(fact.At);
        }
    }

    public void On(in EventsLost fact)
    {
        HasLost = true;
        items.Lost(fact.At);
        locks.Lost();
        requests.Lost(fact.At);
    }

    public void On(in StreamOpened fact) => requests.Opened(fact.At);
}

/// <summary>Pairs starts and ends of requests by their id, and keeps what is needed to name the request that a thread runs.</summary>
sealed class RequestTracker
{
    /// <summary>Maximum number of concurrent requests that are followed; further requests are only counted.</summary>
    const int MostUnderWay = 16_384;

    const int MostThreads = 4_096;

    /// <summary>Maximum number of running requests per route whose ages are reported; further requests are only counted.</summary>
    const int MostAges = 500;

    /// <summary>Maximum number of stretches (times between two request events on one thread) kept: 80 s at 200 a second.</summary>
    const int MostStretches = 16_384;

    /// <summary>Minimum length of a stretch, milliseconds; a shorter stretch does not hold a worker thread.</summary>
    const double LeastStretchMs = 2;

    readonly Dictionary<ulong, RequestStarted> underWay = [];
    readonly Dictionary<int, Word> threads = [];
    readonly Dictionary<string, ItemSliceTracker> routes = new(StringComparer.Ordinal);
    readonly Recent<RequestEventInterval> stretches = new(MostStretches);
    readonly RequestsPerSecond seconds = new();
    long unmatched;
    EventTime? opened;
    EventTime heard;
    EventTime last;

    /// <summary>Marks the start of the session; requests that already run are not known.</summary>
    public void Opened(EventTime at) => (opened, heard) = (at, at);

    public void Started(in RequestStarted fact)
    {
        See(fact.At);
        Heard(fact.ThreadId, new(fact.At, fact.Route), null, null);
        if (underWay.Count < MostUnderWay)
        {
            underWay[fact.Id] = fact;
        }
        else
        {
            unmatched++;
        }

        seconds.UnderWay(fact.At, underWay.Count);
    }

    public void Stopped(in RequestStopped fact)
    {
        See(fact.At);
        var known = underWay.Remove(fact.Id, out var begun);
        Heard(fact.ThreadId, new(fact.At, null), fact.Route, known ? begun.At : null);
        if (!known)
        {
            unmatched++;
            return;
        }

        var ns = fact.At.Nanoseconds - begun.At.Nanoseconds;
        Of(fact.Route).Waited(fact.At, ns);
        seconds.Ended(fact.At, ns, underWay.Count);
    }

    /// <summary>Advances the time to a moment of the stream, even without a request event.</summary>
    public void Listened(EventTime at)
    {
        See(at);
        seconds.UnderWay(at, underWay.Count);
    }

    /// <summary>Records lost events: the requests that threads run are unknown, and requests may have ended without an event.</summary>
    public void Lost(EventTime at)
    {
        unmatched += underWay.Count;
        underWay.Clear();
        threads.Clear();
        stretches.Clear();
        heard = at;
    }

    public RequestSnapshot Snapshot()
    {
        var open = underWay.Values.ToLookup(r => r.Route, r => r.At, StringComparer.Ordinal);
        return new()
        {
            Routes =
            [
                .. routes.Keys.Union(open.Select(o => o.Key)).Order(StringComparer.Ordinal).Select(route => new RouteDurations(
                    route, routes.TryGetValue(route, out var slices) ? slices.Snapshot() : [], [.. open[route].Order().Take(MostAges)],
                    Math.Max(0, open[route].Count() - MostAges))),
            ],
            Stretches =
            [
                .. stretches,
                .. threads.Where(t => t.Value.Begun is not null)
                    .Select(t => new RequestEventInterval(t.Key, new(t.Value.At, last), t.Value.Begun, null, null)),
            ],
            OverTime = seconds.Snapshot(),
            Unmatched = unmatched,
            Listened = new(opened ?? last, last),
        };
    }

    // The event reader limits the number of different routes, so the dictionary stays small.
    ItemSliceTracker Of(string route) => routes.TryGetValue(route, out var slices) ? slices : routes[route] = new();

    void Heard(int thread, Word now, string? ended, EventTime? since)
    {
        var before = threads.TryGetValue(thread, out var word) ? word : new(heard, null);
        if (now.At.MsSince(before.At) >= LeastStretchMs && (before.Begun ?? ended) is not null)
        {
            stretches.Add(new(thread, new(before.At, now.At), before.Begun, ended, since));
        }

        if (threads.Count >= MostThreads)
        {
            threads.Clear();
        }

        threads[thread] = now;
    }

    void See(EventTime at)
    {
        (opened, heard) = opened is null ? (at, at) : (opened, heard);
        last = at > last ? at : last;
    }

    // The last request event of a thread. Begun is the route if a request started, and null if one ended.
    readonly record struct Word(EventTime At, string? Begun);
}

/// <summary>Counts the requests of each second, for the newest quarter of an hour, which the screen can show.</summary>
sealed class RequestsPerSecond
{
    /// <summary>Maximum number of seconds kept: a quarter of an hour, like the timeline's buckets.</summary>
    const int Most = 900;

    const long Second = 1_000_000_000;

    readonly Recent<RequestPoint> closed = new(Most);
    long from = -1;
    long ended;
    int most;
    long slowestNs;

    public void UnderWay(EventTime at, int count)
    {
        AdvanceTo(at, count);
        most = Math.Max(most, count);
    }

    public void Ended(EventTime at, long nanoseconds, int left)
    {
        AdvanceTo(at, left + 1);
        most = Math.Max(most, left + 1);
        (ended, slowestNs) = (ended + 1, Math.Max(slowestNs, nanoseconds));
    }

    public ImmutableArray<RequestPoint> Snapshot() => from < 0 ? [] : [.. closed, Open()];

    // In seconds without an event, the number of running requests stays the same.
    void AdvanceTo(EventTime at, int underWay)
    {
        from = from < 0 ? at.Nanoseconds : from;
        for (var passed = 0; at.Nanoseconds - from >= Second; passed++)
        {
            closed.Add(Open());
            from += passed < Most ? Second : (at.Nanoseconds - from) / Second * Second;
            (ended, most, slowestNs) = (0, underWay, 0);
        }
    }

    RequestPoint Open() => new(new(new(from), new(from + Second)), ended, most, slowestNs / 1e6);
}

/// <summary>
/// Decides from the event rate when events of items, locks and requests cost too much. Uses only event time, so a replay decides the same.
/// </summary>
sealed class EventRateLimit(bool withStacks)
{
    /// <summary>
    /// Maximum number of events a second; an item has two. At the measured 0.18 µs per event, this rate takes an eighth of a processor. A
    /// reader decodes twice this rate, and a session with 190 thousand items a second lost no event.
    /// </summary>
    const double Most = 700_000;

    /// <summary>Maximum number of events a second if each event carries its stack: 1.6 µs per event, measured on .NET 8.</summary>
    const double MostWithStacks = 60_000;

    /// <summary>Time over which the rate is measured, milliseconds; a shorter peak ends before it slows the process.</summary>
    const double WindowMs = 1000;

    EventTime from;
    long told;

    /// <summary>Returns why the session with these events must stop, as text for the user; null while it may continue.</summary>
    public string? Look(SideStreamTracker tracker)
    {
        if (tracker.HasLost)
        {
            return $"{tracker.Subject} are no longer watched: events were lost, since they come faster than tpwatch can read them.";
        }

        if (from == default)
        {
            (from, told) = (tracker.Now, tracker.Told);
            return null;
        }

        var ms = tracker.Now.MsSince(from);
        if (ms < WindowMs)
        {
            return null;
        }

        var rate = (tracker.Told - told) * 1000 / ms;
        (from, told) = (tracker.Now, tracker.Told);
        return rate <= (withStacks ? MostWithStacks : Most) ? null
            : $"{tracker.Subject} are no longer watched: at {Format.Rate(rate / 2)} the events "
                + "would slow the process down too much. Everything measured until then stays.";
    }
}

static class DistributionBuilder
{
    /// <summary>Number of counting buckets in one reported bucket, which gives four reported buckets per octave.</summary>
    const int Together = 16;

    /// <param name="counts">Durations that are complete.</param>
    /// <param name="unmatched">Number of items of which only the start or the end was seen.</param>
    /// <param name="open">Durations that are not complete yet; null for none.</param>
    public static Distribution Of(DurationCounts counts, long unmatched, OpenDurations? open = null)
    {
        var known = new DurationsSoFar(counts, open ?? OpenDurations.None);
        var (p50, p90, p95) = (known.Next(0.5, LowerBounds.P50), known.Next(0.9, LowerBounds.P90), known.Next(0.95, LowerBounds.P95));
        var (p99, p999) = (known.Next(0.99, LowerBounds.P99), known.Next(0.999, LowerBounds.P999));
        return new(counts.Count, unmatched, p50, p90, p99, p999, known.Longest(),
            [.. counts.Filled.GroupBy(b => b.Index / Together).Select(Bucket)])
        {
            P95Ms = p95,
            Unfinished = known.Unfinished,
            AtLeast = known.AtLeast,
        };
    }

    static DistributionBucket Bucket(IGrouping<int, BucketCount> group) => new(
        DurationBuckets.FromNs(group.Key * Together) / 1e6,
        DurationBuckets.FromNs((group.Key + 1) * Together) / 1e6, group.Sum(b => b.Count));
}
