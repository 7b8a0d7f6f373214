using Tpwatch.Reports;

namespace Tpwatch.Items;

/// <summary>The newest stretches of threads that are long enough for a burst of stacks to see them.</summary>
sealed class StretchTracker
{
    /// <summary>At 200 that end a second, each a tenth of a second or more, minutes.</summary>
    const int Most = 16_384;

    /// <summary>Shorter ones hold no worker, milliseconds.</summary>
    const double LeastMs = 2;

    readonly Queue<ThreadStretch> kept = new();

    public void Add(in ThreadStretch stretch)
    {
        if (stretch.Span.Ms < LeastMs || (stretch.Begun is null && stretch.Ended is null))
        {
            return;
        }

        if (kept.Count == Most)
        {
            kept.Dequeue();
        }

        kept.Enqueue(stretch);
    }

    public void Clear() => kept.Clear();

    public ImmutableArray<ThreadStretch> Snapshot(IEnumerable<ThreadStretch> open) => [.. kept, .. open.Where(s => s.Begun is not null)];
}
