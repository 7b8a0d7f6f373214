namespace Tpwatch.Pool;

/// <summary>
/// How fast compensation for task waits adds workers (.NET 6 and later): at once up to min + processors, then one worker a step, the step
/// growing by 25 ms for each further set of as many workers as there are processors, at most 250 ms. From the runtime's source
/// (PortableThreadPool.Blocking), confirmed by measurement on .NET 8, 9 and 10.
/// </summary>
static class CooperativeSchedule
{
    /// <summary>Growth of the delay a step, milliseconds.</summary>
    public const double StepMs = 25;

    /// <summary>Longest delay, milliseconds.</summary>
    public const double MaxMs = 250;

    /// <summary>
    /// A step may come two steps of the coarse clock (4 ms each) early, milliseconds: a periodic tick inside it computes the rest of the
    /// delay once more from that clock. Seen under load: 242.9 for 250.
    /// </summary>
    public const double EarlyMs = 8.5;

    /// <summary>And so much late; together with <see cref="EarlyMs"/> a window is 20 ms wide.</summary>
    public const double LateMs = 11.5;

    /// <summary>The goal up to which workers are added without delay.</summary>
    public static int FreeUpTo(PoolSettings settings) => Math.Min(settings.Min + settings.Processors, settings.Max ?? int.MaxValue);

    /// <summary>Delay before the goal rises above <paramref name="goal"/>, milliseconds; 0 within the free budget.</summary>
    public static double DelayAfter(int goal, PoolSettings settings)
    {
        var beyond = goal - FreeUpTo(settings);
        return beyond < 0 ? 0 : Math.Min((1 + beyond / Math.Max(1, settings.Processors)) * StepMs, MaxMs);
    }

    /// <summary>The goal that compensates for <paramref name="taskWaits"/> workers which wait for tasks.</summary>
    public static int Target(PoolSettings settings, int taskWaits) => Math.Min(settings.Min + taskWaits, settings.Max ?? int.MaxValue);

    /// <summary>The goal up to which one step goes: the free budget, and workers that exist already, since they cost nothing.</summary>
    public static int JumpUpTo(PoolSettings settings, int existing) =>
        Math.Max(FreeUpTo(settings), Math.Min(existing, settings.Max ?? int.MaxValue));
}
