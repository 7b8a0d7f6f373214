using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>An open session with the probes that it was opened for.</summary>
sealed record Opening(ISession Session, ProbeSet Basic, DeepProbes? Deep)
{
    /// <summary>Remarks about the recording or the runtime for readers of the report, one sentence each.</summary>
    public IEnumerable<string> Remarks =>
    [
        .. (Session as RecordedSession)?.Remarks ?? [],
        .. Runtimes.AreUnverified(Session.Target) ? [Runtimes.Remark(Session.Target)] : Array.Empty<string>(),
    ];

    /// <summary>Opens a session with the events that the probes need, once the target's runtime is known.</summary>
    public static async Task<Opening> OfAsync(Func<Func<TargetFacts, SessionPlan>, Task<LiveSession>> open, WatchOptions options)
    {
        (ProbeSet Basic, DeepProbes? Deep)? probes = null;
        var session = await open(facts =>
        {
            var (basic, deep) = (ProbeSet.Basic(facts.RuntimeMajor, options.CounterSample), DeepProbes.For(options, facts.RuntimeMajor));
            probes = (basic, deep);
            return SessionNeeds.Plan(basic, deep?.Probes, options.Depth);
        }).ConfigureAwait(false);
        return new(session, probes!.Value.Basic, probes.Value.Deep);
    }
}
