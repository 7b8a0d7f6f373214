using System.Net;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Tpwatch.Cli;
using Tpwatch.Run;
using Tpwatch.Serve;
using Tpwatch.Tests.Verbs;
using ServedPages = Tpwatch.Serve.HttpRouter;

namespace Tpwatch.Tests.Serving;

/// <summary>Tests of what the server answers about processes of a fleet, which are recordings.</summary>
public abstract class OfPages : IAsyncDisposable
{
    readonly StringWriter output = new() { NewLine = "\n" };
    readonly StringWriter error = new() { NewLine = "\n" };

    private protected OfPages() =>
        Fleet = new(Machine, new(ListenAddress.Default, null) { OlderThan = TimeSpan.FromSeconds(10), Limit = 200 }, Context());

    private protected RecordedFleet Machine { get; } = new();

    private protected FleetWatch Fleet { get; }

    private protected PrometheusPage Metrics { get; } = new("of pages");

    public async ValueTask DisposeAsync()
    {
        await Fleet.DisposeAsync();
        Machine.Dispose();
        Metrics.Dispose();
        await output.DisposeAsync();
        await error.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    internal static async Task<Reply> AnswerAsync(
        ServedPages pages, string path, string query = "", string method = "POST", string header = "accept", string value = "")
    {
        using MemoryStream body = new();
        var asked = Asked(method, path, query);
        asked.Request.Headers[header] = value;
        asked.Response.Body = body;
        await pages.AnswerAsync(asked);
        return new(asked.Response.StatusCode, asked.Response.ContentType, body.ToArray());
    }

    /// <summary>What a client gets.</summary>
    internal sealed record Reply(int Status, string? Type, byte[] Body);

    /// <summary>A request of this machine, as Kestrel hands it over.</summary>
    internal static HttpContext Asked(string method, string path, string query = "")
    {
        var whole = query.Length == 0 ? path : $"{path}?{query}";
        DefaultHttpContext asked = new() { Connection = { RemoteIpAddress = IPAddress.Loopback } };
        (asked.Request.Method, asked.Request.Path, asked.Request.QueryString) = (method, path, new(whole[path.Length..]));
        asked.Request.Headers.Host = "localhost";
        asked.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget = whole;
        return asked;
    }

    /// <summary>So many processes come and are watched.</summary>
    private protected async Task ComeAsync(int processes)
    {
        Machine.Coming.AddRange(Enumerable.Range(0, processes).Select(pid => RecordedFleet.Row(pid)));
        for (var round = 0; round < 3; round++)
        {
            await Fleet.RoundAsync(TestContext.Current.CancellationToken);
            await Task.WhenAll(Machine.Attempts);
        }
    }

    private protected CommandContext Context() =>
        new(new FakeEngine(), output, error, TerminalFacts.None, TimeProvider.System, TestContext.Current.CancellationToken);
}
