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

    /// <summary>A stack, what is known of the requests of its thread, and the chain that it is told with; whether that is sure.</summary>
    static (string What, SampledStack Stack, RequestEventInterval[] Seen, string Route, bool Sure)[] Stacks =>
    [
        ("it has not awaited", HeldSinceItsStart, [Stretch(500, 3000, "GET /a", null)], "GET /a > ", true),
        ("another ends there next", HeldSinceItsStart, [Stretch(500, 3000, "GET /a", "GET /b", 100)], "GET /a > ", true),
        ("it was blocked before the session", HeldSinceItsStart, [Stretch(0, 3000, null, "GET /a")], "GET /a > ", true),
        ("one that has awaited is the next that ends",
            AfterAnAwait, [Stretch(500, 3000, "GET /a", "GET /b", 100)], "GET /b (likely) > ", false),
        ("not when that one began only later", AfterAnAwait, [Stretch(500, 3000, "GET /a", "GET /b", 2000)], "", false),
        ("nothing ended", AfterAnAwait, [Stretch(500, 3000, "GET /a", null)], "", false),
        ("it began after the stack", AfterAnAwait, [Stretch(1500, 3000, null, "GET /a")], "", false),
        ("two routes fit", HeldSinceItsStart,
            [Stretch(500, 1010, "GET /a", "GET /a"), Stretch(1010, 2000, "GET /b", null)], "", false),
        ("no request was seen", HeldSinceItsStart, [], "", false),
    ];

    [Fact]
    public void A_request_is_told_where_one_alone_can_be_on_the_thread() =>
        Assert.Equal(Stacks.Select(one => (one.What, one.Route + "Orders.Load > Thread.Sleep", one.Sure)), Stacks.Select(one =>
            Blockers([one.Stack], one.Seen).Single() is var told ? (one.What, told.Chain, told.Routes is [{ Sure: true }]) : default));

    [Fact]
    public void Delegates_without_a_name_are_named_by_their_routes_and_told_apart_by_them()
    {
        SampledStack At(int thread) => Worker([.. Sampled.Sleep, Compiled, Routing, Server]) with { ThreadId = thread };
        RequestEventInterval On(int thread, string route) => Stretch(500, 3000, route, null) with { ThreadId = thread };
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
        RequestEventInterval[] seen = [.. Enumerable.Range(1, threads).Select(
            thread => Stretch(500, 3000, "GET /a", "GET /b", 100) with { ThreadId = thread })];
        Assert.Equal(expected, Blockers(stacks, seen).Single().Chain);
    }

    static ImmutableArray<Blocker> Blockers(SampledStack[] stacks, params RequestEventInterval[] stretches)
    {
        var span = new EventSpan(SampleReports.At(0), SampleReports.At(3000));
        var requests = new RequestSnapshot { Routes = [], Stretches = [.. stretches], OverTime = [], Unmatched = 0, Listened = span };
        return Deepened.WithStacks(SampleReports.Starved(), new([Sampled.Burst(1000, stacks)], []), requests).Blockers!.Value;
    }

    static RequestEventInterval Stretch(double from, double to, string? begun, string? ended, double? since = null) => new(
        1, new(SampleReports.At(from), SampleReports.At(to)), begun, ended, since is { } ms ? SampleReports.At(ms) : null);

    static SampledStack Worker(string[] frames) => Sampled.At(1, frames[..^1], frames[^1]);
}
