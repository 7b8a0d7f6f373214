namespace Tpwatch.Screen.State;

/// <summary>The measured overhead of each capture depth in the target, from <c>tests/SCORES.md</c>.</summary>
static class DepthPrice
{
    /// <summary>
    /// Completed work items per second of the target's processor time while items are measured, as a share of those without; measured.
    /// </summary>
    public const string ItemsShare = "90%";

    /// <summary>Completed items per second of the measured, saturated target without a session.</summary>
    public const string ItemsPerSecond = "240 thousand";

    /// <summary><see cref="ItemsShare"/> on .NET 8, whose events always carry a stack, until the session ends by itself.</summary>
    public const string ItemsWithStacksShare = "61%";

    /// <summary>
    /// Requests per second of processor time that a fully loaded server with an empty endpoint completes while requests are measured, as a
    /// share of those without.
    /// </summary>
    public const string RequestsShare = "97%";

    /// <summary>Total time for which one stack burst pauses the target's threads, milliseconds.</summary>
    public const string BurstMs = "30";

    /// <summary>Largest number of threads for which <see cref="BurstMs"/> was measured.</summary>
    public const string BurstThreads = "65";
}
