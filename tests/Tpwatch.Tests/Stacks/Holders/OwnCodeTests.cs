using System.Collections.Immutable;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Stacks.Holders;

/// <summary>Whose code is named: the service's own, before that of packages and of delegates that were compiled at run time.</summary>
public sealed class OwnCodeTests
{
    const string Own = "Shop!Shop.Data.OrderService.Load(int32)";

    /// <summary>As Npgsql 9 stands on a stack when its connection pool is exhausted.</summary>
    static readonly string[] Npgsql =
    [
        .. Sampled.Semaphore, "Npgsql!Npgsql.PoolingDataSource+<<Get>g__RentAsync|29_0>d.MoveNext()",
        "System.Private.CoreLib!System.Runtime.CompilerServices.AsyncMethodBuilderCore.Start(!!0&)",
        "Npgsql!Npgsql.PoolingDataSource.Get(class Npgsql.NpgsqlConnection)", "Npgsql!Npgsql.NpgsqlConnection.Open(bool)",
        "Npgsql!Npgsql.NpgsqlDataSource.OpenConnection()",
    ];

    /// <summary>As seen of MVC on .NET 10: the action is inlined into the delegate.</summary>
    static readonly string[] Mvc =
    [
        "Microsoft.AspNetCore.Mvc.Core!Microsoft.AspNetCore.Mvc.Infrastructure.ActionMethodExecutor+SyncObjectResultExecutor.Execute()",
        "Microsoft.AspNetCore.Mvc.Core!Microsoft.AspNetCore.Mvc.Infrastructure.ControllerActionInvoker.InvokeActionMethodAsync()",
    ];

    const string Iterator = "Shop!Shop.Orders+<All>d__5.MoveNext()";

    const string Mapper = "AutoMapper!AutoMapper.Mapper.Map()";

    const string Server = "Microsoft.AspNetCore.Server.Kestrel.Core!Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http"
        + ".HttpProtocol.ProcessRequests()";

    static readonly string[] Middleware =
    [
        "Shop!Shop.Timing+<InvokeAsync>d__5.MoveNext()",
        "System.Private.CoreLib!System.Runtime.CompilerServices.AsyncMethodBuilderCore.Start(!!0&)", "Shop!Shop.Timing.InvokeAsync()",
    ];

    static readonly ImmutableHashSet<string> Assemblies = ["Shop"];

    [Fact]
    public void The_services_own_frame_comes_first_then_the_packages_entry_then_the_wait()
    {
        var first = Assert.Single(Blockers(Assemblies, Stack(1, [.. Npgsql, Own])));
        Assert.Equal("Shop.Data.OrderService.Load", first.Frame);
        Assert.Equal("OrderService.Load > NpgsqlDataSource.OpenConnection > SemaphoreSlim.Wait", first.Chain);
        Assert.Equal(["NpgsqlDataSource.OpenConnection"], first.Through);
        Assert.Equal(BlockKind.Wait, first.Kind);
    }

    [Fact]
    public void Where_nobody_knows_the_services_assemblies_the_first_frame_that_is_not_the_runtimes_is_named()
    {
        var first = Assert.Single(Blockers(null, Stack(1, [.. Npgsql, Own])));
        Assert.Equal("async local function RentAsync of Npgsql.PoolingDataSource.Get", first.Frame);
        Assert.Empty(first.Through);
    }

    /// <summary>The chain, the service's assembly, and the frames of one worker behind its wait, innermost first.</summary>
    public static TheoryData<string, string, string[]> Chains => new()
    {
        // A stack without any of the service's own is named by its package.
        { "Worker.Run > Monitor.Enter", "Shop", [.. Sampled.Lock, "Thing!Thing.Worker.Run()"] },
        // A service that is called like the framework is still its own, and drivers that are called so are packages.
        { "Shop.Load > Monitor.Enter", "System.Shop", [.. Sampled.Lock, "System.Shop!Systems.Shop.Load()"] },
        {
            "OrderService.Load > SqlConnection.Open > Monitor.Enter", "Shop",
            [.. Sampled.Lock, "Microsoft.Data.SqlClient!Microsoft.Data.SqlClient.SqlConnection.Open()", Own]
        },
        // The service's own frame in a delegate is named, and one around it is not.
        { "OrderService.Load > Thread.Sleep", "Shop", [.. Sampled.Sleep, Own, Compiled(1), .. Mvc] },
        {
            "an ASP.NET Core endpoint > Thread.Sleep", "Shop",
            [.. Sampled.Sleep, Compiled(1), .. Mvc, "Shop!Shop.TimingMiddleware.Invoke()"]
        },
        {
            "a SignalR hub method > Task.Wait", "Shop",
            [
                .. Sampled.Task, Compiled(1),
                "Microsoft.AspNetCore.SignalR.Core!Microsoft.AspNetCore.SignalR.Internal.DefaultHubDispatcher`1[T].ExecuteMethod()",
            ]
        },
        // A delegate that no endpoint calls is a package's.
        { "OrderService.Load > Mapper.Map > Thread.Sleep", "Shop", [.. Sampled.Sleep, Compiled(1), Mapper, Own] },
        { "compiled delegate > Thread.Sleep", "Shop", [.. Sampled.Sleep, Compiled(1), Mapper] },
        // An endpoint that a middleware seems to call itself is one all the same.
        { "an ASP.NET Core endpoint > Task.Wait", "Shop", [.. Sampled.Task, Compiled(1), .. Middleware, Server] },
        // An endpoint was called already: what it has compiled is its own.
        {
            "Orders.Map > compiled delegate > Task.Wait", "Shop",
            [.. Sampled.Task, Compiled(1), "Shop!Shop.Orders.Map()", Compiled(2), .. Mvc, .. Middleware, Server]
        },
        {
            "Orders.Map > compiled delegate > Task.Wait", "Shop",
            [.. Sampled.Task, Compiled(1), "Shop!Shop.Orders.Map()", .. Mvc, .. Middleware, Server]
        },
        // No server is anywhere.
        { "async Timing.InvokeAsync > compiled delegate > Task.Wait", "Shop", [.. Sampled.Task, Compiled(1), .. Middleware] },
        // An iterator is no async method.
        { "Orders.All > Thread.Sleep", "Shop", [.. Sampled.Sleep, Iterator, "Shop!Shop.Orders.Print()"] },
        { "async Orders.All > Thread.Sleep", "Shop", [.. Sampled.Sleep, Iterator, "Shop!Shop.Orders.All()"] },
    };

    [Theory]
    [MemberData(nameof(Chains))]
    public void A_place_is_named_by_whose_code_it_is(string chain, string assembly, string[] frames) =>
        Assert.Equal(chain, Assert.Single(Blockers([assembly], Stack(1, frames))).Chain);

    [Fact]
    public void Delegates_compiled_for_endpoints_are_one_place()
    {
        var stacks = Enumerable.Range(1, 10).Select(n => Stack(n, [.. Sampled.Sleep, Compiled(n), .. Mvc])).ToArray();
        var one = Assert.Single(Blockers(Assemblies, stacks));
        Assert.Equal(("an ASP.NET Core endpoint > Thread.Sleep", 1.0, 10), (one.Chain, one.Share, one.Threads));
    }

    [Fact]
    public void Endpoints_that_wait_in_different_calls_are_different_places() =>
        Assert.Equal(["an ASP.NET Core endpoint > Thread.Sleep", "an ASP.NET Core endpoint > Task.Wait"], Blockers(
            Assemblies, Stack(1, [.. Sampled.Sleep, Compiled(1), .. Mvc]), Stack(2, [.. Sampled.Sleep, Compiled(2), .. Mvc]),
            Stack(3, [.. Sampled.Task, Compiled(3), .. Mvc])).Select(b => b.Chain));

    [Fact]
    public void Where_some_wait_for_a_connection_it_is_what_lacks_though_more_are_using_one()
    {
        string[] query = [.. Sampled.Receive, "Npgsql!Npgsql.NpgsqlCommand.ExecuteScalar()", Own];
        var using5 = Enumerable.Range(1, 5).Select(n => Stack(n, query)).ToArray();
        Assert.Equal("OrderService.Load > NpgsqlCommand.ExecuteScalar > Socket.Receive", Assert.Single(Blockers(Assemblies, using5)).Chain);

        var first = Assert.Single(Blockers(Assemblies, [.. using5, Stack(6, [.. Npgsql, Own])]));
        Assert.Equal("OrderService.Load > NpgsqlDataSource.OpenConnection > SemaphoreSlim.Wait", first.Chain);
        Assert.Equal((BlockKind.Wait, 6, 1.0), (first.Kind, first.Threads, first.Share));

        // One in thirty has just come.
        var using29 = Enumerable.Range(1, 29).Select(n => Stack(n, query)).ToArray();
        Assert.Equal(BlockKind.Io, Assert.Single(Blockers(Assemblies, [.. using29, Stack(30, [.. Npgsql, Own])])).Kind);
    }

    static string Compiled(int number) =>
        $"Anonymously Hosted DynamicMethods Assembly!dynamicClass.lambda_method{number}(pMT: 0x7f5444c659a0,class System.Object)";

    static SampledStack Stack(int thread, string[] frames) => Sampled.At(thread, frames[..^1], frames[^1]);

    static ImmutableArray<Blocker> Blockers(ImmutableHashSet<string>? own, params SampledStack[] stacks) => Deepened.WithStacks(
        SampleReports.Starved(), new([Sampled.Burst(0, stacks)], []) { Own = own }).Blockers!.Value;
}
