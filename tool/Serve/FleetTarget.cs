using Tpwatch.Options;
using Tpwatch.Text;
using Tpwatch.Watch;

namespace Tpwatch.Serve;

/// <summary>One process that is watched: looks, counts, and knows since when the verdict of the moment is. Not for two threads.</summary>
sealed class FleetTarget : IDisposable
{
    /// <summary>
    /// What a watch holds grows for four hours, and two hundred of them must fit: it is replaced by a fresh one after so long, once the
    /// process is calm, and after twice as long in any case. Counters go on; the report begins anew.
    /// </summary>
    const double RenewMs = 1_800_000;

    /// <summary>Without an episode the verdict is of the last minute, or up to two; a compensation of an hour ago is not now.</summary>
    const double MinuteMs = 60_000;

    const int LongestName = 64;

    readonly TargetMeter? meter;
    volatile IWatch? watch;
    volatile TargetState? last;
    TargetTally tally = TargetTally.None;
    TimelineSnapshot? since;
    TimelineSnapshot? next;
    bool wasOpen;

    public FleetTarget(
        ProcessRow row, IWatch first, TargetLabels labels, IEnumerable<FleetTarget> others, FleetMetrics? metrics = null)
    {
        (Row, watch, Labels, Page) = (row, first, labels, Unused(PageOf(row), others));
        meter = metrics?.Add(labels, () => last);
    }

    public ProcessRow Row { get; }

    /// <summary>Its observation; null while it is being replaced.</summary>
    public IWatch? Watch => watch;

    /// <summary>Whether its watch is to be replaced by a fresh one.</summary>
    public bool IsDue => watch is not null && last is { Glance.Timeline: var seen, Open: var open, Silence: null }
        && seen.Now.MsSince(seen.Start) >= (open is null ? RenewMs : 2 * RenewMs);

    /// <summary>What its series are told by.</summary>
    public TargetLabels Labels { get; }

    /// <summary>The name of its page: letters that need no escape in an address.</summary>
    public string Page { get; }

    /// <summary>Looks once; null where nothing can be seen. While the watch is being replaced the last look stands.</summary>
    public TargetState? Look()
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
        return last = new(Row.Name, Labels, Row.Pid, Page, tally) { Glance = glance, Silence = now.Silence, Container = Row.Container };
    }

    /// <summary>Gives its watch away, to be ended.</summary>
    public IWatch Rest()
    {
        var old = watch!;
        watch = null;
        return old;
    }

    /// <summary>Ends its series.</summary>
    public void Dispose() => meter?.Dispose();

    /// <summary>Goes on with a fresh watch.</summary>
    public void Resume(IWatch fresh) => (watch, since, next, wasOpen, tally) = (fresh, null, null, false, tally.ForNewWatch());

    // What waited in an episode does not count for the time after it.
    void Remember(PoolGlance glance)
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

    // Only its sums are asked for.
    static TimelineSnapshot Slim(TimelineSnapshot seen) => seen with { CounterSamples = [], WorkerMoments = [], Hindrances = [] };

    // Two containers may each have a process of that name and number.
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
