using Tpwatch.Events;
using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>Pairs beginnings and ends of requests by their id, and keeps what is needed to say whose request a thread runs.</summary>
sealed class RequestTracker
{
    /// <summary>More requests at once are counted and not followed.</summary>
    const int MostUnderWay = 16_384;

    const int MostThreads = 4_096;

    /// <summary>Their ages are part of a route's distribution; of more the rest is left out.</summary>
    const int MostAges = 500;

    readonly Dictionary<ulong, RequestStarted> underWay = [];
    readonly Dictionary<int, Word> threads = [];
    readonly Dictionary<string, SliceTracker> routes = new(StringComparer.Ordinal);
    readonly StretchTracker stretches = new();
    readonly RequestSeconds seconds = new();
    long unmatched;
    EventTime? opened;
    EventTime heard;
    EventTime last;

    /// <summary>The session begins; what lasts by then is not known.</summary>
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

    /// <summary>The stream has come so far, whether or not there were requests.</summary>
    public void Listened(EventTime at)
    {
        See(at);
        seconds.UnderWay(at, underWay.Count);
    }

    /// <summary>Events were lost: whose request a thread runs is not known, and some may have ended without a word.</summary>
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
                .. routes.Keys.Union(open.Select(o => o.Key)).Order(StringComparer.Ordinal).Select(route => new RouteSeen(
                    route, routes.TryGetValue(route, out var slices) ? slices.Snapshot() : [], [.. open[route].Order().Take(MostAges)],
                    Math.Max(0, open[route].Count() - MostAges))),
            ],
            Stretches = stretches.Snapshot(threads.Select(t => new ThreadStretch(t.Key, new(t.Value.At, last), t.Value.Begun, null, null))),
            OverTime = seconds.Snapshot(),
            Unmatched = unmatched,
            Listened = new(opened ?? last, last),
        };
    }

    // Routes are bounded by who names them.
    SliceTracker Of(string route)
    {
        if (!routes.TryGetValue(route, out var slices))
        {
            routes[route] = slices = new();
        }

        return slices;
    }

    void Heard(int thread, Word now, string? ended, EventTime? since)
    {
        var before = threads.TryGetValue(thread, out var word) ? word : new(heard, null);
        stretches.Add(new(thread, new(before.At, now.At), before.Begun, ended, since));
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

    // The last word about requests on a thread: the route of one that began, null when one ended.
    readonly record struct Word(EventTime At, string? Begun);
}
