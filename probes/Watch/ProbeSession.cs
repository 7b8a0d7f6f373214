using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>An open session with the probes that decode its first stream, and its second stream if there is one.</summary>
sealed record ProbeSession(ISession Session, ProbeSet Basic, SideStreamProbes? Deep)
{
    /// <summary>Remarks for the report about the recording or the runtime, one sentence each.</summary>
    public IEnumerable<string> Remarks =>
    [
        .. (Session as RecordedSession)?.Remarks ?? [],
        .. Runtimes.AreUnverified(Session.Target) ? [Runtimes.Remark(Session.Target)] : Array.Empty<string>(),
    ];

    /// <summary>Opens a session with the events that the probes need, which depend on the version of the target's runtime.</summary>
    public static async Task<ProbeSession> OfAsync(Func<Func<TargetFacts, SessionPlan>, Task<LiveSession>> open, WatchOptions options)
    {
        (ProbeSet Basic, SideStreamProbes? Deep)? probes = null;
        var session = await open(facts =>
        {
            var (basic, deep) = (ProbeSet.Basic(facts.RuntimeMajor, options.CounterSample),
                SideStreamProbes.For(options, facts.RuntimeMajor));
            probes = (basic, deep);
            return SessionNeeds.Plan(basic, deep?.Probes, options.Depth);
        }).ConfigureAwait(false);
        return new(session, probes!.Value.Basic, probes.Value.Deep);
    }
}

/// <summary>Describes a live target that sends no data.</summary>
/// <param name="For">The time without data.</param>
/// <param name="Stopped">Whether the process is stopped by a signal, a debugger or a frozen control group; null when unknown.</param>
public sealed record TargetSilence(TimeSpan For, bool? Stopped)
{
    /// <summary>Number of missing counter samples before silence is reported; on a loaded machine, one or two may be late.</summary>
    const int MissedSamples = 3;

    /// <summary>Number of newest counter samples whose shortest interval counts as the current interval.</summary>
    const int RecentSamples = 3;

    /// <summary>Time without data after which a stopped process is reported. Other silence is reported later.</summary>
    static readonly TimeSpan StoppedFor = TimeSpan.FromSeconds(2);

    /// <summary>Returns the state in words: <c>no data for 5.0 s; the process is stopped (T)</c>.</summary>
    public override string ToString() => $"no data {Since}";

    /// <summary>The state in words, without "no data".</summary>
    internal string Since => $"for {Format.Duration(For.TotalMilliseconds)}" + Stopped switch
    {
        true => "; the process is stopped (T)",
        false => "; the process is not stopped, but sends no counter samples",
        null => "",
    };

    /// <summary>
    /// Returns the interval of counter samples; null if none are requested. Another listener may have imposed a longer interval. If the
    /// runtime does not report that one, the shortest recent interval counts: during longer ones, the process may have been stopped.
    /// </summary>
    internal static TimeSpan? Due(TimeSpan? asked, TimelineSnapshot seen)
    {
        var held = seen.ImposedIntervalMs ?? seen.CounterSamples.TakeLast(RecentSamples).Min(b => b.IntervalMs) ?? 0;
        return asked is { } interval ? TimeSpan.FromMilliseconds(Math.Max(interval.TotalMilliseconds, held)) : null;
    }

    /// <summary>
    /// Returns the silence to report, or null. Without counter samples, a quiet target sends nothing for hours, so only a stop is reported.
    /// </summary>
    internal static TargetSilence? Of(TimeSpan silence, bool? stopped, TimeSpan? counterSample) =>
        (stopped == true && silence >= StoppedFor) || (counterSample is { } sample && silence >= MissedSamples * sample + StoppedFor)
            ? new(silence, stopped)
            : null;
}
