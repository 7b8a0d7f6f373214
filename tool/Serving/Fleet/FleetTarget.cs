using System.Globalization;
using Tpwatch.Capture;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.Serving.Metrics;
using Tpwatch.World;

namespace Tpwatch.Serving.Fleet;

/// <summary>One process that is watched: looks, counts, and knows since when the verdict of the moment is. Not for two threads.</summary>
sealed class FleetTarget(ProcessRow row, IWatch watch, TargetLabels labels)
{
    /// <summary>Without an episode the verdict is of the last minute, or up to two; a compensation of an hour ago is not now.</summary>
    const double MinuteMs = 60_000;

    const int LongestName = 64;

    readonly string series = labels.Text;
    TargetTally tally = TargetTally.None;
    TimelineSnapshot? since;
    TimelineSnapshot? next;
    bool wasOpen;

    /// <summary>The process.</summary>
    public ProcessRow Row => row;

    /// <summary>Its observation.</summary>
    public IWatch Watch => watch;

    /// <summary>What its series are told by.</summary>
    public TargetLabels Labels => labels;

    /// <summary>The name of its page: letters that need no escape in an address.</summary>
    public string Page { get; } = PageOf(row);

    /// <summary>Looks once; null where nothing can be seen.</summary>
    public TargetState? Look()
    {
        if (watch.Glance(since) is not { } glance)
        {
            return null;
        }

        tally = tally.With(glance);
        Remember(glance);
        return new(row.Name, series, row.Pid, Page, tally) { Glance = glance, Silence = watch.Silence, Container = row.Container };
    }

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
    static TimelineSnapshot Slim(TimelineSnapshot seen) => seen with { Heartbeats = [], WorkerMoments = [], Hindrances = [] };

    static string PageOf(ProcessRow row)
    {
        var letters = row.Name.Take(LongestName).Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '.' ? c : '_').ToArray();
        var name = string.Join('.', new string(letters).Split('.', StringSplitOptions.RemoveEmptyEntries));
        return string.Create(CultureInfo.InvariantCulture, $"{name}-{row.Pid}");
    }
}
