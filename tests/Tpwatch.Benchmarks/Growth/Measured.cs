namespace Tpwatch.Benchmarks.Growth;

/// <summary>What one size cost.</summary>
/// <param name="Size">In the unit of its axis.</param>
/// <param name="WholeMs">Processor time from the first event to the last, milliseconds.</param>
/// <param name="LookMs">Processor time of one report after it, milliseconds; null where the pass made its report itself.</param>
/// <param name="Megabytes">What is held afterwards; of a pass that is a process of its own, the most that was resident.</param>
sealed record Measured(double Size, double WholeMs, double? LookMs, double Megabytes)
{
    /// <summary>Less than this is not told apart from what the clock and the collector do themselves, milliseconds.</summary>
    const double LeastMs = 20;

    /// <summary>So little is not told apart from what the runtime keeps for itself.</summary>
    const double LeastMegabytes = 0.001;

    /// <summary>Folds a stream of that size as often as it takes to be measured.</summary>
    public static Measured Of(double size, Func<double, GrownFold> fold)
    {
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var kept = fold(size);
        var report = kept.Look();
        var held = (GC.GetTotalMemory(forceFullCollection: true) - before) / 1e6;
        GC.KeepAlive(report);
        var look = MsEach(kept.Look);
        GC.KeepAlive(kept);
        return new(size, MsEach(() => fold(size)), look, Math.Max(held, LeastMegabytes));
    }

    static double MsEach<T>(Func<T> run)
    {
        var (start, times, taken) = (CpuClock.Ms(Environment.ProcessId), 0, 0.0);
        for (; taken < LeastMs; taken = CpuClock.Ms(Environment.ProcessId) - start)
        {
            GC.KeepAlive(run());
            times++;
        }

        return taken / times;
    }
}
