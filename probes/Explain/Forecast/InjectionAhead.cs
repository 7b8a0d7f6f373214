using System.Collections.Immutable;
using Tpwatch.Attach;
using Tpwatch.Explain.Gaps;
using Tpwatch.Explain.Policies;
using Tpwatch.Timeline;

namespace Tpwatch.Explain.Forecast;

/// <summary>Asks the policy about the looks to come, if nothing happens but time.</summary>
static class InjectionAhead
{
    /// <summary>With busy processors the rule asks for two looks a worker; beyond so many nothing is foretold.</summary>
    const int MostLooks = 40;

    /// <summary>More than the next two moments are not worth saying.</summary>
    const int MostWindows = 2;

    /// <summary>The look that adds a worker, or null when none does; sure only if it is the same for every lateness of late.</summary>
    /// <param name="policy">The policy.</param>
    /// <param name="from">What is known.</param>
    /// <param name="late">How late the gate looks.</param>
    public static InjectionPrediction? First(IInjectionPolicy policy, PoolState from, TickLateness late)
    {
        int? Ticks(double lateMs) => First(policy, TickLateness.Late(from, lateMs))?.Ticks;
        var usual = First(policy, TickLateness.Late(from, late.UsualMs)) is { } first ? first with { UsuallyLateMs = late.UsualMs } : null;
        return usual?.Sure == true && (Ticks(late.LeastMs) != usual.Ticks || Ticks(late.MostMs) != usual.Ticks) ? usual with { Sure = false } : usual;
    }

    static InjectionPrediction? First(IInjectionPolicy policy, PoolState from)
    {
        var state = IfNothingHappens(policy, from);
        var sure = HasOneRegime(from);
        for (var look = 1; look <= MostLooks && policy.NextWake(state) is { } wake; look++)
        {
            var decision = policy.Decide(state, wake);
            sure &= decision is { Sure: true, Close: false } && look <= GateTiming.MaxUnseenTicks;
            if (Adds(decision, state))
            {
                // Within the free budget workers come at once; there is nothing to count down.
                return decision.Rule == GapRule.G5CooperativeJump ? null
                    : new(from.Now, wake.At, decision.Rule, wake.Kind == WakeKind.Tick ? look : null, wake.Kind == WakeKind.CooperativeDelay || sure);
            }

            state = Passed(policy, state, wake);
        }

        return null;
    }

    /// <summary>The next injection seen from <paramref name="now"/>, or null when no rule gives its moment.</summary>
    public static NextInjection? Next(IInjectionPolicy policy, PoolState from, EventTime now)
    {
        var state = IfNothingHappens(policy, from);
        var windows = ImmutableArray.CreateBuilder<EventSpan>();
        (Wake Wake, Decision Decision)? likely = null;
        var sure = HasOneRegime(from);
        for (var look = 1; look <= MostLooks && windows.Count < MostWindows && policy.NextWake(state) is { } wake; look++)
        {
            var decision = policy.Decide(state, wake);
            if (decision.Possible && Window(wake) is var window && window.To > now)
            {
                windows.Add(window);
                sure &= likely is not null || decision.Sure;
                likely ??= Adds(decision, state) ? (wake, decision) : null;
            }

            state = Passed(policy, state, wake);
        }

        return likely is not { } found || found.Decision.Rule == GapRule.G5CooperativeJump ? null
            : new(found.Wake.At, windows.ToImmutable(), found.Decision.Rule, Condition(found.Wake, from.Settings), found.Wake.Kind == WakeKind.CooperativeDelay || sure);
    }

    /// <summary>Where a look may lie: 20 ms.</summary>
    public static EventSpan Window(Wake wake) => wake.Kind == WakeKind.Tick
        ? new(wake.Earliest, wake.Latest)
        : new(wake.At.PlusMs(-CooperativeSchedule.EarlyMs), wake.At.PlusMs(CooperativeSchedule.LateMs));

    /// <summary>
    /// Where it is not known which model the clock follows, a tick that adds by one of them only adds in one case of four (64 of 250 gaps beside
    /// a busy neighbour): the next one is the better answer.
    /// </summary>
    static bool Adds(Decision decision, PoolState state) => decision.Kind == DecisionKind.Add && (decision.Sure || HasOneRegime(state));

    /// <summary>While processors sleep and wake by turns the clock follows now one model, now the other: nothing is sure then.</summary>
    static bool HasOneRegime(PoolState state) => state.Clock is { Regime: ClockRegime.Idle or ClockRegime.Busy };

    static string Condition(Wake wake, PoolSettings settings) => (wake.Kind == WakeKind.Tick
        ? "if something still waits and nothing is dequeued before"
        : "if workers still wait for tasks that no worker compensates for")
        + (settings.Max is null ? ", below max, which is not known" : "");

    static PoolState IfNothingHappens(IInjectionPolicy policy, PoolState state) =>
        policy.Apply(state, new PoolInput.Counted(state.Now, Completed: false, Cpu: null, Outstanding: true));

    static PoolState Passed(IInjectionPolicy policy, PoolState state, Wake wake) =>
        wake.Kind == WakeKind.Tick ? policy.Apply(state, new PoolInput.Ticked(wake.At)) : state with { CooperativeDue = null };
}
