using Tpwatch.Attach.Sessions;
using Tpwatch.Events;
using Tpwatch.Reports;
using Tpwatch.Streams;

namespace Tpwatch.Capture;

/// <summary>A live session with the probes that it was opened for.</summary>
sealed record Opening(ISession Session, ProbeSet Basic, DeepProbes? Deep)
{
    /// <summary>Asks for what the probes need, once the target's runtime is known.</summary>
    public static async Task<Opening> OfAsync(Func<Func<TargetFacts, SessionPlan>, Task<LiveSession>> open, WatchOptions options)
    {
        (ProbeSet Basic, DeepProbes? Deep)? probes = null;
        var session = await open(facts =>
        {
            var (basic, deep) = (ProbeSet.Basic(facts.RuntimeMajor, options.Heartbeat), DeepProbes.For(options, facts.RuntimeMajor));
            probes = (basic, deep);
            return SessionNeeds.Plan(basic, deep?.Probes, options.Depth);
        }).ConfigureAwait(false);
        return new(session, probes!.Value.Basic, probes.Value.Deep);
    }
}
