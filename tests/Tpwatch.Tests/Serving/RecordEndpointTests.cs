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
        if (status == 200)
        {
            await using Client client = new(pages, path, query);
            Assert.Equal((200, "application/octet-stream"), (client.Status, client.Type));
        }
        else
        {
            var reply = await AnswerAsync(pages, path, query, method);
            Assert.Equal(status, reply.Status);
            Assert.NotEmpty(reply.Body);
        }
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
        var under = new List<Client>();
        for (var i = 0; i < RecordEndpoint.Most; i++)
        {
            if (i == 1)
            {
                Assert.Equal(429, (await AnswerAsync(pages, Known)).Status);
            }

            under.Add(new(pages, $"/record/pool-burst-{i}"));
        }

        Assert.Equal(429, (await AnswerAsync(pages, $"/record/pool-burst-{RecordEndpoint.Most}")).Status);
        Assert.Equal(RecordEndpoint.Most, Machine.Streams.Count);

        await under[0].DisposeAsync();
        Assert.True(Machine.Streams[0] is { Stopped: true, Disposed: true });
        under.Add(new(pages, $"/record/pool-burst-{RecordEndpoint.Most}"));
        Assert.All(under, client => Assert.Equal(200, client.Status));
        await Task.WhenAll(under[1..].Select(client => client.DisposeAsync().AsTask()));
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
        Assert.Equal(await File.ReadAllBytesAsync(TestRecordings.File("pool-burst"), cancel), reply.Body);
        Assert.True(Machine.Streams[0].Disposed);
    }

    async Task<HttpRouter> PagesAsync(int processes, bool allowed = true)
    {
        await ComeAsync(processes);
        return new(Fleet, Metrics, new HttpAccess(null), Context()) { Recordings = allowed ? new(Fleet, Machine, Context()) : null };
    }

    /// <summary>Somebody who takes a recording until they go away.</summary>
    sealed class Client : IAsyncDisposable
    {
        readonly CancellationTokenSource gone = new();
        readonly Microsoft.AspNetCore.Http.HttpContext asked;
        readonly Task answered;

        public Client(HttpRouter pages, string path, string query = "")
        {
            asked = Asked("POST", path, query);
            asked.RequestAborted = gone.Token;
            answered = pages.AnswerAsync(asked);
        }

        public int Status => asked.Response.StatusCode;

        public string? Type => asked.Response.ContentType;

        public async ValueTask DisposeAsync()
        {
            await gone.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => answered);
            gone.Dispose();
        }
    }
}
