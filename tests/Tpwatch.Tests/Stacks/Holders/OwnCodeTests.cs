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

    [Fact]
    public void A_stack_without_any_of_them_is_named_by_its_package() => Assert.Equal(
        "Thing.Worker.Run", Assert.Single(Blockers(Assemblies, Stack(1, [.. Sampled.Lock, "Thing!Thing.Worker.Run()"]))).Frame);

    [Fact]
    public void A_service_that_is_called_like_the_framework_is_still_its_own() =>
        Assert.Equal("Systems.Shop.Load", Assert.Single(Blockers(
            ["System.Shop"], Stack(1, [.. Sampled.Lock, "System.Shop!Systems.Shop.Load()"]))).Frame);

    [Fact]
    public void Drivers_that_are_called_like_the_framework_are_packages() =>
        Assert.Equal("OrderService.Load > SqlConnection.Open > Monitor.Enter", Assert.Single(Blockers(Assemblies, Stack(
            1, [.. Sampled.Lock, "Microsoft.Data.SqlClient!Microsoft.Data.SqlClient.SqlConnection.Open()", Own]))).Chain);

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
    public void The_services_own_frame_in_a_delegate_is_named_and_one_around_it_is_not()
    {
        Assert.Equal("OrderService.Load > Thread.Sleep",
            Assert.Single(Blockers(Assemblies, Stack(1, [.. Sampled.Sleep, Own, Compiled(1), .. Mvc]))).Chain);
        Assert.Equal("an ASP.NET Core endpoint > Thread.Sleep", Assert.Single(Blockers(
            Assemblies, Stack(1, [.. Sampled.Sleep, Compiled(1), .. Mvc, "Shop!Shop.TimingMiddleware.Invoke()"]))).Chain);
    }

    [Fact]
    public void A_delegate_compiled_for_a_hub_is_its_method() =>
        Assert.Equal("a SignalR hub method > Task.Wait", Assert.Single(Blockers(Assemblies, Stack(1,
        [
            .. Sampled.Task, Compiled(1),
            "Microsoft.AspNetCore.SignalR.Core!Microsoft.AspNetCore.SignalR.Internal.DefaultHubDispatcher`1[T].ExecuteMethod()",
        ]))).Chain);

    [Fact]
    public void A_delegate_that_no_endpoint_calls_is_a_packages()
    {
        string[] mapped = [.. Sampled.Sleep, Compiled(1), "AutoMapper!AutoMapper.Mapper.Map()"];
        Assert.Equal(
            "OrderService.Load > Mapper.Map > Thread.Sleep", Assert.Single(Blockers(Assemblies, Stack(1, [.. mapped, Own]))).Chain);
        Assert.Equal("compiled delegate > Thread.Sleep", Assert.Single(Blockers(Assemblies, Stack(1, mapped))).Chain);
    }

    [Fact]
    public void An_endpoint_that_a_middleware_seems_to_call_itself_is_one_all_the_same()
    {
        string[] middleware =
        [
            "Shop!Shop.Timing+<InvokeAsync>d__5.MoveNext()",
            "System.Private.CoreLib!System.Runtime.CompilerServices.AsyncMethodBuilderCore.Start(!!0&)", "Shop!Shop.Timing.InvokeAsync()",
        ];
        const string Server = "Microsoft.AspNetCore.Server.Kestrel.Core!Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http"
            + ".HttpProtocol.ProcessRequests()";
        Assert.Equal("an ASP.NET Core endpoint > Task.Wait", Chain([.. Sampled.Task, Compiled(1), .. middleware, Server]));

        // An endpoint was called already: what it has compiled is its own.
        Assert.Equal("Orders.Map > compiled delegate > Task.Wait",
            Chain([.. Sampled.Task, Compiled(1), "Shop!Shop.Orders.Map()", Compiled(2), .. Mvc, .. middleware, Server]));
        Assert.Equal("Orders.Map > compiled delegate > Task.Wait",
            Chain([.. Sampled.Task, Compiled(1), "Shop!Shop.Orders.Map()", .. Mvc, .. middleware, Server]));

        // No server is anywhere.
        Assert.Equal("async Timing.InvokeAsync > compiled delegate > Task.Wait", Chain([.. Sampled.Task, Compiled(1), .. middleware]));

        static string Chain(string[] frames) => Assert.Single(Blockers(Assemblies, Stack(1, frames))).Chain;
    }

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

    [Fact]
    public void An_iterator_is_no_async_method()
    {
        const string Iterator = "Shop!Shop.Orders+<All>d__5.MoveNext()";
        Assert.Equal("Orders.All > Thread.Sleep", Assert.Single(Blockers(
            Assemblies, Stack(1, [.. Sampled.Sleep, Iterator, "Shop!Shop.Orders.Print()"]))).Chain);
        Assert.Equal("async Orders.All > Thread.Sleep", Assert.Single(Blockers(
            Assemblies, Stack(1, [.. Sampled.Sleep, Iterator, "Shop!Shop.Orders.All()"]))).Chain);
    }

    static string Compiled(int number) =>
        $"Anonymously Hosted DynamicMethods Assembly!dynamicClass.lambda_method{number}(pMT: 0x7f5444c659a0,class System.Object)";

    static SampledStack Stack(int thread, string[] frames) => Sampled.At(thread, frames[..^1], frames[^1]);

    static ImmutableArray<Blocker> Blockers(ImmutableHashSet<string>? own, params SampledStack[] stacks) => Deepened.WithStacks(
        SampleReports.Starved(), new([Sampled.Burst(0, stacks)], []) { Own = own }).Blockers!.Value;
}
