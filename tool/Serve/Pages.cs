using System.Net;
using System.Text;
using Tpwatch.Options;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>What stands under which address.</summary>
sealed class Pages(FleetWatch fleet, Access access, CommandContext context) : IDisposable
{
    const string Reports = "/report/";
    const string Records = "/record/";
    const string Insides = "/inside/";
    const string Json = ".json";
    /// <summary>A round takes a second; on a machine that is out of breath several.</summary>
    const double RoundsSeconds = 30;

    const string Html = "text/html; charset=utf-8";

    /// <summary>A page of a report takes tens of milliseconds of a processor, which the services of this machine need.</summary>
    readonly SemaphoreSlim drawing = new(1);

    /// <summary>Records processes; null where that was not allowed.</summary>
    public RecordPage? Recordings { get; init; }

    /// <summary>Reads memory of processes; null where that was not allowed, or is not possible.</summary>
    public InsidePage? Inside { get; init; }

    /// <summary>Answers one request; a page that cannot be made does not end the watch.</summary>
    public async Task<HttpReply> AnswerAsync(RequestHead request, IPAddress from, CancellationToken cancel)
    {
#pragma warning disable CA1031 // told to who asked and to who started us
        try
        {
            return await PageAsync(request, from, cancel);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            context.Note($"this is a bug in tpwatch {ToolVersion.Text}: {request.Path} could not be created\n{e}");
            return HttpReply.Say(500, "tpwatch could not create this page, which is a bug in tpwatch");
        }
#pragma warning restore CA1031
    }

    public void Dispose() => drawing.Dispose();

    async Task<HttpReply> PageAsync(RequestHead request, IPAddress from, CancellationToken cancel)
    {
        // Whether we live is nobody's secret, and who asks it for a cluster knows no token.
        var open = request.Path is "/healthz" or "/readyz";
        return request.Path.StartsWith(Records, StringComparison.Ordinal)
            ? await RecordAsync(request, from, cancel)
            : request.Path.StartsWith(Insides, StringComparison.Ordinal) ? await InsideAsync(request, from, cancel)
            : request.Method is not ("GET" or "HEAD")
            ? HttpReply.Say(405, "tpwatch answers only GET and HEAD") with { Extra = "Allow: GET, HEAD" }
            : !open && access.Refusal(request, from) is { } refusal ? refusal
            : request.Path.StartsWith(Reports, StringComparison.Ordinal) ? await ReportAsync(request.Path[Reports.Length..], cancel)
            : Page(request);
    }

    async Task<HttpReply> RecordAsync(RequestHead request, IPAddress from, CancellationToken cancel) =>
        Forbidden(request, from, "start a recording") is { } refusal ? refusal
            : Recordings is null ? HttpReply.Say(403, "recording is off; start serve with --allow-record")
            : await Recordings.AnswerAsync(request.Path[Records.Length..], request.Query, cancel);

    async Task<HttpReply> InsideAsync(RequestHead request, IPAddress from, CancellationToken cancel) =>
        Forbidden(request, from, "read memory") is { } refusal ? refusal
            : Inside is null ? HttpReply.Say(403, "reading memory is off; start serve with --allow-inside")
            : await Inside.AnswerAsync(request.Path[Insides.Length..], cancel);

    // A page of somebody else, in a browser of this machine, may send a form here. The browser says so with an origin; ours have none.
    HttpReply? Forbidden(RequestHead request, IPAddress from, string what) =>
        request.Method != "POST" ? HttpReply.Say(405, $"use POST to {what}") with { Extra = "Allow: POST" }
            : access.Refusal(request, from) is { } refusal ? refusal
            : request["origin"].Length > 0 ? HttpReply.Say(403, $"a web page may not {what}; use curl -X POST")
            : null;

    HttpReply Page(RequestHead request) => request.Path switch
    {
        "/metrics" => Metrics(request),
        "/healthz" => Health(),
        "/readyz" => fleet.IsReady ? HttpReply.Say(200, "ready") : HttpReply.Say(503, "tpwatch is still attaching to the first processes"),
        "/" => new(200, Html, Encoding.UTF8.GetBytes(FleetPage.Render(fleet.Latest))),
        _ => HttpReply.Say(404, "there is no such page; / lists the processes"),
    };

    // The rounds must go on; a process that answers and does not look is no watcher.
    HttpReply Health() => (context.Time.GetUtcNow().UtcDateTime - fleet.Latest.At).TotalSeconds < RoundsSeconds
        ? HttpReply.Say(200, "ok")
        : HttpReply.Say(503, "tpwatch has not checked the processes for 30 s");

    HttpReply Metrics(RequestHead request)
    {
        var open = request["accept"].Contains("application/openmetrics-text", StringComparison.OrdinalIgnoreCase);
        var small = request["accept-encoding"].Split(',').Any(e => e.Trim().Equals("gzip", StringComparison.OrdinalIgnoreCase));
        var latest = fleet.Latest;
        return new(200, open ? Exposition.OpenType : Exposition.TextType, small ? latest.Small(open) : latest.Text(open))
        {
            Extra = small ? "Content-Encoding: gzip" : null,
        };
    }

    async Task<HttpReply> ReportAsync(string name, CancellationToken cancel)
    {
        var json = name.EndsWith(Json, StringComparison.Ordinal);
        await drawing.WaitAsync(cancel);
        try
        {
            return fleet.Report(json ? name[..^Json.Length] : name) is { } report
                ? new(200, json ? "application/json" : Html, Encoding.UTF8.GetBytes(Document(report, json)))
                : HttpReply.Say(404, "tpwatch watches no process with that name and id; / lists the watched processes");
        }
        finally
        {
            drawing.Release();
        }
    }

    string Document(PoolReport report, bool json) => new ReportDocuments(context, []).Render(
        report, new PrintRequest(null, json ? "json" : "html", TimeStyle.Utc, ShowCommandLine: false));
}
