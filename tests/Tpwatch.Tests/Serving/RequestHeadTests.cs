using System.Text;
using Tpwatch.Serve;

namespace Tpwatch.Tests.Serving;

/// <summary>What is a request to us, and what is none.</summary>
public sealed class RequestHeadTests
{
    [Theory]
    [InlineData("GET / HTTP/1.0")]
    [InlineData("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9464\r\nAccept: */*\r\nX-Prometheus-Scrape-Timeout-Seconds: 10")]
    [InlineData("GET /report/Order.Api-41822.json?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 0")]
    public void A_request_is_read(string text)
    {
        var (head, refusal) = Parse(text);
        Assert.Null(refusal);
        Assert.Equal(text.Split(' ')[1].Split('?')[0], head!.Path);
    }

    [Theory]
    [InlineData("")]
    [InlineData("GET /")]
    [InlineData("GET  / HTTP/1.1\r\nHost: a")]
    [InlineData("get / HTTP/1.1\r\nHost: a")]
    [InlineData("GET / HTTP/2.0\r\nHost: a")]
    [InlineData("GET / HTTP/1.1")]
    [InlineData("GET http://a/ HTTP/1.1\r\nHost: a")]
    [InlineData("GET /../etc/passwd HTTP/1.1\r\nHost: a")]
    [InlineData("GET /report/..-1 HTTP/1.1\r\nHost: a")]
    [InlineData("GET /%2e%2e/x HTTP/1.1\r\nHost: a")]
    [InlineData("GET //x HTTP/1.1\r\nHost: a")]
    [InlineData("GET /a\\b HTTP/1.1\r\nHost: a")]
    [InlineData("GET /<script> HTTP/1.1\r\nHost: a")]
    [InlineData("GET / HTTP/1.1\nHost: a")]
    [InlineData("GET / HTTP/1.1\r\nHost: a\r\nHost: b")]
    [InlineData("GET / HTTP/1.1\r\nHost : a")]
    [InlineData("GET / HTTP/1.1\r\nHost: a\r\n folded")]
    [InlineData("GET / HTTP/1.1\r\nHost: a\0")]
    [InlineData("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5")]
    [InlineData("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked")]
    public void What_is_not_exactly_a_request_is_refused_with_a_sentence(string text)
    {
        var (head, refusal) = Parse(text);
        Assert.Null(head);
        Assert.NotEmpty(refusal!);
    }

    [Fact]
    public void An_address_longer_than_ours_is_refused() => Assert.NotNull(Parse($"GET /{new string('a', 600)} HTTP/1.0").Refusal);

    [Fact]
    public void More_headers_than_anybody_sends_are_refused() => Assert.NotNull(
        Parse("GET / HTTP/1.0" + string.Concat(Enumerable.Range(0, 100).Select(n => $"\r\nX{n}: 1"))).Refusal);

    static (RequestHead? Head, string? Refusal) Parse(string text) => RequestHead.Parse(Encoding.Latin1.GetBytes(text));
}
