using Tpwatch.Findings.Clues;
using Tpwatch.Reports;
using Tpwatch.Stacks.Holders;

namespace Tpwatch.Tests.Findings;

public sealed class KnownResourceTests
{
    const string Own = "Shop.Orders.Load";

    [Theory]
    [InlineData(BlockKind.Wait, "Npgsql's connection pool", "Maximum Pool Size",
        "System.Threading.SemaphoreSlim.Wait", "Npgsql.PoolingDataSource.Get")]
    [InlineData(BlockKind.Wait, "SqlClient's connection pool", "Max Pool Size",
        "System.Threading.WaitHandle.WaitAny", "Microsoft.Data.ProviderBase.DbConnectionPool.TryGetConnection")]
    [InlineData(BlockKind.Task, "MySqlConnector's connection pool", "Maximum Pool Size",
        "System.Threading.Tasks.Task.InternalWait", "MySqlConnector.Core.ConnectionPool.GetSessionAsync")]
    [InlineData(BlockKind.Task, "HttpClient's connection pool", "MaxConnectionsPerServer",
        "System.Threading.Tasks.Task.InternalWait", "System.Net.Http.HttpConnectionWaiter.WaitForConnectionAsync")]
    [InlineData(BlockKind.Task, "HttpClient's connection pool", "MaxConnectionsPerServer", "System.Threading.Tasks.Task.InternalWait",
        "System.Threading.Tasks.TaskCompletionSourceWithCancellation.WaitWithCancellation",
        "System.Net.Http.HttpConnectionPool.SendWithVersionDetectionAndRetryAsync", "System.Net.Http.HttpClient.Send")]
    [InlineData(BlockKind.Lock, "a lock", "Hold the lock for a shorter time", "System.Threading.Monitor.Enter")]
    [InlineData(BlockKind.Lock, "the console", "Make sure that something reads the output",
        "System.Threading.Monitor.Enter", "System.IO.TextWriter.SyncTextWriter.WriteLine", "System.Console.WriteLine")]
    [InlineData(BlockKind.Wait, "a semaphore", "WaitAsync", "System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait")]
    [InlineData(BlockKind.Wait, "BlockingCollection", "Channel",
        "System.Threading.SemaphoreSlim.Wait", "System.Collections.Concurrent.BlockingCollection.Take")]
    [InlineData(BlockKind.Sleep, "a sleep", "Task.Delay", "System.Threading.Thread.Sleep")]
    [InlineData(BlockKind.Io, "name service", "GetHostAddressesAsync", "Interop.Sys.GetHostEntryForName", "System.Net.Dns.GetHostEntry")]
    [InlineData(BlockKind.Io, "another process", "WaitForExitAsync", "System.Diagnostics.Process.WaitForExit")]
    [InlineData(BlockKind.Io, "a socket", "timeout", "System.Net.Sockets.SocketPal.SysReceive", "System.Net.Sockets.Socket.Receive")]
    [InlineData(BlockKind.Io, "a file", "asynchronous", "System.IO.RandomAccess.ReadAtOffset", "System.IO.FileStream.Read")]
    [InlineData(BlockKind.Task, "a task", "Await the task", "System.Threading.Tasks.Task.InternalWait")]
    [InlineData(BlockKind.Cpu, "processors", "dedicated thread")]
    public void It_is_named_from_the_librarys_frames_with_what_helps_against_it(
        BlockKind kind, string name, string remedy, params string[] inner)
    {
        var known = KnownResource.Of(Blocker(kind, [.. inner, Own]));
        Assert.Contains(name, known.Name, StringComparison.Ordinal);
        Assert.Contains(remedy, known.Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public void What_has_called_the_service_is_not_what_it_waits_for() =>
        Assert.Equal("a sleep", KnownResource.Of(
            Blocker(BlockKind.Sleep, ["System.Threading.Thread.Sleep", Own, "System.Net.Sockets.SocketAsyncEngine.Execute"])).Name);

    [Fact]
    public void An_answer_that_is_read_is_no_wait_for_a_connection()
    {
        string[] inner =
            ["System.Net.Sockets.Socket.Receive", "System.Net.Http.HttpConnection.Fill", "System.Net.Http.HttpConnectionPool.Send"];
        Assert.Equal("a socket", KnownResource.Of(Blocker(BlockKind.Io, [.. inner, Own])).Name);
    }

    [Fact]
    public void A_task_that_no_thread_works_on_needs_a_worker_itself()
    {
        var blocker = Blocker(BlockKind.Task, ["System.Threading.Tasks.Task.InternalWait", Own]);
        Assert.Contains("needs a worker", KnownResource.Of(blocker, WaitsFor.QueuedItems).Name, StringComparison.Ordinal);
        Assert.Equal("a task", KnownResource.Of(blocker, WaitsFor.Outside).Name);
    }

    [Theory]
    [InlineData(BlockKind.Lock, true, "System.Threading.Monitor.Enter")]
    [InlineData(BlockKind.Wait, true, "Npgsql.PoolingDataSource.Get")]
    [InlineData(BlockKind.Native, true, HolderReport.LockOrNative)]
    [InlineData(BlockKind.Sleep, false, "System.Threading.Thread.Sleep")]
    [InlineData(BlockKind.Io, false, "System.Net.Sockets.Socket.Receive")]
    public void What_serves_only_so_many_at_a_time_is_told_apart(BlockKind kind, bool limited, string frame) =>
        Assert.Equal(limited, KnownResource.Of(Blocker(kind, [frame, Own])).IsLimited);

    static Blocker Blocker(BlockKind kind, string[] stack) => new(Own, 1, 10, kind, [.. stack]);
}
