using Tpwatch.Basics;
using Tpwatch.Model;
using Tpwatch.Reports;

namespace Tpwatch.Ledger.Judging;

/// <summary>The sentence of a starvation gap, with its numbers.</summary>
static class StarvationSentence
{
    public static string Of(Gap gap, PoolSettings settings) => $"{Rule(gap, settings)} {Ticks(gap)}{Verdict(gap)}{Nobody(gap)}".TrimEnd();

    static string Rule(Gap gap, PoolSettings settings) => gap.Mechanism == Mechanism.G2CpuThrottle
        ? $"With the processors busy ({Format.Percent(gap.Cpu ?? 0)}) the gate waits goal x 1 s = "
            + $"{Format.Duration((gap.GoalBefore ?? 1) * 1000)} without a {settings.ClockWord}."
        : $"The gate looks every 500 ms and adds one worker when nothing was {settings.ClockDone} for more than 500 ms.";

    static string Nobody(Gap gap) => gap.Backlog == 0
        ? " No item waited at the heartbeats around it: a request for a worker was still open, nothing was delayed."
        : "";

    static string Ticks(Gap gap)
    {
        if (gap.Ticks.Length == 0)
        {
            return "";
        }

        var held = gap.Ticks.Length - 1;
        var fired = $"Tick {gap.Ticks.Length} added it ({gap.Ticks[^1].Why}).";
        return held switch
        {
            0 => fired,
            1 => $"Tick 1 did not: {gap.Ticks[0].Why}. {fired}",
            _ => $"{held} ticks did not, the last of them: {gap.Ticks[^2].Why}. {fired}",
        };
    }

    static string Verdict(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Late => $" Late by {Format.Duration(LateMs(gap))}.",
        GapVerdict.Early => " Before the first moment the rule allows.",
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
