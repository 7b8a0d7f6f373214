using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>What a reading of the memory knows of what calls wait for, and stacks do not show.</summary>
static class ReadResources
{
    /// <summary>A wait that is known of fewer than one in so many does not speak for its place.</summary>
    const int Most = 3;

    /// <summary>The places with what the newest reading says of the waits in them; as they are where there is none.</summary>
    public static ImmutableArray<Blocker> AddTo(ImmutableArray<Blocker> blockers, StacksSeen seen) =>
        seen.Readings is [.., var newest] ? [.. blockers.Select(b => AddTo(b, newest))] : blockers;

    static Blocker AddTo(Blocker blocker, InsideReading reading)
    {
        var there = reading.Waits.Where(w => w.Workers > 0 && w.Frame == blocker.Brief && w.Call == (blocker.Call ?? "")).ToArray();

        // Of threads at one place some were read in the middle of something; the others say what it is.
        return there.Where(w => w.End != WaitEnd.Unknown).MaxBy(w => w.Workers) is { } most
            && most.Workers * Most >= there.Sum(w => w.Workers)
            ? Told(blocker, Of(blocker.Resource, most, reading)) with { Limit = there.Max(w => w.Limit) }
            : blocker with { Limit = there.Max(w => w.Limit) };
    }

    // The share of the place's other waits stays as it was.
    static Blocker Told(Blocker blocker, Resource resource) => blocker with
    {
        Resource = resource,
        Waits = [.. blocker.Waits.Select(w => w.Resource == blocker.Resource ? w with { Resource = resource } : w)],
    };

    // Whoever has the semaphore may wait for a worker thread itself; then one cures both.
    static Resource Of(Resource resource, InsideWait wait, InsideReading reading) => (resource, wait.End) switch
    {
        (Resource.Task, WaitEnd.Channel) when wait.Chain is [.., "ChannelWriter"] => Resource.ChannelSpace,
        (Resource.Task, WaitEnd.Semaphore) when !reading.Waits.Any(w => w.NeedsWorker()) => Resource.Semaphore,
        (Resource.Event or Resource.Unseen, WaitEnd.Mutex) => Resource.Mutex,
        _ => resource,
    };
}
