using Tpwatch.Basics;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Ledger.Judging;

/// <summary>The sentence of a starvation gap, with its numbers.</summary>
static class StarvationSentence
{
    public static string Of(Gap gap, PoolSettings settings) => $"{Rule(gap, settings)} {Ticks(gap)}{Verdict(gap)}{Nobody(gap)}".TrimEnd();

    static string Rule(Gap gap, PoolSettings settings) => gap.Mechanism == Mechanism.G2CpuThrottle
        ? $"The processors are {Format.Percent(gap.Cpu ?? 0)} busy: the gate thread waits one second for each thread of the target "
            + $"thread count. Here that is {Format.Duration((gap.GoalBefore ?? 1) * 1000)} without a {settings.ClockWord}."
        : $"The gate thread checks every 500 ms. It adds one thread when nothing was {settings.ClockDone} for more than 500 ms.";

    static string Nobody(Gap gap) => gap.Backlog == 0
        ? " No item waited at the counter samples around it, so nothing was delayed."
        : "";

    static string Ticks(Gap gap)
    {
        if (gap.Ticks.Length == 0)
        {
            return "";
        }

        var held = gap.Ticks.Length - 1;
        var added = $"added it ({gap.Ticks[^1].Why}).";
        return held switch
        {
            0 => $"The first gate check {added}",
            1 => $"The first gate check did not: {gap.Ticks[0].Why}. The second {added}",
            _ => $"{held} gate checks did not. The last of them: {gap.Ticks[^2].Why}. The next one {added}",
        };
    }

    static string Verdict(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Late => $" It came {Format.Duration(LateMs(gap))} late.",
        GapVerdict.Early => " It came before the first moment that the rule allows.",
        _ => "",
    };

    /// <summary>How long after the last allowed moment it came, milliseconds.</summary>
    public static double LateMs(Gap gap)
    {
        var observed = gap.ObservedMs ?? 0;
        var before = gap.Windows.Where(w => w.MaxMs < observed).Select(w => w.MaxMs).DefaultIfEmpty(observed);
        return observed - before.Max();
    }
}
