namespace Tpwatch.Pool;

/// <summary>
/// How fast blocking compensation for task waits adds worker threads (.NET 6 and later): up to MinThreads + processors at once, then one
/// thread per step. The delay of a step grows by 25 ms with each further N threads (N: processors), to 250 ms at most. From the runtime's
/// source (PortableThreadPool.Blocking), confirmed by measurement on .NET 8, 9 and 10.
/// </summary>
static class CooperativeSchedule
{
    /// <summary>Growth of the delay, milliseconds.</summary>
    public const double StepMs = 25;

    /// <summary>Maximum delay, milliseconds.</summary>
    public const double MaxMs = 250;

    /// <summary>
    /// Milliseconds by which a step may come early: two steps of the coarse clock (4 ms each), since a gate check within the delay computes
    /// the rest of it again from that clock. Seen under load: 242.9 for 250.
    /// </summary>
    public const double EarlyMs = 8.5;

    /// <summary>Milliseconds by which a step may come late; together with <see cref="EarlyMs"/> a window is 20 ms wide.</summary>
    public const double LateMs = 11.5;

    /// <summary>The target thread count up to which threads are added without delay.</summary>
    public static int FreeUpTo(PoolSettings settings) => Math.Min(settings.Min + settings.Processors, settings.Max ?? int.MaxValue);

    /// <summary>
    /// The delay before the target thread count rises above <paramref name="targetThreads"/>, milliseconds; 0 below <see cref="FreeUpTo"/>.
    /// </summary>
    public static double DelayAfter(int targetThreads, PoolSettings settings)
    {
        var beyond = targetThreads - FreeUpTo(settings);
        return beyond < 0 ? 0 : Math.Min((1 + beyond / Math.Max(1, settings.Processors)) * StepMs, MaxMs);
    }

    /// <summary>The target thread count that compensates for <paramref name="taskWaits"/> worker threads waiting for tasks.</summary>
    public static int Target(PoolSettings settings, int taskWaits) => Math.Min(settings.Min + taskWaits, settings.Max ?? int.MaxValue);

    /// <summary>
    /// The target thread count that one step may reach: the number without delay, or the existing worker threads, since they cost nothing.
    /// </summary>
    public static int JumpUpTo(PoolSettings settings, int existing) =>
        Math.Max(FreeUpTo(settings), Math.Min(existing, settings.Max ?? int.MaxValue));
}
