namespace Tpwatch.Stacks;

/// <summary>
/// Keeps stacks that are alike once. In starvation a thousand workers stand in one call: with frames of its own for each of them, ten
/// minutes of bursts took a gigabyte.
/// </summary>
sealed class SharedFrames : IEqualityComparer<ImmutableArray<string>>
{
    readonly Dictionary<ImmutableArray<string>, ImmutableArray<string>> known;

    public SharedFrames() => known = new(this);

    /// <summary>The frames that came first of those that read the same.</summary>
    public ImmutableArray<string> Of(ImmutableArray<string> frames)
    {
        known.TryAdd(frames, frames);
        return known[frames];
    }

    public bool Equals(ImmutableArray<string> x, ImmutableArray<string> y) => x.AsSpan().SequenceEqual(y.AsSpan());

    public int GetHashCode(ImmutableArray<string> obj)
    {
        var hash = default(HashCode);
        foreach (var frame in obj)
        {
            hash.Add(frame, StringComparer.Ordinal);
        }

        return hash.ToHashCode();
    }
}
