using System.Diagnostics.Tracing;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.Events;

/// <summary>Converts the needs of a set of probes to a session plan.</summary>
static class SessionNeeds
{
    /// <summary>Megabytes: two seconds of the highest rate that the flood guard allows; the target allocates only what it needs.</summary>
    const int FloodBufferMb = 128;

    public static SessionPlan Plan(ProbeSet probes) =>
        new([.. probes.Needs().Select(n => new PlannedProvider(n.Provider, (EventLevel)n.Level, n.Keywords, Arguments(n)))]);

    /// <summary>Plans a session and, for events that may come in floods, a second one alongside it.</summary>
    public static SessionPlan Plan(ProbeSet probes, ProbeSet? deep, CaptureDepth depth)
    {
        var plan = Plan(probes) with { Depth = depth, Side = deep is null ? null : Side(deep) };
        return plan with
        {
            AtStart = !plan.Providers.Any(IsCounters) ? null
                : WithoutCounters(plan) with { Side = plan.Side is { } second ? WithoutCounters(second) : null },
        };
    }

    /// <summary>Plans a second session alone.</summary>
    public static SessionPlan Side(ProbeSet deep) => Plan(deep) with { BufferMb = FloodBufferMb };

    static SessionPlan WithoutCounters(SessionPlan plan) => plan with { Providers = [.. plan.Providers.Where(p => !IsCounters(p))] };

    static bool IsCounters(PlannedProvider provider) => provider.Name is SettingsProbe.Provider or MeterSampleProbe.Provider;

    static ImmutableSortedDictionary<string, string>? Arguments(ProviderNeed need) =>
        need.Arguments.Count == 0 ? null : need.Arguments.ToImmutableSortedDictionary(StringComparer.Ordinal);
}
