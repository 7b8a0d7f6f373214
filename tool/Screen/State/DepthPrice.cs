namespace Tpwatch.Screen.State;

/// <summary>The measured overhead of each capture depth in the target, from <c>tests/SCORES.md</c>.</summary>
static class DepthPrice
{
    /// <summary>
    /// Measured share of the throughput that remains while items are measured: completed items per second of the target's processor time.
    /// </summary>
    public const string ItemsShare = "90%";

    /// <summary>Completed items per second of the measured, saturated target without a session.</summary>
    public const string ItemsPerSecond = "240 thousand";

    /// <summary><see cref="ItemsShare"/> on .NET 8, whose events always carry a stack; valid until the session ends by itself.</summary>
    public const string ItemsWithStacksShare = "61%";

    /// <summary>
    /// Measured share of the throughput that is left while requests are measured. The throughput is requests per second of processor time,
    /// on a fully loaded server with an empty endpoint.
    /// </summary>
    public const string RequestsShare = "97%";

    /// <summary>Total time for which one stack burst pauses the target's threads, milliseconds.</summary>
    public const string BurstMs = "30";

    /// <summary>Largest number of threads for which <see cref="BurstMs"/> was measured.</summary>
    public const string BurstThreads = "65";
}
