using Tpwatch.Reports;

namespace Tpwatch.Stacks.Holders;

/// <summary>What a reading of the memory knows of what calls wait for, and stacks do not show.</summary>
static class ReadResources
{
    /// <summary>The places with what the newest reading says of the waits in them; as they are where there is none.</summary>
    public static ImmutableArray<Blocker> AddTo(ImmutableArray<Blocker> blockers, StacksSeen seen) =>
        seen.Readings is [.., var newest] ? [.. blockers.Select(b => AddTo(b, newest))] : blockers;

    static Blocker AddTo(Blocker blocker, InsideReading reading)
    {
        var there = reading.Waits.Where(w => w.Workers > 0 && w.Frame == blocker.Brief && w.Call == (blocker.Call ?? "")).ToArray();
        if (there.MaxBy(w => w.Workers) is not { } most)
        {
            return blocker;
        }

        return blocker with { Resource = Of(blocker.Resource, most, reading), Limit = there.Max(w => w.Limit) };
    }

    // Whoever has the semaphore may wait for a worker thread itself; then one cures both.
    static Resource Of(Resource resource, InsideWait wait, InsideReading reading) => (resource, wait.End) switch
    {
        (Resource.Task, WaitEnd.Channel) when wait.Chain is [.., "ChannelWriter"] => Resource.ChannelSpace,
        (Resource.Task, WaitEnd.Semaphore) when !reading.Waits.Any(w => w.NeedsWorker()) => Resource.Semaphore,
        (Resource.Event or Resource.Unseen, WaitEnd.Mutex) => Resource.Mutex,
        _ => resource,
    };
}
