using System.Collections.Immutable;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>What happened in a simulated pool: the facts that a watcher gets, and beside them the truth.</summary>
sealed class PoolLife
{
    PoolLife(PoolWorld world, ImmutableArray<object> facts, ImmutableArray<MadeItem> items) =>
        (World, Facts, Items) = (world, facts, items);

    public PoolWorld World { get; }

    public ImmutableArray<object> Facts { get; }

    /// <summary>Every item that was queued, children included.</summary>
    public ImmutableArray<MadeItem> Items { get; }

    public TargetFacts Target { get; } = new() { Pid = 4242, Name = "Orders.Api", RuntimeVersion = "10.0.12", Os = "Linux" };

    public static PoolLife Of(PoolWorld world)
    {
        var agenda = new Agenda();
        var counts = new PoolCounts { Min = world.Min, Max = world.Max, TargetThreads = world.Min };
        var processors = new SharedProcessors(world.Processors, agenda);
        RunningPool? pool = null;
        RunningGate? gate = null;
        var seen = new Watcher(world, agenda, counts) { QueueLength = () => pool!.Queues.Length, Processors = processors };
        var compensation = new RunningCompensation(world, agenda, counts, seen) { Pool = () => pool! };
        var bodies = new ItemBodies(agenda, processors, compensation) { Pool = () => pool! };
        pool = new(agenda, counts, seen) { Body = bodies.Run, WakeGate = thread => gate!.Wake(thread), Recount = compensation.Recount };
        gate = new(world, agenda, counts, seen) { Pool = pool, Compensation = compensation, Processors = processors };

        agenda.At(world.AttachMs, seen.Attach);
        var items = Queue(world, agenda, pool);
        agenda.RunUntil(world.AttachMs + world.Seconds * 1000);
        return new(world, seen.Facts, [.. items.SelectMany(WithChildren).Where(item => item.QueuedMs is not null)]);
    }

    /// <summary>
    /// The longest wait of an item that waited at some time between two moments, as long as it had become by the second one.
    /// </summary>
    public double LongestWaitMs(double fromMs, double toMs) => Items
        .Where(item => item.QueuedMs <= toMs && !(item.TakenMs < fromMs)).Select(item => item.WaitedMs(toMs)).DefaultIfEmpty().Max();

    static List<MadeItem> Queue(PoolWorld world, Agenda agenda, RunningPool pool)
    {
        var items = new List<MadeItem>();
        foreach (var load in world.Loads)
        {
            for (var i = 0; i < load.Count; i++)
            {
                var item = new MadeItem(load);
                items.Add(item);
                agenda.At(load.AtMs + i * load.EveryMs, () => pool.Arrive(item));
            }
        }

        foreach (var call in world.Calls)
        {
            agenda.At(call.AtMs, () => pool.Limit(call.Min, call.Max));
        }

        foreach (var climb in world.Climbs)
        {
            agenda.At(climb.AtMs, () => pool.Climb(climb.By));
        }

        return items;
    }

    static IEnumerable<MadeItem> WithChildren(MadeItem item) => item.Children.SelectMany(WithChildren).Prepend(item);
}
