using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>
/// Own code that is blocked on threads outside the pool: the finalizer thread, the thread that serves sockets, a library's, one that the
/// program started. At every look that saw the thread since, at the same place.
/// </summary>
static class OutsideThreads
{
    /// <summary>Places that are told.</summary>
    const int Most = 5;

    /// <summary>
    /// A thread that a program starts itself sleeps, reads and waits for work by design; deadlocks consist of waits for tasks and locks.
    /// </summary>
    static readonly BlockKind[] OfOwnThreads = [BlockKind.Task, BlockKind.Lock];

    /// <summary>Who lends its thread for a moment is held up by any wait.</summary>
    static readonly BlockKind[] OfLentThreads = [BlockKind.Task, BlockKind.Lock, BlockKind.Wait, BlockKind.Sleep, BlockKind.Io];

    /// <summary>The places, those of most threads first.</summary>
    public static ImmutableArray<OutsideThread> Of(StacksSeen seen) => seen.Bursts is not [.. var earlier, var last] ? [] :
    [
        .. Blocked(last, seen.Own).Select(one => (one.Shape, Since: Since(one, [.. earlier], last.At, seen.Own)))
            .Where(one => one.Since < last.At || earlier.IsEmpty)
            .GroupBy(one => (one.Shape.Chain, one.Shape.Home, one.Shape.HomeName))
            .Select(alike => new OutsideThread(alike.Key.Chain, alike.First().Shape.Kind, alike.Key.Home, alike.Key.HomeName, alike.Count(),
                new(alike.Min(one => one.Since), last.At)))
            .OrderByDescending(one => one.Threads).ThenBy(one => one.Chain, StringComparer.Ordinal).Take(Most),
    ];

    // From when on each look has seen it there.
    static EventTime Since(Seated one, BurstSamples[] earlier, EventTime newest, ImmutableHashSet<string>? own)
    {
        var since = newest;
        foreach (var burst in earlier.Reverse())
        {
            if (!Blocked(burst, own).Any(then => then.Thread == one.Thread && then.Shape.Chain == one.Shape.Chain))
            {
                break;
            }

            since = burst.At;
        }

        return since;
    }

    static IEnumerable<Seated> Blocked(BurstSamples burst, ImmutableHashSet<string>? own) => burst.Stacks
        .GroupBy(s => s.ThreadId)
        .Select(of => new Seated(of.Key, StackShape.Of(of.MaxBy(s => s.Samples)!, own)))
        .Where(one => IsBlocked(one.Shape));

    static bool IsBlocked(StackShape shape) => shape is { Home: not ThreadHome.Pool, HasOwnCode: true, IsWaitingForWork: false }
        && (shape.Home is ThreadHome.Program or ThreadHome.Main ? OfOwnThreads : OfLentThreads).Contains(shape.Kind)
        && (shape.Home != ThreadHome.Main || shape.Kind == BlockKind.Lock || shape.OwnDepth > StackShape.DepthOfMain);

    sealed record Seated(int Thread, StackShape Shape);
}
