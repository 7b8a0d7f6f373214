using Tpwatch.Diagnosis;
using Tpwatch.Sessions;

namespace Tpwatch.Watch;

/// <summary>
/// Finds that a pool is mute: nothing will tell whether items wait, so stacks are the only look at its threads that there is.
/// </summary>
sealed class MuteLook(LiveSession session, TimeProvider time)
{
    /// <summary>Two counter samples would have come by then, and what the runtime tells first long before.</summary>
    static readonly TimeSpan SureAfter = TimeSpan.FromSeconds(3);

    /// <summary>How often to look again: no news wakes anybody then.</summary>
    public static readonly TimeSpan Again = TimeSpan.FromSeconds(1);

    readonly long begun = time.GetTimestamp();

    /// <summary>Whether nothing of the pool has come yet.</summary>
    public static bool MayBe(Observation now) => MutePool.Is(now.Timeline);

    /// <summary>Whether it is so for good, and its threads can be seen: a runtime that waits at its start has no worker.</summary>
    public bool IsSure(Observation now) =>
        MayBe(now) && time.GetElapsedTime(begun) >= SureAfter && session.WorkersByName().Count > 0;
}
