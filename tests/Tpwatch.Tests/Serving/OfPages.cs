using System.Net;
using Tpwatch.Options;
using Tpwatch.Serve;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Verbs;
using ServedPages = Tpwatch.Serve.Pages;

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

    public async ValueTask DisposeAsync()
    {
        await Fleet.DisposeAsync();
        Machine.Dispose();
        await output.DisposeAsync();
        await error.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    private protected static Task<HttpReply> AnswerAsync(
        ServedPages pages, string path, string query = "", string method = "POST", string header = "accept", string value = "")
    {
        Dictionary<string, string> headers = new() { ["host"] = "localhost", [header] = value };
        return pages.AnswerAsync(new(method, path, query, headers), IPAddress.Loopback, TestContext.Current.CancellationToken);
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
