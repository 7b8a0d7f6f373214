namespace Tpwatch.Screen.State;

/// <summary>What a depth costs the target, as <c>tests/SCORES.md</c> has it.</summary>
static class DepthPrice
{
    /// <summary>
    /// Work items that the target gets done in a second of its processor time with items watched, as a share of those without; measured.
    /// </summary>
    public const string ItemsShare = "90%";

    /// <summary>Items that such a target gets done in a second without a session.</summary>
    public const string ItemsPerSecond = "240 thousand";

    /// <summary>The same on .NET 8, whose events cannot leave their stacks out, until the session ends by itself.</summary>
    public const string ItemsWithStacksShare = "61%";

    /// <summary>
    /// Requests that a server whose endpoint does nothing gets done in a second of its processor time, with requests watched, where as many
    /// are asked for as go.
    /// </summary>
    public const string RequestsShare = "97%";

    /// <summary>How long one burst of stacks holds up the target's threads in all, milliseconds.</summary>
    public const string BurstMs = "30";

    /// <summary>The most threads with which that was measured.</summary>
    public const string BurstThreads = "65";
}
