using Tpwatch.Basics;
using Tpwatch.Controls;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.World;

namespace Tpwatch.Watching;

/// <summary>What somebody must know before a session is opened in the target.</summary>
static class BeforeAttaching
{
    /// <summary>
    /// The last major version whose counters' interval is shared by everybody who listens, and stays lowered after we leave.
    /// </summary>
    public const int LastWithSharedInterval = 8;

    /// <summary>The last major version whose sessions cannot leave the stacks of their events out.</summary>
    const int LastWithStacks = 8;

    /// <summary>Says it.</summary>
    public static void Tell(ProcessRow target, WatchOptions options, CommandContext context)
    {
        if (target.RuntimeMajor is <= LastWithSharedInterval && options.Heartbeat is { } heartbeat)
        {
            context.Note(
                $"on .NET {target.RuntimeMajor} the counters' interval is shared: every other listener will get them at least every "
                + $"{Format.Duration(heartbeat.TotalMilliseconds)}, also after we leave",
                "--heartbeat off does without, and then neither backlog nor silent starvation can be known");
        }

        if (target.RuntimeMajor is <= LastWithStacks && options.Depth.HasFlag(CaptureDepth.Items))
        {
            context.Note(
                $"on .NET {target.RuntimeMajor} events of work items cannot leave their stacks out: a saturated pool gets "
                    + $"{DepthPrice.ItemsWithStacksShare} of its items done "
                + $"({DepthPrice.ItemsShare} on .NET 9 and later)",
                "--depth stacks tells what holds the workers without it");
        }
    }
}
