namespace Tpwatch.Events;

/// <summary>The provider settings that a probe needs in the target: level, keywords and arguments.</summary>
/// <param name="Provider">Provider name.</param>
/// <param name="Level">Event level; 4 is Informational.</param>
/// <param name="Keywords">Keyword mask.</param>
/// <param name="Arguments">Filter arguments, name to value.</param>
sealed record ProviderNeed(string Provider, int Level, long Keywords, IReadOnlyDictionary<string, string> Arguments)
{
    /// <summary>Event level Informational.</summary>
    public const int Informational = 4;

    /// <summary>A provider without arguments.</summary>
    public ProviderNeed(string provider, int level, long keywords)
        : this(provider, level, keywords, new Dictionary<string, string>())
    {
    }
}
