using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Tpwatch.Options;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>Answers HTTP requests: maps each path to its page.</summary>
sealed class Pages(FleetWatch fleet, FleetMetrics metrics, Access access, CommandContext world) : IDisposable
{
    const string Reports = "/report/";
    const string Records = "/record/";
    const string Insides = "/inside/";
    const string Json = ".json";
    const string Html = "text/html; charset=utf-8";
    const int LongestTarget = 512;

    /// <summary>Age in seconds at which the newest snapshot shows that serve is unhealthy. A round takes a second, or several.</summary>
    const double RoundsSeconds = 30;

    /// <summary>Allows one report at a time: a report takes tens of milliseconds of a processor that the services need.</summary>
    readonly SemaphoreSlim drawing = new(1);

    /// <summary>Answers requests for recordings; null without <c>--allow-record</c>.</summary>
    public RecordPage? Recordings { get; init; }

    /// <summary>Answers requests for memory readings; null without <c>--allow-inside</c>, or where they are not possible.</summary>
    public InsidePage? Inside { get; init; }

    /// <summary>Answers one request; a page that fails does not stop serve.</summary>
    public async Task<HttpReply> AnswerAsync(HttpContext context, CancellationToken cancel)
    {
        var request = context.Request;
#pragma warning disable CA1031 // reported to the client and on standard error
        try
        {
            return Malformed(request) is { } why ? HttpReply.Say(400, why) : await PageAsync(request, request.Path.Value!, cancel);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            world.Note($"this is a bug in tpwatch {ToolVersion.Text}: {request.Path} could not be created\n{e}");
            return HttpReply.Say(500, "tpwatch could not create this page, which is a bug in tpwatch");
        }
#pragma warning restore CA1031
    }

    public void Dispose() => drawing.Dispose();

    // Stricter than Kestrel: only characters of page names are allowed, so that no proxy can interpret the path in another way.
    static string? Malformed(HttpRequest request)
    {
        var target = request.HttpContext.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget;
        var path = target.Split('?')[0];
        return target.Length > LongestTarget || !path.StartsWith('/') || path.Contains("..", StringComparison.Ordinal)
            || path.Contains("//", StringComparison.Ordinal)
            || !path.All(c => IsPlain(c) || c == '/') || !target[path.Length..].All(c => IsPlain(c) || c is '?' or '=' or '&')
            ? "the path has characters that no page of tpwatch has"
            : request.ContentLength > 0 || request.Headers.TransferEncoding.Count > 0
            ? "a request to tpwatch must not have a body"
            : null;
    }

    static bool IsPlain(char c) => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '~' or '-';

    async Task<HttpReply> PageAsync(HttpRequest request, string path, CancellationToken cancel)
    {
        // Health checks need no token: the probes of a cluster have none, and the reply reveals nothing.
        var open = path is "/healthz" or "/readyz";
        return path.StartsWith(Records, StringComparison.Ordinal)
            ? Forbidden(request, "start a recording") ?? (Recordings is null
                ? HttpReply.Say(403, "recording is off; start serve with --allow-record")
                : await Recordings.AnswerAsync(path[Records.Length..], request.QueryString.Value!.TrimStart('?'), cancel))
            : path.StartsWith(Insides, StringComparison.Ordinal)
            ? Forbidden(request, "read memory") ?? (Inside is null
                ? HttpReply.Say(403, "reading memory is off; start serve with --allow-inside")
                : await Inside.AnswerAsync(path[Insides.Length..], cancel))
            : request.Method is not ("GET" or "HEAD")
            ? HttpReply.Say(405, "tpwatch answers only GET and HEAD") with { Extra = new("Allow", "GET, HEAD") }
            : !open && access.Refusal(request) is { } refusal ? refusal
            : path.StartsWith(Reports, StringComparison.Ordinal) ? await ReportAsync(path[Reports.Length..], cancel)
            : path == "/metrics" ? await MetricsAsync(request, cancel)
            : Page(path);
    }

    // A page of another site can make a browser of this machine send a form to serve; the browser then adds an Origin header.
    HttpReply? Forbidden(HttpRequest request, string what) =>
        request.Method != "POST" ? HttpReply.Say(405, $"use POST to {what}") with { Extra = new("Allow", "POST") }
            : access.Refusal(request) is { } refusal ? refusal
            : request.Headers.Origin.Count > 0 ? HttpReply.Say(403, $"a web page may not {what}; use curl -X POST")
            : null;

    HttpReply Page(string path) => path switch
    {
        "/healthz" => Health(),
        "/readyz" => fleet.IsReady ? HttpReply.Say(200, "ready") : HttpReply.Say(503, "tpwatch is still attaching to the first processes"),
        "/" => new(200, Html, Encoding.UTF8.GetBytes(FleetPage.Render(fleet.Latest))),
        _ => HttpReply.Say(404, "there is no such page; / lists the processes"),
    };

    // A server that answers requests but no longer checks the processes is unhealthy.
    HttpReply Health() => (world.Time.GetUtcNow().UtcDateTime - fleet.Latest.At).TotalSeconds < RoundsSeconds
        ? HttpReply.Say(200, "ok")
        : HttpReply.Say(503, "tpwatch has not checked the processes for 30 s");

    async Task<HttpReply> MetricsAsync(HttpRequest request, CancellationToken cancel)
    {
        var open = request.Headers.Accept.ToString().Contains("application/openmetrics-text", StringComparison.OrdinalIgnoreCase);
        var small = request.Headers.AcceptEncoding.ToString().Split(',')
            .Any(e => e.Trim().Equals("gzip", StringComparison.OrdinalIgnoreCase));
        return new(200, open ? FleetMetrics.OpenType : FleetMetrics.TextType, await metrics.TextAsync(fleet.Latest, open, small, cancel))
        {
            Extra = small ? new("Content-Encoding", "gzip") : null,
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

    string Document(PoolReport report, bool json) => new ReportDocuments(world, []).Render(
        report, new PrintRequest(null, json ? "json" : "html", TimeStyle.Utc, ShowCommandLine: false));
}
