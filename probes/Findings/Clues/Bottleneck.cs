using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

/// <summary>
/// What lets only so many through at a time, however many workers wait at it: named by the stacks, or shown by completions that do
/// not grow.
/// </summary>
/// <param name="Words">What it is, as a sentence goes on with it.</param>
/// <param name="IsNamed">Whether stacks name it.</param>
sealed record Bottleneck(string Words, bool IsNamed)
{
    /// <summary>
    /// Types of connection pools, as frames name them: Npgsql, Microsoft.Data.SqlClient and System.Data, MySqlConnector, HttpClient.
    /// </summary>
    static readonly string[] ConnectionPools =
        ["PoolingDataSource", "DbConnectionPool", "ChannelDbConnectionPool", "MySqlConnector.Core.ConnectionPool", "HttpConnectionPool"];

    /// <summary>Calls that wait for a permit.</summary>
    static readonly string[] Permits = ["SemaphoreSlim.Wait", "Semaphore.WaitOne", "Mutex.WaitOne"];

    /// <summary>The bottleneck; null where nothing shows one.</summary>
    public static Bottleneck? Of(PoolReport report) => Named(report)
        ?? (!DeepEvidence.HasStacks(report) && WorkerYield.Of(report) == Yield.Flat
            ? new("something at its limit (completions stayed flat)", false) : null);

    // The place that holds most of the workers decides; what holds a few beside it does not.
    static Bottleneck? Named(PoolReport report)
    {
        var main = DeepEvidence.Main(report);
        var what = main is null ? null
            : Passes(main, ConnectionPools) ? "a connection of a connection pool"
            : main.Kind == BlockKind.Lock ? "a lock"
            : Passes(main, Permits) ? "a semaphore"
            : null;
        return what is null ? null : new($"{what} ({DeepEvidence.Place(main!)})", true);
    }

    static bool Passes(Blocker blocker, string[] names) =>
        names.Any(name =>
            (blocker.Call?.Contains(name, StringComparison.Ordinal) ?? false) || blocker.Frame.Contains(name, StringComparison.Ordinal)
            || blocker.Stack.Any(frame => frame.Contains(name, StringComparison.Ordinal)));
}
