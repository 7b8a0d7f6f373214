namespace Tpwatch.Stacks;

/// <summary>
/// Stores equal stacks once. During starvation a thousand worker threads can be in one call: with separate frames for each thread, ten
/// minutes of bursts took a gigabyte.
/// </summary>
sealed class SharedFrames : IEqualityComparer<ImmutableArray<string>>
{
    readonly Dictionary<ImmutableArray<string>, ImmutableArray<string>> known;

    public SharedFrames() => known = new(this);

    /// <summary>Returns the stored instance of equal frames.</summary>
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
