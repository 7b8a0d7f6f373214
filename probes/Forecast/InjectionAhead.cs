using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>Asks the policy about the ticks to come, if nothing happens but time.</summary>
static class InjectionAhead
{
    /// <summary>With busy processors the rule asks for two ticks a worker; beyond so many nothing is foretold.</summary>
    const int MostTicks = 40;

    /// <summary>More than the next two moments are not worth saying.</summary>
    const int MostWindows = 2;

    /// <summary>
    /// The prediction is called sure from this chance on, once this machine's ticks are known a little. On a quiet machine 69 of 182 were,
    /// and 67 of them right; the others are ticks that came some milliseconds late.
    /// </summary>
    const double Sure = 0.97;

    /// <summary>
    /// The first tick is foretold from this chance on, else the second, which is the usual one. Chosen from 0.5, 0.6, 0.7, 0.8 and 0.9 on
    /// one half of the stored runs; tests/SCORES.md has what comes of it on the other half.
    /// </summary>
    const double FirstTickFrom = 0.6;

    static (int Number, bool Sure) Likeliest(IInjectionPolicy policy, PoolState from, TickLateness late)
    {
        var chances = Chances(policy, from, late);
        var most = chances.Max();
        var number = chances.IndexOf(most) + 1;
        if (number == 1 && most < FirstTickFrom)
        {
            (number, most) = (2, chances[1]);
        }

        return (number, most >= Sure && late.IsKnown && number <= GateTiming.MaxUnseenTicks);
    }

    /// <summary>
    /// How likely each of the ticks to come adds the worker: all that were as late as one of the newest were, one like the other.
    /// </summary>
    static List<double> Chances(IInjectionPolicy policy, PoolState from, TickLateness late)
    {
        var chances = Enumerable.Repeat(0.0, MostTicks).ToList();
        foreach (var ms in late.SeenMs)
        {
            var left = 1.0 / late.SeenMs.Count;
            foreach (var (number, _, decision) in Ticks(policy, late.Late(from, ms)).TakeWhile(_ => left > Negligible))
            {
                var chance = decision.Chance;
                chances[number - 1] += left * chance;
                left *= 1 - chance;
            }
        }

        return chances;
    }

    /// <summary>What is left to the ticks after those that tell.</summary>
    const double Negligible = 0.001;

    /// <summary>The ticks to come, from 1 on, if nothing happens but time, and what each decides.</summary>
    static IEnumerable<(int Number, PoolTick Tick, Decision Decision)> Ticks(IInjectionPolicy policy, PoolState from)
    {
        var nothing = policy.Apply(from, new PoolInput.Counted(from.Now, Completed: false, Cpu: null, Outstanding: true));
        return GateWalk.From(policy, nothing).Take(MostTicks)
            .Select((walked, index) => (index + 1, walked.Tick, policy.Decide(walked.Before, walked.Tick)));
    }

    /// <summary>The next injection seen from <paramref name="now"/>, or null when no rule gives its moment.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="from">What is known.</param>
    /// <param name="late">How late the gate ticks.</param>
    /// <param name="now">Ticks before have passed already.</param>
    public static NextInjection? Next(IInjectionPolicy policy, PoolState from, TickLateness late, EventTime now)
    {
        var windows = ImmutableArray.CreateBuilder<EventSpan>();
        (PoolTick Tick, Mechanism Mechanism, bool Sure)? likely = null;
        var hasPassed = false;
        var (most, sure) = Likeliest(policy, from, late);
        foreach (var (number, tick, decision) in Ticks(policy, late.Late(from, late.UsualMs)).TakeWhile(_ => windows.Count < MostWindows))
        {
            if (decision.Possible && Window(tick) is var window && window.To > now)
            {
                windows.Add(window);
                // Where the likeliest tick has passed, the first that is more likely than not.
                likely ??= number == most || hasPassed && decision.Chance > 0.5 ? (tick, decision.Mechanism, sure && !hasPassed) : null;
            }
            else if (number >= most)
            {
                hasPassed = true;
            }
        }

        return likely is not { } found || found.Mechanism == Mechanism.G5CooperativeJump ? null
            : new(found.Tick.At, windows.ToImmutable(), found.Mechanism, Condition(found.Tick, from.Settings),
                found.Tick.Kind == TickKind.CooperativeDelay || found.Sure);
    }

    /// <summary>Where a tick may lie: 20 ms.</summary>
    public static EventSpan Window(PoolTick tick) => tick.Kind == TickKind.Periodic
        ? new(tick.Earliest, tick.Latest)
        : new(tick.At.PlusMs(-CooperativeSchedule.EarlyMs), tick.At.PlusMs(CooperativeSchedule.LateMs));

    static string Condition(PoolTick tick, PoolSettings settings) => (tick.Kind, settings.Max) switch
    {
        (TickKind.Periodic, null) => "unless an item is dequeued first or MaxThreads (not known) is reached",
        (TickKind.Periodic, _) => "unless an item is dequeued first",
        (_, null) => "if threads still wait for tasks and MaxThreads (not known) is not reached",
        _ => "if threads still wait for tasks",
    };
}
