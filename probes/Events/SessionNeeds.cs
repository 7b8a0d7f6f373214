using System.Collections.Immutable;
using System.Diagnostics.Tracing;
using Tpwatch.Attach;

namespace Tpwatch.Events;

/// <summary>What a set of probes needs switched on, as a plan for a session.</summary>
static class SessionNeeds
{
    public static SessionPlan Plan(ProbeSet probes) =>
        new([.. probes.Needs().Select(n => new PlannedProvider(n.Provider, (EventLevel)n.Level, n.Keywords, Arguments(n)))]);

    static ImmutableSortedDictionary<string, string>? Arguments(ProviderNeed need) =>
        need.Arguments.Count == 0 ? null : need.Arguments.ToImmutableSortedDictionary(StringComparer.Ordinal);
}
