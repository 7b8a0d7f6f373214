using System.Collections.Immutable;
using Tpwatch.Basics;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>Asks the policy about the looks to come, if nothing happens but time.</summary>
static class InjectionAhead
{
    /// <summary>With busy processors the rule asks for two looks a worker; beyond so many nothing is foretold.</summary>
    const int MostLooks = 40;

    /// <summary>More than the next two moments are not worth saying.</summary>
    const int MostWindows = 2;

    /// <summary>
    /// The prediction is called sure from this chance on, once this machine's looks are known a little. On a quiet machine 69 of 182 were,
    /// and 67 of them right; the others are looks that came some milliseconds late.
    /// </summary>
    const double Sure = 0.97;

    /// <summary>
    /// The first look is foretold from this chance on, else the second, which is the usual one. Chosen from 0.5, 0.6, 0.7, 0.8 and 0.9 on
    /// one half of the stored runs; tests/SCORES.md has what comes of it on the other half.
    /// </summary>
    const double FirstLookFrom = 0.6;

    /// <summary>The look that adds a worker, or null when none does.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="from">What is known.</param>
    /// <param name="late">How late the gate looks.</param>
    public static InjectionPrediction? First(IInjectionPolicy policy, PoolState from, TickLateness late)
    {
        var usual = late.Late(from, late.UsualMs);
        if (Looks(policy, usual).FirstOrDefault() is (_, { Kind: WakeKind.CooperativeDelay } step, var first))
        {
            // Within the free budget workers come at once; there is nothing to count down.
            return first.Kind != DecisionKind.Add || first.Mechanism == Mechanism.G5CooperativeJump
                ? null
                : new(from.Now, step.At, first.Mechanism, null, Sure: true);
        }

        var (ticks, chance, sure) = Likeliest(policy, from, late);
        if (chance <= 0)
        {
            return null;
        }

        var (_, wake, decision) = Looks(policy, usual).ElementAt(ticks - 1);
        return wake.Kind == WakeKind.CooperativeDelay
            ? new(from.Now, wake.At, decision.Mechanism, null, Sure: true)
            : new(from.Now, wake.At, decision.Mechanism, ticks, sure) { UsuallyLateMs = late.UsualMs, Chance = chance };
    }

    static (int Look, double Chance, bool Sure) Likeliest(IInjectionPolicy policy, PoolState from, TickLateness late)
    {
        var chances = Chances(policy, from, late);
        var most = chances.Max();
        var look = chances.IndexOf(most) + 1;
        if (look == 1 && most < FirstLookFrom)
        {
            (look, most) = (2, chances[1]);
        }

        return (look, Math.Min(1, most), most >= Sure && late.IsKnown && look <= GateTiming.MaxUnseenTicks);
    }

    /// <summary>
    /// How likely each of the looks to come adds the worker: all that were as late as one of the newest were, one like the other.
    /// </summary>
    static List<double> Chances(IInjectionPolicy policy, PoolState from, TickLateness late)
    {
        var chances = Enumerable.Repeat(0.0, MostLooks).ToList();
        foreach (var ms in late.SeenMs)
        {
            var left = 1.0 / late.SeenMs.Count;
            foreach (var (look, _, decision) in Looks(policy, late.Late(from, ms)).TakeWhile(_ => left > Negligible))
            {
                var chance = decision.Chance;
                chances[look - 1] += left * chance;
                left *= 1 - chance;
            }
        }

        return chances;
    }

    /// <summary>What is left to the looks after those that tell.</summary>
    const double Negligible = 0.001;

    /// <summary>The looks to come, from 1 on, if nothing happens but time, and what each decides.</summary>
    static IEnumerable<(int Look, Wake Wake, Decision Decision)> Looks(IInjectionPolicy policy, PoolState from)
    {
        var nothing = policy.Apply(from, new PoolInput.Counted(from.Now, Completed: false, Cpu: null, Outstanding: true));
        return GateWalk.From(policy, nothing).Take(MostLooks)
            .Select((look, index) => (index + 1, look.Wake, policy.Decide(look.Before, look.Wake)));
    }

    /// <summary>The next injection seen from <paramref name="now"/>, or null when no rule gives its moment.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="from">What is known.</param>
    /// <param name="late">How late the gate looks.</param>
    /// <param name="now">Looks before have passed already.</param>
    public static NextInjection? Next(IInjectionPolicy policy, PoolState from, TickLateness late, EventTime now)
    {
        var windows = ImmutableArray.CreateBuilder<EventSpan>();
        (Wake Wake, Mechanism Mechanism, bool Sure)? likely = null;
        var hasPassed = false;
        var (most, _, sure) = Likeliest(policy, from, late);
        foreach (var (look, wake, decision) in Looks(policy, late.Late(from, late.UsualMs)).TakeWhile(_ => windows.Count < MostWindows))
        {
            if (decision.Possible && Window(wake) is var window && window.To > now)
            {
                windows.Add(window);
                // Where the likeliest look has passed, the first that is more likely than not.
                likely ??= look == most || hasPassed && decision.Chance > 0.5 ? (wake, decision.Mechanism, sure && !hasPassed) : null;
            }
            else if (look >= most)
            {
                hasPassed = true;
            }
        }

        return likely is not { } found || found.Mechanism == Mechanism.G5CooperativeJump ? null
            : new(found.Wake.At, windows.ToImmutable(), found.Mechanism, Condition(found.Wake, from.Settings),
                found.Wake.Kind == WakeKind.CooperativeDelay || found.Sure);
    }

    /// <summary>Where a look may lie: 20 ms.</summary>
    public static EventSpan Window(Wake wake) => wake.Kind == WakeKind.Tick
        ? new(wake.Earliest, wake.Latest)
        : new(wake.At.PlusMs(-CooperativeSchedule.EarlyMs), wake.At.PlusMs(CooperativeSchedule.LateMs));

    static string Condition(Wake wake, PoolSettings settings) => (wake.Kind == WakeKind.Tick
        ? "unless an item is dequeued first"
        : "if threads still wait for tasks")
        + (settings.Max is null ? " and while MaxThreads, which is not seen, allows it" : "");
}
