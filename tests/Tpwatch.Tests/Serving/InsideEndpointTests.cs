using System.Text;
using Tpwatch.Inside;
using Tpwatch.Serve;
using Tpwatch.Tests.Stacks;

namespace Tpwatch.Tests.Serving;

/// <summary>Who may have memory read through the server, and what comes back.</summary>
public sealed class InsideEndpointTests : OfPages
{
    const string Known = "/inside/pool-burst-0";

    readonly List<int> read = [];
    TaskCompletionSource<InsideOutcome> reading = new();

    public InsideEndpointTests() => reading.SetResult(new(SomeInside.Starved(), null));

    [Fact]
    public async Task What_was_read_is_told_as_text_with_the_verdict_of_the_moment()
    {
        using var pages = await PagesAsync();
        var reply = await AnswerAsync(pages, Known);
        var text = Encoding.UTF8.GetString(reply.Body);
        Assert.Equal((200, "text/plain; charset=utf-8"), (reply.Status, reply.Type));
        Assert.Contains(" at the moment of the reading. ", text, StringComparison.Ordinal);
        Assert.Contains("process 0", text, StringComparison.Ordinal);
        Assert.Equal([0], read);
    }

    [Fact]
    public async Task Why_nothing_was_read_is_told()
    {
        reading = new();
        reading.SetResult(new(null, "tpwatch could not read the process's memory: it is not permitted."));
        using var pages = await PagesAsync();
        var reply = await AnswerAsync(pages, Known);
        Assert.Equal(503, reply.Status);
        Assert.Contains("it is not permitted", Encoding.UTF8.GetString(reply.Body), StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_reading_is_made_at_a_time()
    {
        reading = new();
        using var pages = await PagesAsync();
        var first = AnswerAsync(pages, Known);
        Assert.Equal(429, (await AnswerAsync(pages, Known)).Status);
        reading.SetResult(new(SomeInside.Starved(), null));
        Assert.Equal((200, 200), ((await first).Status, (await AnswerAsync(pages, Known)).Status));
        Assert.Equal(2, read.Count);
    }

    [Theory]
    [InlineData("GET", Known, "accept", "", true, 405)]
    [InlineData("POST", "/inside/pool-burst-8", "accept", "", true, 404)]
    [InlineData("POST", Known, "host", "rebound.example", true, 403)]
    [InlineData("POST", Known, "host", "localhost", false, 403)]
    [InlineData("POST", Known, "origin", "http://localhost:9464", true, 403)]
    [InlineData("POST", Known, "authorization", "Bearer nobody-gave-one-out", true, 401)]
    public async Task Who_may_not_read_or_was_not_allowed_reads_nothing(
        string method, string path, string header, string value, bool allowed, int status)
    {
        using var pages = await PagesAsync(allowed);
        Assert.Equal(status, (await AnswerAsync(pages, path, "", method, header, value)).Status);
        Assert.Empty(read);
    }

    Task<InsideOutcome> ReadAsync(int pid)
    {
        read.Add(pid);
        return reading.Task;
    }

    async Task<HttpRouter> PagesAsync(bool allowed = true)
    {
        await ComeAsync(1);
        return new(Fleet, Metrics, new HttpAccess(null), Context())
        {
            Inside = allowed ? new(Fleet, Machine, (pid, _) => ReadAsync(pid)) : null,
        };
    }
}
