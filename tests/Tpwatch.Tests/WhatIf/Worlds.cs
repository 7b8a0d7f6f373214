using Tpwatch.Core;
using Tpwatch.Pool;
using Tpwatch.WhatIf;

namespace Tpwatch.Tests.WhatIf;

/// <summary>Imagined runs that several tests look at.</summary>
static class Worlds
{
    /// <summary>Far more items than any policy starts in the time looked at.</summary>
    const int Endless = 700;

    public static EventTime At(double ms) => new EventTime(0).PlusMs(ms);

    /// <summary>All workers are held for ever from the first moment on, and the queue is never empty.</summary>
    public static SimulationResult HeldForEver(
        IInjectionPolicy policy, PoolSettings pool, Hold hold, double startMs = GateTiming.InjectionToDequeue)
    {
        var item = hold switch
        {
            Hold.Unseen => new SimulatedItem(At(0), 0, double.PositiveInfinity),
            Hold.TaskWait => new SimulatedItem(At(0), 0, double.PositiveInfinity, Blocking.TaskWait),
            _ => new SimulatedItem(At(0), double.PositiveInfinity, 0),
        };
        return PoolSimulator.Of(policy, new(pool, At(121_000)) { StartMs = startMs }, [.. Enumerable.Repeat(item, Endless)]);
    }

    /// <summary>Workers at each of these seconds.</summary>
    public static int WorkersAt(this SimulationResult result, EventTime at) => result.Curve.LastOrDefault(p => p.At <= at).Workers;

    public static int QueueLengthAt(this SimulationResult result, EventTime at) =>
        result.Curve.LastOrDefault(p => p.At <= at).QueueLength;

    public static int[] WorkersAt(this SimulationResult result, params int[] seconds) =>
        [.. seconds.Select(second => result.WorkersAt(At(second * 1000.0)))];
}

/// <summary>What holds a worker for ever.</summary>
enum Hold
{
    Unseen,
    TaskWait,
    Computing,
}
