using Tpwatch.Options;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Writes notes about side effects before tpwatch opens a session in the target.</summary>
static class BeforeAttaching
{
    /// <summary>
    /// The last major version of .NET with one counter interval for all listening tools; a lowered interval stays after tpwatch exits.
    /// </summary>
    public const int LastWithSharedInterval = 8;

    /// <summary>The last major version of .NET in which a session cannot leave out the stacks of events.</summary>
    const int LastWithStacks = 8;

    public static void Tell(ProcessRow target, WatchOptions options, CommandContext context)
    {
        if (target.RuntimeMajor is <= LastWithSharedInterval && options.CounterSample is { } counterSample)
        {
            context.Note(
                $"on .NET {target.RuntimeMajor} all tools share one counter interval: others get samples at least every "
                + $"{Format.Duration(counterSample.TotalMilliseconds)}, even after tpwatch exits",
                "with --heartbeat off tpwatch does not change the interval, but knows neither the queue length nor undetected starvation");
        }

        if (target.RuntimeMajor is <= LastWithStacks && options.Depth.HasFlag(CaptureDepth.Items))
        {
            context.Note(
                $"on .NET {target.RuntimeMajor} work item events carry stacks: a saturated process keeps "
                    + $"{DepthPrice.ItemsWithStacksShare} of its throughput ({DepthPrice.ItemsShare} on newer versions)",
                "--depth stacks shows the blocking call, at less cost");
        }
    }
}
