using System.Collections.Immutable;
using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Stacks.Holders;

public sealed class RequestsOnThreadsTests
{
    const string Load = "Shop!Shop.Orders.Load(int32)";
    const string Compiled = "Anonymously Hosted DynamicMethods Assembly!dynamicClass.lambda_method1(class System.Object)";
    const string Routing = "Microsoft.AspNetCore.Routing!Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke(class Context)";
    const string Server = "Microsoft.AspNetCore.Server.Kestrel.Core!"
        + "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol+<ProcessRequests>d__238`1.MoveNext()";

    static readonly SampledStack HeldSinceItsStart = Worker([.. Sampled.Sleep, Load, Routing, Server]);
    static readonly SampledStack AfterAnAwait = Worker([.. Sampled.Sleep, Load]);

    [Fact]
    public void A_request_that_has_not_awaited_is_the_one_that_began_on_the_thread() =>
        Assert.Equal(("GET /a > Orders.Load > Thread.Sleep", true), Named(HeldSinceItsStart, Stretch(500, 3000, "GET /a", null)));

    [Fact]
    public void So_it_is_when_another_ends_there_next() =>
        Assert.Equal("GET /a > Orders.Load > Thread.Sleep", Named(HeldSinceItsStart, Stretch(500, 3000, "GET /a", "GET /b", 100)).Chain);

    [Fact]
    public void A_request_that_was_blocked_before_the_session_is_known_when_it_ends() =>
        Assert.Equal(("GET /a > Orders.Load > Thread.Sleep", true), Named(HeldSinceItsStart, Stretch(0, 3000, null, "GET /a")));

    [Fact]
    public void One_that_has_awaited_is_likely_the_next_that_ends_on_its_thread() =>
        Assert.Equal(
            ("GET /b (likely) > Orders.Load > Thread.Sleep", false), Named(AfterAnAwait, Stretch(500, 3000, "GET /a", "GET /b", 100)));

    [Fact]
    public void Not_when_that_one_began_only_later() =>
        Assert.Equal("Orders.Load > Thread.Sleep", Named(AfterAnAwait, Stretch(500, 3000, "GET /a", "GET /b", 2000)).Chain);

    [Fact]
    public void Nothing_is_claimed_where_nothing_ended_or_two_routes_fit()
    {
        Assert.Equal("Orders.Load > Thread.Sleep", Named(AfterAnAwait, Stretch(500, 3000, "GET /a", null)).Chain);
        Assert.Equal("Orders.Load > Thread.Sleep", Named(AfterAnAwait, Stretch(1500, 3000, null, "GET /a")).Chain);
        Assert.Equal(
            "Orders.Load > Thread.Sleep",
            Named(HeldSinceItsStart, Stretch(500, 1010, "GET /a", "GET /a"), Stretch(1010, 2000, "GET /b", null)).Chain);
        Assert.Equal("Orders.Load > Thread.Sleep", Named(HeldSinceItsStart).Chain);
    }

    [Fact]
    public void Delegates_without_a_name_are_named_by_their_routes_and_told_apart_by_them()
    {
        SampledStack At(int thread) => Worker([.. Sampled.Sleep, Compiled, Routing, Server]) with { ThreadId = thread };
        ThreadRequestSpan On(int thread, string route) => Stretch(500, 3000, route, null) with { ThreadId = thread };
        var same = Blockers([At(1), At(2), At(3)], On(1, "GET /a"), On(2, "GET /a"));
        Assert.Equal(["GET /a > Thread.Sleep"], same.Select(b => b.Chain));
        var apart = Blockers([At(1), At(2), At(3)], On(1, "GET /a"), On(2, "GET /b"), On(3, "GET /a"));
        Assert.Equal([("GET /a > Thread.Sleep", 2), ("GET /b > Thread.Sleep", 1)], apart.Select(b => (b.Chain, b.Threads)));
    }

    [Theory]
    [InlineData(1, "Orders.Load > Thread.Sleep")]
    [InlineData(2, "GET /b (likely) > Orders.Load > Thread.Sleep")]
    public void A_likely_route_is_told_where_most_of_a_place_have_it(int threads, string expected)
    {
        SampledStack[] stacks = [.. Enumerable.Range(1, 3).Select(thread => AfterAnAwait with { ThreadId = thread })];
        ThreadRequestSpan[] seen = [.. Enumerable.Range(1, threads).Select(
            thread => Stretch(500, 3000, "GET /a", "GET /b", 100) with { ThreadId = thread })];
        Assert.Equal(expected, Blockers(stacks, seen).Single().Chain);
    }

    static (string Chain, bool Sure) Named(SampledStack stack, params ThreadRequestSpan[] stretches)
    {
        var blocker = Blockers([stack], stretches).Single();
        return (blocker.Chain, blocker.Routes is [{ Sure: true }]);
    }

    static ImmutableArray<Blocker> Blockers(SampledStack[] stacks, params ThreadRequestSpan[] stretches)
    {
        var span = new EventSpan(SampleReports.At(0), SampleReports.At(3000));
        var requests = new RequestSnapshot { Routes = [], Stretches = [.. stretches], OverTime = [], Unmatched = 0, Listened = span };
        return Deepened.WithStacks(SampleReports.Starved(), new([Sampled.Burst(1000, stacks)], []), requests).Blockers!.Value;
    }

    static ThreadRequestSpan Stretch(double from, double to, string? begun, string? ended, double? since = null) => new(
        1, new(SampleReports.At(from), SampleReports.At(to)), begun, ended, since is { } ms ? SampleReports.At(ms) : null);

    static SampledStack Worker(string[] frames) => Sampled.At(1, frames[..^1], frames[^1]);
}
