namespace Tpwatch.Recordings;

/// <summary>
/// Which events of a stream somebody looks at: of each provider certain ones, or all. A recording of everybody's making holds few of them.
/// </summary>
sealed class WantedEvents
{
    readonly Dictionary<string, Dictionary<int, int>?> providers;

    /// <summary>By provider the ids, each with the bytes that an event of it has at least; null is all of the provider.</summary>
    public WantedEvents(IEnumerable<KeyValuePair<string, IEnumerable<KeyValuePair<int, int>>?>> wanted) =>
        providers = wanted.ToDictionary(w => w.Key, w => w.Value?.ToDictionary(), StringComparer.OrdinalIgnoreCase);

    /// <summary>
    /// The bytes that an event has at least; null where it is not wanted. A name that differs in case alone is another provider of the same
    /// identity, and none is left out of it.
    /// </summary>
    public int? LeastOf(string provider, int id) => !providers.TryGetValue(provider, out var ids) ? null
        : ids is not null && ids.TryGetValue(id, out var least) ? least
        : ids is null || !providers.Keys.Contains(provider, StringComparer.Ordinal) ? 0
        : null;
}
