using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>The sentence of a starvation gap, with its numbers.</summary>
static class StarvationSentence
{
    public static string Of(Gap gap, PoolSettings settings) =>
        $"{(WasReadLess(gap) ? ReadLess(gap, settings) : $"{Rule(gap, settings)} {Ticks(gap)}")}{Verdict(gap)}{Nobody(gap)}".TrimEnd();

    static bool WasReadLess(Gap gap) =>
        gap.Mechanism == Mechanism.G2CpuThrottle && gap.Ticks is [.., var last] && TickSentence.IsReadLess(last.Why);

    // The rule that the counter sample suggests was not the one that the pool went by.
    static string ReadLess(Gap gap, PoolSettings settings) =>
        $"The counter sample shows {Use(gap)} processor use. At that use, the pool adds a thread only after {Limit(gap)} without a "
        + $"{settings.ClockWord}. The pool did not wait that long, so the runtime read less processor use.";

    static string Use(Gap gap) => Format.Percent(Math.Min(1, gap.Cpu ?? 0));

    static string Limit(Gap gap) => Format.Duration((gap.GoalBefore ?? 1) * 1000);

    static string Rule(Gap gap, PoolSettings settings) => gap.Mechanism == Mechanism.G2CpuThrottle
        ? $"The processors are {Use(gap)} busy, so 500 ms without a {settings.ClockWord} is not enough "
            + "to add a thread. "
            + "The limit is then one second for each thread of the target thread count, here "
            + $"{Limit(gap)}."
        : $"Every 500 ms, the gate thread adds one thread if no item was {settings.ClockDone} for more than 500 ms.";

    static string Nobody(Gap gap) => gap.Backlog == 0
        ? " The nearest counter samples show no waiting item, so probably no item had to wait for this thread."
        : "";

    static string Ticks(Gap gap)
    {
        if (gap.Ticks.Length == 0)
        {
            return "";
        }

        var held = gap.Ticks.Length - 1;
        var added = $"added the thread: {TickSentence.Spoken(gap.Ticks[^1].Why)}.";
        return held switch
        {
            0 => $"The first gate check {added}",
            1 => $"The first gate check added no thread: {TickSentence.Spoken(gap.Ticks[0].Why)}. The second check {added}",
            _ => $"{held} gate checks added no thread. The last of these checks: {TickSentence.Spoken(gap.Ticks[^2].Why)}. The next "
                + $"check {added}",
        };
    }

    static string Verdict(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Late => $" {(WasReadLess(gap) ? "By the 500 ms rule, the" : "The")} thread came "
            + $"{Format.Duration(gap.LateMs ?? 0)} late.",
        GapVerdict.Early => " The thread came before the first moment that the rule allows.",
        _ => "",
    };
}
