using System.Collections.Frozen;

namespace Tpwatch.Streams;

/// <summary>
/// Which events of a stream somebody looks at: of each provider certain ones, or all. A recording of everybody's making holds few of them.
/// </summary>
sealed class WantedEvents
{
    readonly FrozenDictionary<string, FrozenSet<int>?> providers;

    /// <summary>Ids by provider; null is all of it.</summary>
    public WantedEvents(IEnumerable<KeyValuePair<string, IEnumerable<int>?>> wanted) =>
        providers = wanted.ToFrozenDictionary(w => w.Key, w => w.Value?.ToFrozenSet(), StringComparer.OrdinalIgnoreCase);

    /// <summary>
    /// Whether it is one of them. A name that differs in case alone is another provider of the same identity, and none is left out of it.
    /// </summary>
    public bool Includes(string provider, int id) => providers.TryGetValue(provider, out var ids)
        && (ids is null || ids.Contains(id) || !IsSpelled(provider));

    bool IsSpelled(string provider) => providers.Keys.Contains(provider, StringComparer.Ordinal);
}
