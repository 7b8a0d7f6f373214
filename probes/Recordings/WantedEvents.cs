namespace Tpwatch.Recordings;

/// <summary>
/// The events of a stream that a reader uses: certain events of each provider, or all. A recording by another tool has few of them.
/// </summary>
sealed class WantedEvents
{
    readonly Dictionary<string, Dictionary<int, int>?> providers;

    /// <summary>
    /// The wanted event ids for each provider, each with the minimum payload length of the event in bytes; null means all of the provider.
    /// </summary>
    public WantedEvents(IEnumerable<KeyValuePair<string, IEnumerable<KeyValuePair<int, int>>?>> wanted) =>
        providers = wanted.ToDictionary(w => w.Key, w => w.Value?.ToDictionary(), StringComparer.OrdinalIgnoreCase);

    /// <summary>
    /// The minimum payload length of an event in bytes; null if it is not wanted. A provider whose name differs only in case is another
    /// provider with the same identity; all its events are wanted.
    /// </summary>
    public int? LeastOf(string provider, int id) => !providers.TryGetValue(provider, out var ids) ? null
        : ids is not null && ids.TryGetValue(id, out var least) ? least
        : ids is null || !providers.Keys.Contains(provider, StringComparer.Ordinal) ? 0
        : null;
}
