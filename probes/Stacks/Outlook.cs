using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>
/// Whether what the workers wait for is under way somewhere, or with no thread: in the queue behind them, or with a timer
/// or a socket that wakes none before it is due.
/// </summary>
static class Outlook
{
    public static WaitsFor Of(BurstSamples burst)
    {
        var shapes = burst.Stacks.Select(s => StackShape.Of(s)).ToArray();
        var held = shapes.Where(s => s.IsAtWork).ToArray();
        if (held.Length == 0)
        {
            return WaitsFor.Unknown;
        }

        if (held.Any(IsUnderWay))
        {
            return WaitsFor.Outside;
        }

        return IsElsewhere(burst) || held.Any(s => s.Kind == BlockKind.Lock) ? WaitsFor.Unknown : WaitsFor.QueuedItems;
    }

    // A thread of the program's own that computes, reads or waits for another machine may be about to end the wait. What it does
    // in most of its samples counts: one that looks at a clock every few milliseconds is caught awake now and then.
    static bool IsElsewhere(BurstSamples burst) => burst.Stacks
        .GroupBy(s => s.ThreadId)
        .Select(of => StackShape.Of(of.MaxBy(s => s.Samples)!))
        .Any(s => !s.IsWorker && s.HasUserCode && IsUnderWay(s) && s.Kind != BlockKind.Sleep);

    static bool IsUnderWay(StackShape shape) => shape.Kind is BlockKind.Sleep or BlockKind.Io or BlockKind.Native
        or BlockKind.Unseen or BlockKind.Cpu;
}
