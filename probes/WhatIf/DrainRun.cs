using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.WhatIf;

/// <summary>
/// Simulates how a queue drains, first in, first out. A worker thread that completes an item takes the next one, and at each gate check the
/// policy decides whether a worker thread is added. Hill climbing is not simulated. Bounded: after <see cref="MostItems"/> items, the rest
/// drains at the rate reached.
/// </summary>
sealed class DrainRun
{
    /// <summary>Maximum number of items simulated one by one, which takes a fraction of a millisecond.</summary>
    const int MostItems = 2000;

    /// <summary>Maximum number of gate checks simulated: twenty minutes without a completed item.</summary>
    const int MostTicks = 2400;

    readonly IInjectionPolicy policy;
    readonly DrainCase given;
    readonly PriorityQueue<double, double> free = new();
    PoolState state;
    double lastDequeue;
    double startDelay = double.PositiveInfinity;
    double gone = double.PositiveInfinity;
    long taken;
    int checks;
    int added;

    DrainRun(IInjectionPolicy policy, DrainCase given)
    {
        (this.policy, this.given) = (policy, given);
        // EnqueueRange adds all at once: single calls cost more than linear time, and a large pool has thousands of worker threads.
        free.EnqueueRange(given.FreeMs.Select(at => (at, at)));

        // If the last dequeue is not given, the newest dequeue of the busy worker threads counts, or else the start.
        lastDequeue = given.LastDequeueMs ?? given.FreeMs.Select(at => at - given.RunMs).Where(at => at <= 0).DefaultIfEmpty(0).Max();

        // The scores show no difference by where the start lies between two gate checks, so the start lies in the middle.
        state = given.State with
        {
            LastCheck = given.At.PlusMs(-GateTiming.AfterHold / 2),
            CheckPeriodMs = GateTiming.AfterHold,
            CooperativeDue = given.State.CooperativeDue < given.At ? null : given.State.CooperativeDue,
        };
    }

    public static DrainResult Of(IInjectionPolicy policy, DrainCase given) => new DrainRun(policy, given).Run();

    bool Done => double.IsFinite(gone) && taken > given.QueueLength;

    DrainResult Run()
    {
        while (!Done && taken < MostItems && checks < MostTicks)
        {
            // At MaxThreads no gate check adds a thread, so there are no checks to simulate while items hang for hours.
            var check = state.IsAtMax ? null : policy.NextCheck(state);
            var checkMs = check?.At.MsSince(given.At) ?? double.PositiveInfinity;
            if (free.TryPeek(out var next, out _) && next <= checkMs)
            {
                free.Dequeue();
                Take(next);
            }
            else if (check is { } due)
            {
                Tick(due, checkMs);
            }
            else
            {
                break;
            }
        }

        GoOnAtTheRate();
        return new(startDelay, gone, added);
    }

    void Take(double at)
    {
        free.Enqueue(at + given.RunMs, at + given.RunMs);
        taken++;
        lastDequeue = at;
        if (taken == given.QueueLength + 1)
        {
            startDelay = at;
        }

        if (double.IsInfinity(gone) && taken >= given.QueueLength + given.ArrivalsPerMs * at)
        {
            gone = at;
        }
    }

    void Tick(PoolCheck check, double at)
    {
        checks++;
        var adds = given.AtEveryCheck || Adds(check);
        state = GateWalk.After(policy, state, check, adds ? (state.TargetThreads ?? free.Count) + 1 : null);
        if (adds)
        {
            added++;
            Take(at + GateTiming.InjectionToDequeue);
        }
    }

    bool Adds(PoolCheck check) => policy.Decide(
        state with
        {
            Now = check.At,
            LastDequeue = given.At.PlusMs(lastDequeue),
            CheckBeforeDequeue = null,
            DequeuedUnseen = false,
            Outstanding = true,
        },
        check).Kind == DecisionKind.Add;

    /// <summary>
    /// Drains the rest at the rate of the existing worker threads, when too many items remain to simulate or items run for too long.
    /// </summary>
    void GoOnAtTheRate()
    {
        var now = Math.Max(lastDequeue, 0);
        var rate = free.Count / given.RunMs;
        if (double.IsInfinity(startDelay) && rate > 0)
        {
            startDelay = now + Math.Max(0, given.QueueLength + 1 - taken) / rate;
        }

        var left = given.QueueLength + given.ArrivalsPerMs * now - taken;
        if (double.IsInfinity(gone) && rate > given.ArrivalsPerMs)
        {
            gone = now + Math.Max(0, left) / (rate - given.ArrivalsPerMs);
        }
    }
}

/// <summary>A queue, the worker threads that take items from it, and the sources of further items and threads.</summary>
/// <param name="At">The time at which the simulation starts.</param>
/// <param name="FreeMs">When each busy worker thread takes its next item, milliseconds after <paramref name="At"/>.</param>
/// <param name="RunMs">How long an item holds its worker thread, milliseconds: one value for all items, the mean if items differ.</param>
/// <param name="QueueLength">Queue length.</param>
/// <param name="State">The state that the policy knows.</param>
sealed record DrainCase(EventTime At, ImmutableArray<double> FreeMs, double RunMs, long QueueLength, PoolState State)
{
    /// <summary>
    /// Whether every gate check adds a worker thread, for a lower bound: no pool adds more. Otherwise the policy decides.
    /// </summary>
    public bool AtEveryCheck { get; init; }

    /// <summary>Number of items that arrive per millisecond; used only for the time at which the queue is empty.</summary>
    public double ArrivalsPerMs { get; init; }

    /// <summary>
    /// Time at which the last item was dequeued, milliseconds after <see cref="At"/>, so never above 0. Null: derived from the busy worker
    /// threads.
    /// </summary>
    public double? LastDequeueMs { get; init; }

    /// <summary>The rules behind the forecast, as a sentence for its basis.</summary>
    public string Rules => State.IsAtMax
        ? $"Assumed: items start in queue order. {MaxReached}"
        : "Assumed: items start in queue order, and the pool adds threads by its rules, without hill climbing.";

    /// <summary>The sentence that explains why the pool adds no thread.</summary>
    public const string MaxReached = "MaxThreads is reached, so the pool adds no thread.";

    /// <summary>The sentence about the items and worker threads ahead of an item queued at <see cref="At"/>.</summary>
    public string Ahead =>
        $"Ahead of a new item: {Format.Plural(QueueLength, "item")}. Busy worker threads: {Format.Count(FreeMs.Length)}.";

    /// <summary>
    /// Returns when the busy worker threads that continue complete their items. Above the target thread count a worker thread stops after
    /// its item, so the last <paramref name="working"/> threads continue.
    /// </summary>
    public static ImmutableArray<double> Working(IEnumerable<double> freeMs, int working) =>
        [.. freeMs.OrderDescending().Take(Math.Max(1, working))];

    /// <summary>Returns when the queue is empty.</summary>
    public QueueEmpty Gone(DrainResult drained)
    {
        var arriving = $"{Format.Rate(ArrivalsPerMs * 1000)} arrive and {Format.Rate(FreeMs.Length / RunMs * 1000)} complete";
        return double.IsFinite(drained.GoneMs)
            ? new(At.PlusMs(drained.GoneMs), Never: false,
                $"{arriving}. {(State.IsAtMax ? MaxReached : "The pool should add threads meanwhile.")}")
            {
                IfThreadsHelp = drained.Added > 0,
            }
            : new(null, Never: true, (Format.Rate(ArrivalsPerMs * 1000) == Format.Rate(FreeMs.Length / RunMs * 1000)
                ? "about as many items arrive as complete" : arriving) + ".");
    }
}

/// <summary>How a queue drained.</summary>
/// <param name="StartDelayMs">Queue time of an item queued at the beginning, milliseconds; infinite when the item never starts.</param>
/// <param name="GoneMs">Time until the queue is empty, milliseconds; infinite when more items arrive than worker threads complete.</param>
/// <param name="Added">Number of worker threads added meanwhile.</param>
readonly record struct DrainResult(double StartDelayMs, double GoneMs, int Added);
