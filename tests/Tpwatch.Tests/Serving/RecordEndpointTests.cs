using Tpwatch.Core;
using Tpwatch.Serve;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Serving;

/// <summary>Who may record through the server, how long and how many at once.</summary>
public sealed class RecordEndpointTests : OfPages
{
    const string Known = "/record/pool-burst-0";

    [Theory]
    [InlineData("POST", Known, "", 200)]
    [InlineData("POST", Known, "duration=5m", 200)]
    [InlineData("POST", Known, "duration=301s", 400)]
    [InlineData("POST", Known, "duration=soon", 400)]
    [InlineData("POST", Known, "duration=1s&duration=2s", 400)]
    [InlineData("POST", Known, "length=1s", 400)]
    [InlineData("POST", "/record/pool-burst-8", "", 404)]
    [InlineData("POST", "/record/", "", 404)]
    [InlineData("GET", Known, "", 405)]
    [InlineData("HEAD", Known, "", 405)]
    [InlineData("POST", "/metrics", "", 405)]
    public async Task A_request_is_answered_by_its_method_name_and_duration(string method, string path, string query, int status)
    {
        using var pages = await PagesAsync(1);
        var reply = await AnswerAsync(pages, path, query, method);
        Assert.Equal(status, reply.Status);
        Assert.True(reply.Flow is not null ? status == 200 : reply.Body.Length > 0);
        await EndAsync(reply);
    }

    [Theory]
    [InlineData("host", "rebound.example", true, 403)]
    [InlineData("host", "localhost", false, 403)]
    [InlineData("origin", "http://localhost:9464", true, 403)]
    [InlineData("authorization", "Bearer nobody-gave-one-out", true, 401)]
    public async Task Who_may_not_read_or_was_not_allowed_does_not_record(string header, string value, bool allowed, int status)
    {
        using var pages = await PagesAsync(1, allowed);
        Assert.Equal(status, (await AnswerAsync(pages, Known, header: header, value: value)).Status);
        Assert.Empty(Machine.Streams);
    }

    [Fact]
    public async Task One_of_each_and_few_in_all_are_recorded_at_once()
    {
        using var pages = await PagesAsync(RecordEndpoint.Most + 1);
        var under = new List<HttpReply>();
        for (var i = 0; i < RecordEndpoint.Most; i++)
        {
            if (i == 1)
            {
                Assert.Equal(429, (await AnswerAsync(pages, Known)).Status);
            }

            under.Add(await AnswerAsync(pages, $"/record/pool-burst-{i}"));
        }

        Assert.All(under, reply => Assert.Equal(200, reply.Status));
        Assert.Equal(429, (await AnswerAsync(pages, $"/record/pool-burst-{RecordEndpoint.Most}")).Status);
        Assert.Equal(RecordEndpoint.Most, Machine.Streams.Count);

        await EndAsync(under[0]);
        Assert.True(Machine.Streams[0] is { Stopped: true, Disposed: true });
        var next = await AnswerAsync(pages, $"/record/pool-burst-{RecordEndpoint.Most}");
        Assert.Equal(200, next.Status);
        await Task.WhenAll(under[1..].Append(next).Select(EndAsync));
        Assert.All(Machine.Streams, stream => Assert.True(stream.Disposed));
    }

    [Fact]
    public async Task A_process_that_refuses_is_told_in_a_sentence_and_keeps_no_place()
    {
        using var pages = await PagesAsync(1);
        Machine.Refusal = new("the process refuses", "do something", ExitCode.NoSession);
        for (var i = 0; i <= RecordEndpoint.Most; i++)
        {
            Assert.Equal(503, (await AnswerAsync(pages, Known)).Status);
        }
    }

    [Fact]
    public async Task What_is_sent_is_the_stream_byte_for_byte()
    {
        var cancel = TestContext.Current.CancellationToken;
        using var pages = await PagesAsync(1);
        var reply = await AnswerAsync(pages, Known, "duration=100ms");
        using MemoryStream sent = new();
        await reply.Flow!(sent, cancel);
        Assert.Equal(await File.ReadAllBytesAsync(TestRecordings.File("pool-burst"), cancel), sent.ToArray());
        Assert.True(Machine.Streams[0].Disposed);
    }

    // The client is gone before anything is sent.
    static async Task EndAsync(HttpReply reply)
    {
        if (reply.Flow is { } flow)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => flow(Stream.Null, new(canceled: true)));
        }
    }

    async Task<HttpRouter> PagesAsync(int processes, bool allowed = true)
    {
        await ComeAsync(processes);
        return new(Fleet, Metrics, new HttpAccess(null), Context()) { Recordings = allowed ? new(Fleet, Machine, Context()) : null };
    }
}
