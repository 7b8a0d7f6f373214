using Tpwatch.Reports;

namespace Tpwatch.Watch;

/// <summary>A live target from which nothing comes.</summary>
/// <param name="For">For how long.</param>
/// <param name="Stopped">Whether the process is stopped, by a signal, a debugger or a frozen group; null where that cannot be seen.</param>
public sealed record TargetSilence(TimeSpan For, bool? Stopped)
{
    /// <summary>Heartbeats that are missing before it is worth a word; on a loaded machine one comes late.</summary>
    const int MissedBeats = 3;

    /// <summary>So many heartbeats tell at which interval they come.</summary>
    const int RecentBeats = 3;

    /// <summary>A process that is stopped is told sooner: nothing will come.</summary>
    static readonly TimeSpan StoppedFor = TimeSpan.FromSeconds(2);

    /// <summary>In words: <c>no data for 5.0 s; the process is stopped (T)</c>.</summary>
    public override string ToString() => $"no data for {Format.Duration(For.TotalMilliseconds)}" + Stopped switch
    {
        true => "; the process is stopped (T)",
        false => "; the process is not stopped, but sends no counter samples",
        null => "",
    };

    /// <summary>
    /// The interval at which heartbeats come: not before the one asked for, and later where another listener was there first. The runtime
    /// says its interval; where it does not, the shortest of the last few is it, since one may be long because the process stood still.
    /// </summary>
    internal static TimeSpan? Due(TimeSpan? asked, TimelineSnapshot seen)
    {
        var held = seen.ImposedHeartbeatMs ?? seen.Heartbeats.TakeLast(RecentBeats).Min(b => b.IntervalMs) ?? 0;
        return asked is { } interval ? TimeSpan.FromMilliseconds(Math.Max(interval.TotalMilliseconds, held)) : null;
    }

    /// <summary>Without heartbeats a quiet target says nothing for hours; then only a stop is worth telling.</summary>
    internal static TargetSilence? Of(TimeSpan silence, bool? stopped, TimeSpan? heartbeat) =>
        (stopped == true && silence >= StoppedFor) || (heartbeat is { } beat && silence >= MissedBeats * beat + StoppedFor)
            ? new(silence, stopped)
            : null;
}
