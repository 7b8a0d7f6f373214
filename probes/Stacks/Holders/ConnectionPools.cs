using Tpwatch.Reports;

namespace Tpwatch.Stacks.Holders;

/// <summary>Frames by which a wait for a connection is known, of the libraries that keep pools of them; a part of one is enough.</summary>
static class ConnectionPools
{
    /// <summary>Npgsql; the second is that of its versions before 7.</summary>
    public static ImmutableArray<string> Npgsql { get; } = ["Npgsql.PoolingDataSource", "Npgsql.ConnectorPool"];

    /// <summary>Microsoft.Data.SqlClient and its forerunner.</summary>
    public static ImmutableArray<string> SqlClient { get; } =
        ["ProviderBase.DbConnectionPool", "ConnectionPool.WaitHandleDbConnectionPool", "ConnectionPool.ChannelDbConnectionPool"];

    public static ImmutableArray<string> MySqlConnector { get; } = ["MySqlConnector.Core.ConnectionPool"];

    /// <summary>HttpClient, whose synchronous calls wait in one of two ways.</summary>
    public static ImmutableArray<string> HttpClient { get; } =
        ["System.Net.Http.HttpConnectionWaiter", "TaskCompletionSourceWithCancellation.WaitWithCancellation"];

    /// <summary>How all of them are waited for; who reads from a connection has one.</summary>
    public static ImmutableArray<BlockKind> Kinds { get; } = [BlockKind.Wait, BlockKind.Task];

    static readonly ImmutableArray<string> All = [.. Npgsql, .. SqlClient, .. MySqlConnector, .. HttpClient];

    /// <summary>Whether one of the frames is of such a wait.</summary>
    public static bool IsIn(IEnumerable<FrameName> frames) =>
        frames.Any(frame => All.Any(part => frame.Full.Contains(part, StringComparison.Ordinal)));
}
