using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Stacks.Holders;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Findings;

/// <summary>What a call waits for by its frames, and what helps against it.</summary>
public sealed class KnownResourceTests
{
    const string Core = "System.Private.CoreLib!System.";

    static readonly string[] Event =
        [Core + "Threading.WaitHandle.WaitOneNoCheck(int32)", Core + "Threading.WaitHandle.WaitOne()"];

    public static TheoryData<Resource, string[]> Frames => new()
    {
        { Resource.NpgsqlConnection, [.. Sampled.Semaphore, "Npgsql!Npgsql.PoolingDataSource.Get()"] },
        {
            Resource.SqlClientConnection,
            [.. Event, "Microsoft.Data.SqlClient!Microsoft.Data.ProviderBase.DbConnectionPool.TryGetConnection()"]
        },
        { Resource.MySqlConnection, [.. Sampled.Task, "MySqlConnector!MySqlConnector.Core.ConnectionPool.GetSessionAsync()"] },
        {
            Resource.HttpConnection,
            [.. Sampled.Task, "System.Net.Http!System.Net.Http.HttpConnectionWaiter`1[T].WaitForConnectionAsync()"]
        },
        {
            Resource.HttpConnection,
            [
                .. Sampled.Task, "System.Net.Http!System.Net.Http.HttpConnectionPool.SendWithVersionDetectionAndRetryAsync()",
                "System.Net.Http!System.Net.Http.HttpClient.Send()",
            ]
        },
        {
            Resource.HttpConnection,
            [
                .. Sampled.Task, "System.Net.Http!System.Threading.Tasks.TaskCompletionSourceWithCancellation`1[T].WaitWithCancellation()",
                "System.Net.Http!System.Net.Http.HttpConnectionPool.SendWithVersionDetectionAndRetryAsync()",
                "System.Net.Http!System.Net.Http.HttpClient.Send()",
            ]
        },
        {
            // An answer that is read is no wait for a connection.
            Resource.Socket,
            [
                .. Sampled.Receive, "System.Net.Http!System.Net.Http.HttpConnection.Fill()",
                "System.Net.Http!System.Net.Http.HttpConnectionPool.SendWithVersionDetectionAndRetryAsync()",
            ]
        },
        {
            Resource.CertificateStatus,
            [
                .. Sampled.Receive,
                "System.Security.Cryptography!System.Security.Cryptography.X509Certificates.CertificateAssetDownloader.DownloadAsset()",
                "System.Security.Cryptography!System.Security.Cryptography.X509Certificates.X509Chain.Build()",
            ]
        },
        { Resource.Lock, Sampled.Lock },
        {
            Resource.StandardOutput,
            [.. Sampled.Lock, Core + "IO.TextWriter+SyncTextWriter.WriteLine()", "System.Console!System.Console.WriteLine()"]
        },
        { Resource.StaticConstructor, [.. Sampled.Lock, Core + "Runtime.CompilerServices.InitHelpers.InitClassSlow(void*)"] },
        { Resource.LazyValue, [.. Sampled.Lock, Core + "Lazy`1[T].ExecutionAndPublication()", Core + "Lazy`1[T].get_Value()"] },
        { Resource.ReadLock, [Core + "Threading.ReaderWriterLockSlim.TryEnterReadLockCore()"] },
        { Resource.WriteLock, [Core + "Threading.ReaderWriterLockSlim.TryEnterWriteLockCore()"] },
        { Resource.Semaphore, Sampled.Semaphore },
        {
            Resource.CollectionItem,
            [.. Sampled.Semaphore, "System.Collections.Concurrent!System.Collections.Concurrent.BlockingCollection`1[T].Take()"]
        },
        {
            Resource.CollectionSpace,
            [
                .. Sampled.Semaphore,
                "System.Collections.Concurrent!System.Collections.Concurrent.BlockingCollection`1[T].TryAddWithNoTimeValidation()",
            ]
        },
        { Resource.Sleep, Sampled.Sleep },
        {
            Resource.NameService,
            ["System.Net.NameResolution!Interop+Sys.GetHostEntryForName()", "System.Net.NameResolution!System.Net.Dns.GetHostEntry()"]
        },
        { Resource.OtherProcess, [.. Event, "System.Diagnostics.Process!System.Diagnostics.Process.WaitForExit()"] },
        {
            Resource.Redis,
            [Core + "Threading.Monitor.Wait()", "StackExchange.Redis!StackExchange.Redis.ConnectionMultiplexer.ExecuteSyncImpl()"]
        },
        { Resource.DatabaseFile, [.. Sampled.Sleep, "Microsoft.Data.Sqlite!Microsoft.Data.Sqlite.SqliteCommand.ExecuteReader()"] },
        { Resource.Thread, [Core + "Threading.Thread.Join(int32)"] },
        { Resource.Finalizers, [Core + "GC.WaitForPendingFinalizers()"] },
        { Resource.Socket, Sampled.Receive },
        { Resource.File, ["System.Private.CoreLib!System.IO.RandomAccess.ReadAtOffset()", Core + "IO.FileStream.Read()"] },
        {
            Resource.FileOpen,
            ["System.Private.CoreLib!Interop+Sys.Open()", "System.Private.CoreLib!Microsoft.Win32.SafeHandles.SafeFileHandle.Open()"]
        },
        { Resource.Task, Sampled.Task },
        { Resource.AllTasks, Sampled.WaitAll },
        { Resource.Event, Event },
        { Resource.Event, ["System.Private.CoreLib!Interop+Sys.LowLevelMonitor_TimedWait.__PInvoke()"] },
        { Resource.Event, [Core + "Threading.WaitSubsystem+WaitableObject.Wait_Locked()"] },
        { Resource.Unseen, [] },
    };

    [Theory]
    [MemberData(nameof(Frames))]
    public void It_is_known_by_the_librarys_frames(Resource resource, string[] wait) =>
        Assert.Equal(resource, StackClassifier.Of(Sampled.At(1, wait)).Resource);

    [Fact]
    public void What_has_called_the_service_is_not_what_it_waits_for() => Assert.Equal(Resource.Sleep, StackClassifier.Of(new(1, 30, false,
        [.. Sampled.Sleep, "Shop!Shop.Orders.Load()", "System.Net.Sockets!System.Net.Sockets.SocketAsyncEngine.Execute()"])).Resource);

    [Fact]
    public void A_wait_in_the_body_of_a_parallel_loop_is_the_loops()
    {
        string[] loop = [.. Sampled.Sleep, "Shop!Shop.Orders+<>c.<Load>b__0_0(int32)",
            "System.Threading.Tasks.Parallel!System.Threading.Tasks.Parallel+<>c__DisplayClass19_0`2[T,U].<ForWorker>b__1()",
            "System.Threading.Tasks.Parallel!System.Threading.Tasks.TaskReplicator+Replica.Execute()"];
        var worker = Sampled.At(1, []).Frames[1..];
        Assert.Equal(Resource.ParallelLoop, StackClassifier.Of(new(1, 30, false, [.. loop, .. worker])).Resource);
    }

    [Fact]
    public void What_the_framework_runs_on_a_worker_for_an_awaited_call_is_told_apart()
    {
        var worker = Sampled.At(1, []).Frames[1..];
        var names = StackClassifier.Of(new(1, 30, false, ["System.Net.NameResolution!System.Net.NameResolutionPal.GetAddrInfo()",
            "System.Net.NameResolution!System.Net.Dns+<>c.<RunAsync>b__0()", Core + "Threading.Tasks.Task.InnerInvoke()",
            Core + "Threading.Tasks.Task.ExecuteWithThreadLocal()", .. worker]));
        Assert.Equal((Resource.AwaitedNameService, "Dns.RunAsync"), (names.Resource, names.Brief[^12..]));
        Assert.Equal(Resource.AwaitedFile, StackClassifier.Of(new(1, 30, false, [Core + "IO.RandomAccess.ReadAtOffset()",
            "System.Private.CoreLib!Microsoft.Win32.SafeHandles.SafeFileHandle+ThreadPoolValueTaskSource.ExecuteInternal()", .. worker]))
            .Resource);
    }

    [Theory]
    [InlineData("Microsoft.Data.Sqlite!Microsoft.Data.Sqlite.SqliteCommand.ExecuteReaderAsync()", true)]
    [InlineData("Npgsql!Npgsql.NpgsqlCommand.ExecuteReader()", false)]
    public void Code_that_awaits_already_is_known_by_the_call_that_it_makes(string call, bool awaits)
    {
        string[] wait = [.. Sampled.Sleep, call, "Shop!Shop.Orders+<LoadAsync>d__1.MoveNext()"];
        Assert.Equal(awaits, StackClassifier.Of(
            Sampled.At(1, wait, Core + "Runtime.CompilerServices.AsyncMethodBuilderCore.Start()"), ["Shop"]).AwaitsAlready);
    }

    /// <summary>MySqlConnection.Open is short enough to be inlined, and what it calls is named as if it were asynchronous.</summary>
    [Fact]
    public void A_synchronous_caller_of_an_asynchronous_method_may_await_or_not()
    {
        var shape = StackClassifier.Of(Sampled.At(1, [.. Sampled.Sleep, "MySqlConnector!MySqlConnector.MySqlConnection.OpenAsync()"]),
            ["Shop"]);
        Assert.Null(shape.AwaitsAlready);
        Assert.StartsWith("If the code calls this synchronously, use the asynchronous call and await it. ",
            KnownResource.Of(Blocker(Resource.Socket) with { AwaitsAlready = null }).Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public void Code_that_awaits_already_is_never_told_to_await()
    {
        foreach (var resource in Enum.GetValues<Resource>())
        {
            var remedy = KnownResource.Of(Blocker(resource) with { AwaitsAlready = true }).Remedy;
            Assert.DoesNotMatch("^Await|and await| await ", remedy);
        }
    }

    /// <summary>A producer of Kafka that waits in native code: the code has no wait of its own to look for.</summary>
    [Fact]
    public void A_wait_without_a_frame_inside_a_library_is_the_librarys()
    {
        var own = Blocker(Resource.Unseen);
        Assert.StartsWith("Find the call in this method", KnownResource.Of(own).Remedy, StringComparison.Ordinal);
        Assert.StartsWith("This call waits inside its library", KnownResource.Of(own with { Through = ["Producer.Flush"] }).Remedy,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_task_that_no_thread_works_on_needs_a_worker_itself()
    {
        Assert.Contains("needs a worker", KnownResource.Of(Blocker(Resource.Task), WaitsFor.QueuedItems).Name, StringComparison.Ordinal);
        Assert.Equal("a task", KnownResource.Of(Blocker(Resource.Task), WaitsFor.Outside).Name);
    }

    [Fact]
    public void HttpClients_pool_is_called_limited_only_where_the_limit_was_read()
    {
        Assert.Equal(
            [MoreThreadsEffect.MayHelp, MoreThreadsEffect.Help, MoreThreadsEffect.DoNotHelp],
            ((int?[])[null, int.MaxValue, 4])
                .Select(limit => KnownResource.Of(Blocker(Resource.HttpConnection) with { Limit = limit }).Threads));
    }

    [Fact]
    public void A_lock_whose_holder_waits_for_a_task_may_be_cured_by_a_thread() => Assert.Equal(
        [MoreThreadsEffect.DoNotHelp, MoreThreadsEffect.DoNotHelp, MoreThreadsEffect.MayHelp],
        ((BlockKind?[])[null, BlockKind.Sleep, BlockKind.Task])
            .Select(waits => KnownResource.Of(Blocker(Resource.Lock) with { OwnerWaits = waits }).Threads));

    [Fact]
    public void Each_kind_has_a_name_and_a_remedy_and_says_on_what_it_depends()
    {
        foreach (var resource in Enum.GetValues<Resource>())
        {
            var known = KnownResource.Of(Blocker(resource));
            Assert.False(known.Name.EndsWith('.') || known.Remedy.EndsWith('.') || known.Name.Length == 0, $"{resource}");
            Assert.Equal(known.Threads == MoreThreadsEffect.MayHelp, known.If is not null);
        }
    }

    [Fact]
    public void Different_waits_in_one_method_are_told_with_their_shares_and_the_largest_leads()
    {
        string[] connection = [.. Sampled.Task, "System.Net.Http!System.Net.Http.HttpConnectionWaiter`1[T].WaitForConnectionAsync()"];
        var first = Deepened.WithStacks(Render.SampleReports.Starved(), new([Sampled.Burst(0, Sampled.At(1, Sampled.Receive),
            Sampled.At(2, Sampled.Receive), Sampled.At(3, connection))], [])).Blockers!.Value[0];
        Assert.Equal((Resource.Socket, BlockKind.Io), (first.Resource, first.Kind));
        Assert.Equal([Resource.Socket, Resource.HttpConnection], first.Waits.Select(w => w.Resource));
        Assert.Equal("33% of them wait for a connection of HttpClient's connection pool", BlockingPlaceWords.OtherWaits(first));
    }

    static Blocker Blocker(Resource resource) => new("Shop.Orders.Load", 1, 10, BlockKind.Wait, []) { Resource = resource };
}
