using Tpwatch.Events;

namespace Tpwatch.Tests.Events;

public sealed class RouteNamesTests
{
    [Theory]
    [InlineData("/", "GET /")]
    [InlineData("", "GET ")]
    [InlineData("/orders/1234", "GET /orders/{n}")]
    [InlineData("/api/v2/orders/7/lines/", "GET /api/v2/orders/{n}/lines/")]
    [InlineData("/days/2026-11-22", "GET /days/{n}")]
    [InlineData("/orders/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "GET /orders/{id}")]
    [InlineData("/blobs/9f86d081884c7d659a2feaa0c55ad015", "GET /blobs/{id}")]
    [InlineData("/t/eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "GET /t/{id}")]
    [InlineData("/users/anna@example.org/mail", "GET /users/{id}/mail")]
    [InlineData("/orders/ORD-20931", "GET /orders/{id}")]
    [InlineData("/big-json-content-3", "GET /big-json-content-3")]
    [InlineData("/s/ab12-shared-x", "GET /s/{id}")]
    [InlineData("/search/a b\nc", "GET /search/{id}")]
    [InlineData("/a-word-that-is-far-too-long-to-be-one", "GET /{id}")]
    public void What_tells_one_customer_from_another_is_replaced(string path, string route) =>
        Assert.Equal(route, new RouteNames(whole: false).Of("GET", path));

    [Fact]
    public void Whole_paths_are_told_to_who_asks_without_characters_that_steer_a_terminal() =>
        Assert.Equal("POST /orders/1234?[31m", new RouteNames(whole: true).Of("POST", "/orders/1234\u001b[31m"));

    [Theory]
    [InlineData("G\u001bT")]
    [InlineData("AMETHODTHATISTOOLONG")]
    public void A_method_that_is_none_is_not_told(string method) =>
        Assert.Equal("? /a", new RouteNames(whole: false).Of(method, "/a"));

    [Fact]
    public void However_long_a_path_and_however_many_there_are_names_are_bounded()
    {
        var names = new RouteNames(whole: false);
        Assert.InRange(names.Of("GET", string.Concat(Enumerable.Repeat("/part", 10_000))).Length, 1, 204);
        Assert.InRange(new RouteNames(whole: true).Of("GET", new string('/', 100_000)).Length, 1, 204);
        var many = Enumerable.Range(0, 1000).Select(n => names.Of("GET", $"/{(char)('a' + n % 26)}{(char)('a' + n / 26)}{n % 10}"));
        Assert.InRange(many.Distinct().Count(), 1, RouteNames.Most + 1);
        Assert.Equal(RouteNames.Others, names.Of("GET", "/one-more"));
    }

    [Fact]
    public void A_name_is_made_once()
    {
        var names = new RouteNames(whole: false);
        Assert.Same(names.Of("GET", "/orders/1"), names.Of("GET", "/orders/2"));
    }
}
