using Tpwatch.Options;
using Tpwatch.Text;
using Tpwatch.Watch;

namespace Tpwatch.Serve;

/// <summary>One watched process: its session, its counters and the period of its current verdict. Not thread-safe.</summary>
sealed class FleetTarget : IDisposable
{
    /// <summary>
    /// Age in milliseconds at which a session is replaced: the memory of a session grows for four hours, and two hundred sessions must fit.
    /// During an episode, the session is replaced at twice this age. After the replacement, counters continue and the report starts again.
    /// </summary>
    const double RenewMs = 1_800_000;

    /// <summary>Time between two kept snapshots, ms. Outside of episodes, the verdict covers the last one to two such periods.</summary>
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

    /// <summary>The session; null while the session is being replaced.</summary>
    public IWatch? Watch => watch;

    /// <summary>Whether the session is old enough to be replaced.</summary>
    public bool IsDue => watch is not null && last is { Glance.Timeline: var seen, Open: var open, Silence: null }
        && seen.Now.MsSince(seen.Start) >= (open is null ? RenewMs : 2 * RenewMs);

    /// <summary>The labels of the process's metric series.</summary>
    public TargetLabels Labels { get; }

    /// <summary>Name of the process's HTTP page, with only characters that need no escape in a URL.</summary>
    public string Page { get; }

    /// <summary>Returns the new state of the process: null before the first data, the last state while its session is replaced.</summary>
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

    /// <summary>Removes the session from this object, and returns it for the caller to end.</summary>
    public IWatch Rest()
    {
        var old = watch!;
        watch = null;
        return old;
    }

    /// <summary>Ends the metric series of the process.</summary>
    public void Dispose() => meter?.Dispose();

    /// <summary>Continues with a new session.</summary>
    public void Resume(IWatch fresh) => (watch, since, next, wasOpen, tally) = (fresh, null, null, false, tally.ForNewWatch());

    // The verdict after an episode starts at the episode's end, so that waits within the episode do not count.
    void Remember(PoolGlance glance)
    {
        var isOpen = glance.Episodes.Any(e => !e.Over);
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

    // Drops the lists of an old snapshot, of which only the totals are used.
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
