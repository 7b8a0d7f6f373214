using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Tpwatch.Export;
using Tpwatch.Inside;
using Tpwatch.Recordings;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>Answers HTTP requests: maps each path to its page.</summary>
sealed class HttpRouter(FleetWatch fleet, PrometheusPage metrics, HttpAccess access, CommandContext world) : IDisposable
{
    const string Reports = "/report/";
    const string Records = "/record/";
    const string Insides = "/inside/";
    const string Json = ".json";
    const string Html = "text/html; charset=utf-8";
    const int LongestTarget = 512;

    /// <summary>Minimum age of the newest snapshot, seconds, at which serve is unhealthy; normally it is a few seconds old.</summary>
    const double RoundsSeconds = 30;

    /// <summary>Lets one report be made at a time: a report takes tens of milliseconds of a processor that the services need.</summary>
    readonly SemaphoreSlim drawing = new(1);

    /// <summary>Answers requests for recordings; null without <c>--allow-record</c>.</summary>
    public RecordEndpoint? Recordings { get; init; }

    /// <summary>Answers requests for memory readings; null without <c>--allow-inside</c>, or where they are not possible.</summary>
    public InsideEndpoint? Inside { get; init; }

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

    // Returns why a request is malformed; else null. Allows only characters of page names, so that no proxy reads another path.
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

    // Returns the refusal of a POST; null if allowed. A browser adds the header Origin to a POST that a web page makes it send.
    HttpReply? Forbidden(HttpRequest request, string what) =>
        request.Method != "POST" ? HttpReply.Say(405, $"use POST to {what}") with { Extra = new("Allow", "POST") }
            : access.Refusal(request) is { } refusal ? refusal
            : request.Headers.Origin.Count > 0 ? HttpReply.Say(403, $"a web page may not {what}; use curl -X POST")
            : null;

    HttpReply Page(string path) => path switch
    {
        "/healthz" => Health(),
        "/readyz" => fleet.IsReady ? HttpReply.Say(200, "ready") : HttpReply.Say(503, "tpwatch is still attaching to the first processes"),
        "/" => new(200, Html, Encoding.UTF8.GetBytes(FleetHtmlPage.Render(fleet.Latest))),
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
        var type = open ? PrometheusPage.OpenType : PrometheusPage.TextType;
        return new(200, type, await metrics.TextAsync(fleet.Latest, open, small, cancel))
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
        report, new OutputRequest(null, json ? "json" : "html", TimeStyle.Utc, ShowCommandLine: false));
}

/// <summary>The HTML page of all watched processes, worst first, with links to their reports.</summary>
static class FleetHtmlPage
{
    // The page has no script and loads nothing; the browser reloads it every five seconds.
    public static string Render(FleetSnapshot fleet) => Markup.Of($$"""
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
        <title>{{Title(fleet)}}</title>
        <style>body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}table{border-collapse:collapse;width:100%}
        th,td{text-align:left;padding:.3em .7em;border-bottom:1px solid #8886}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
        .bad{font-weight:700}</style></head>
        <body><h1>{{Title(fleet)}}</h1>
        <p>{{Format.Plural(fleet.Own.Watched, "process is", "processes are")}} watched{{Room(fleet.Own)}}, as of {{Format.Utc(fleet.At)}}.
        <a href="/metrics">Metrics</a></p>
        {{Table(fleet)}}
        <footer>dotnet tpwatch {{ToolVersion.Text}}</footer></body></html>

        """).Source;

    static string Title(FleetSnapshot fleet) => fleet.Targets.Count(t => t.Verdict.IsStarvation()) is > 0 and var many
        ? $"{Format.Plural(many, "process")} of {Format.Count(fleet.Targets.Length)} starved"
        : fleet.Targets.Count(t => t.Verdict is Verdict.Undecided) is > 0 and var open
            ? $"No process is known to be starved, {Format.Count(open)} undecided"
            : "No process is starved";

    static string Room(OwnState own) => own.Waiting == 0
        ? ""
        : $", which is the limit; {Format.Plural(own.Waiting, "more process waits", "more processes wait")} to be watched";

    static Markup Table(FleetSnapshot fleet) => fleet.Targets.IsEmpty
        ? Markup.Of($"<p>No .NET process that this user may watch has run long enough yet. The option --older-than sets how long.</p>")
        : Markup.Of($"""
            <table><thead><tr><th>process</th><th class="n">pid</th><th>verdict</th><th class="n">duration</th><th class="n">threads</th><th class="n">target</th>
            <th class="n">queue</th><th class="n">longest wait</th><th>runtime</th><th>container</th><th>report</th></tr></thead><tbody>
            {Markup.Join(fleet.Targets.OrderBy(Rank).ThenBy(t => t.Page, StringComparer.Ordinal).Select(Row))}</tbody></table>
            """);

    static int Rank(TargetSnapshot state) => state.Verdict switch
    {
        var v when v.IsStarvation() => 0,
        Verdict.Saturated => 1,
        Verdict.NotThePool => 2,
        Verdict.Undecided => 3,
        _ => 4,
    };

    static Markup Row(TargetSnapshot state)
    {
        var levels = state.Glance.Timeline.Levels;
        return Markup.Of($"""
            <tr><td>{state.Name}</td><td class="n">{state.Pid}</td><td class="{(state.Verdict.IsTrouble() ? "bad" : "")}">{VerdictWords.Of(state.Verdict)}{Quiet(state)}</td>
            <td class="n">{Duration(state.Open?.Span.Ms)}</td><td class="n">{Number(levels.Workers)}</td><td class="n">{Number(levels.TargetThreads)}</td>
            <td class="n">{Number(levels.QueueLength)}</td><td class="n">{Duration(state.Open?.ProvenWaitMs)}</td><td>{state.Runtime}</td><td>{state.Container}</td>
            <td><a href="/report/{state.Page}">page</a> <a href="/report/{state.Page}.json">json</a></td></tr>

            """);
    }

    static string Quiet(TargetSnapshot state) => state.Silence is { } silence ? $": {silence}" : "";

    static string Duration(double? ms) => ms is > 0 and var known ? Format.Duration(known) : "";

    static string Number(long? value) => value is { } known ? Format.Count(known) : "";
}

/// <summary>
/// Reads the memory of a process on request, without pausing the process: queued work items, and what the threads wait for. Only one memory
/// reading runs at a time, since a reading keeps a processor busy.
/// </summary>
sealed class InsideEndpoint(FleetWatch fleet, IProcessTracker machine, Func<int, CancellationToken, Task<InsideOutcome>> read)
{
    /// <summary>Width of the reply in columns: most clients show the reply in a terminal.</summary>
    const int Width = 120;

    int busy;

    /// <summary>Answers with a memory reading of the process that has this page name.</summary>
    public async Task<HttpReply> AnswerAsync(string page, CancellationToken cancel)
    {
        if (fleet.Process(page) is not { } process || machine.HasGone(process))
        {
            return HttpReply.Say(404, "tpwatch watches no process with that name and id; / lists the watched processes");
        }

        if (process.Run is not null)
        {
            return HttpReply.Say(503, "tpwatch cannot read the memory of this process: only its diagnostic port is known");
        }

        if (Interlocked.Exchange(ref busy, 1) == 1)
        {
            return HttpReply.Say(429, "serve is reading the memory of a process already; try again in some seconds");
        }

        try
        {
            var outcome = await read(process.Pid, cancel);
            return outcome.Reading is { } reading
                ? HttpReply.Say(200, InsideReadingRenderer.OfProcess(reading, $"{process.Name}, process {process.Pid}",
                    Width).TrimEnd('\n'))
                : HttpReply.Say(503, outcome.Failure!);
        }
        finally
        {
            Volatile.Write(ref busy, 0);
        }
    }
}

/// <summary>
/// Sends the raw event stream of a process from a separate session, so the reply is a complete recording and the watch is unaffected.
/// Duration and number of recordings are limited, since each recording costs the process as much as a session.
/// </summary>
sealed class RecordEndpoint(FleetWatch fleet, IProcessTracker machine, CommandContext context)
{
    /// <summary>Maximum number of recordings at a time; a runtime has 64 sessions for all tools together.</summary>
    public const int Most = 4;

    const string Asked = "duration=";

    const int PieceBytes = 1 << 16;

    /// <summary>Maximum duration of a recording, for a file of some megabytes. The command <c>record</c> has no such limit.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(5);

    public static readonly TimeSpan Usual = TimeSpan.FromSeconds(30);

    /// <summary>Time limit for a process to end its session, usually 130 ms. After the limit, the connection is closed.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(3);

    ImmutableHashSet<string> underWay = [];

    /// <summary>Answers with a recording of the process that has this page name.</summary>
    public async Task<HttpReply> AnswerAsync(string page, string query, CancellationToken cancel) =>
        Duration(query) is not { } duration ? HttpReply.Say(400, "write ?duration=30s, at most 5m")
            : fleet.Process(page) is not { } process
                ? HttpReply.Say(404, "tpwatch watches no process with that name and id; / lists the watched processes")
            : !ImmutableInterlocked.Update(ref underWay, all => all.Count < Most ? all.Add(page) : all) ? TooMany(page)
            : await BeginAsync(page, process, duration, cancel);

    async Task<HttpReply> BeginAsync(string page, ProcessRow process, TimeSpan duration, CancellationToken cancel)
    {
        try
        {
            var stream = await machine.StreamAsync(process, cancel);
            context.Note(FormattableString.Invariant($"recording {page} for {duration.TotalSeconds:0.###} s, as requested over HTTP"));
            return new(200, "application/octet-stream", default)
            {
                Flow = (to, gone) => SendAsync(page, stream, duration, to, gone),
                Extra = new("Content-Disposition", $"attachment; filename=\"{page}.nettrace\""),
            };
        }
        catch (UserErrorException e)
        {
            Leave(page);
            return HttpReply.Say(503, e.Message);
        }
        catch
        {
            Leave(page);
            throw;
        }
    }

    // Copies the stream until the duration is over. The session is ended in any case, also after an error.
    async Task SendAsync(string page, ISideStream stream, TimeSpan duration, Stream to, CancellationToken cancel)
    {
        using CancellationTokenSource over = new();
        var ending = EndAfterAsync(stream, duration, over.Token);
        try
        {
            await stream.Events.CopyToAsync(to, PieceBytes, cancel);
        }
        finally
        {
            await over.CancelAsync();
            await EndAsync(page, stream, ending);
        }
    }

    async Task EndAfterAsync(ISideStream stream, TimeSpan duration, CancellationToken over)
    {
        await Task.WhenAny(Task.Delay(duration, context.Time, over));
        if (!over.IsCancellationRequested)
        {
            await stream.StopAsync(CancellationToken.None);
        }
    }

    async Task EndAsync(string page, ISideStream stream, Task ending)
    {
        using var limit = new CancellationTokenSource(EndLimit, context.Time);
        try
        {
            // The runtime answers the request to stop only after the stream has been read to its end.
            await Task.WhenAll(ending, stream.StopAsync(limit.Token), stream.Events.CopyToAsync(Stream.Null, PieceBytes, limit.Token));
        }
        catch (OperationCanceledException)
        {
            // Closing the connection ends the session at the next write of the runtime.
        }
        finally
        {
            await stream.DisposeAsync();
            Leave(page);
        }
    }

    HttpReply TooMany(string page) => HttpReply.Say(429, Volatile.Read(ref underWay).Contains(page)
        ? "serve is already recording this process; try again later"
        : FormattableString.Invariant($"{Most} recordings are running, which is the maximum; try again later"));

    void Leave(string page) => ImmutableInterlocked.Update(ref underWay, all => all.Remove(page));

    static TimeSpan? Duration(string query) => query.Length == 0 ? Usual
        : query.StartsWith(Asked, StringComparison.Ordinal) && DurationParser.TryParse(query[Asked.Length..], out var asked)
            && asked <= Longest ? asked
        : null;
}
