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
    const string Json = ".json";
    const string Html = "text/html; charset=utf-8";
    const int LongestTarget = 512;

    /// <summary>Age of the newest snapshot, seconds, from which serve is unhealthy. A snapshot is taken every second.</summary>
    const double RoundsSeconds = 30;

    /// <summary>Permits one report at a time: a report takes tens of milliseconds of processor time.</summary>
    readonly SemaphoreSlim drawing = new(1);

    /// <summary>Answers requests for recordings; null without <c>--allow-record</c>.</summary>
    public RecordEndpoint? Recordings { get; init; }

    /// <summary>Answers requests for memory readings; null without <c>--allow-inside</c>, or if readings are not possible.</summary>
    public InsideEndpoint? Inside { get; init; }

    /// <summary>Answers one request; a page that fails does not stop serve.</summary>
    public async Task AnswerAsync(HttpContext http)
    {
#pragma warning disable CA1031 // reported to the client and on standard error
        try
        {
            await PageAsync(http);
        }
        catch (Exception e) when (e is not OperationCanceledException && !http.Response.HasStarted)
        {
            await (e switch
            {
                BadHttpRequestException refusal => http.SayAsync(refusal.StatusCode, refusal.Message),
                UserErrorException => http.SayAsync(503, e.Message),
                _ => BugAsync(http, e),
            });
        }
#pragma warning restore CA1031
    }

    public void Dispose() => drawing.Dispose();

    public static BadHttpRequestException NotWatched() =>
        new("tpwatch watches no process with that name and id; / lists the watched processes", 404);

    Task BugAsync(HttpContext http, Exception e)
    {
        world.Note($"this is a bug in tpwatch {ToolVersion.Text}: {http.Request.Path} could not be created\n{e}");
        return http.SayAsync(500, "tpwatch could not create this page, which is a bug in tpwatch");
    }

    Task PageAsync(HttpContext http)
    {
        MustBeWellFormed(http.Request);
        var path = http.Request.Path.Value!;
        var folder = path.IndexOf('/', 1) + 1;
        var (page, name) = folder > 0 ? (path[..folder], path[folder..]) : (path, "");
        MustBeAllowed(http, page);
        return page switch
        {
            "/" => http.SendAsync(200, Html, Encoding.UTF8.GetBytes(FleetHtmlPage.Render(fleet.Latest))),
            "/metrics" => MetricsAsync(http),
            "/report/" => ReportAsync(http, name),
            "/record/" => Recordings?.AnswerAsync(http, name)
                ?? throw new BadHttpRequestException("recording is off; start serve with --allow-record", 403),
            "/inside/" => Inside?.AnswerAsync(http, name)
                ?? throw new BadHttpRequestException("reading memory is off; start serve with --allow-inside", 403),
            "/healthz" => HealthAsync(http),
            "/readyz" when fleet.IsReady => http.SayAsync(200, "ready"),
            "/readyz" => http.SayAsync(503, "tpwatch is still attaching to the first processes"),
            _ => throw new BadHttpRequestException("there is no such page; / lists the processes", 404),
        };
    }

    // Allows only the characters of page names, so that a proxy in front of serve cannot interpret the path differently.
    static void MustBeWellFormed(HttpRequest request)
    {
        var target = request.HttpContext.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget;
        var path = target.Split('?')[0];
        if (target.Length > LongestTarget || !path.StartsWith('/') || path.Contains("..", StringComparison.Ordinal)
            || path.Contains("//", StringComparison.Ordinal)
            || !path.All(c => IsPlain(c) || c == '/') || !target[path.Length..].All(c => IsPlain(c) || c is '?' or '=' or '&'))
        {
            throw new BadHttpRequestException("the path has characters that no page of tpwatch has", 400);
        }

        if (request.ContentLength > 0 || request.Headers.TransferEncoding.Count > 0)
        {
            throw new BadHttpRequestException("a request to tpwatch must not have a body", 400);
        }
    }

    static bool IsPlain(char c) => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '~' or '-';

    void MustBeAllowed(HttpContext http, string page)
    {
        var (method, headers) = (http.Request.Method, http.Request.Headers);
        var what = page switch { "/record/" => "start a recording", "/inside/" => "read memory", _ => null };
        if (what is null ? method is not ("GET" or "HEAD") : method != "POST")
        {
            http.Response.Headers.Allow = what is null ? "GET, HEAD" : "POST";
            throw new BadHttpRequestException(what is null ? "tpwatch answers only GET and HEAD" : $"use POST to {what}", 405);
        }

        // Health checks need no token: the probes of a cluster have none, and the reply reveals nothing.
        if (page is not ("/healthz" or "/readyz"))
        {
            access.MustBeAllowed(http);
        }

        // A browser adds the header Origin to a POST request of a web page.
        if (what is not null && headers.Origin.Count > 0)
        {
            throw new BadHttpRequestException($"a web page may not {what}; use curl -X POST", 403);
        }
    }

    // A server that answers requests but no longer checks the processes is unhealthy.
    Task HealthAsync(HttpContext http) => (world.Time.GetUtcNow().UtcDateTime - fleet.Latest.At).TotalSeconds < RoundsSeconds
        ? http.SayAsync(200, "ok")
        : http.SayAsync(503, "tpwatch has not checked the processes for 30 s");

    async Task MetricsAsync(HttpContext http)
    {
        var headers = http.Request.Headers;
        var open = headers.Accept.ToString().Contains("application/openmetrics-text", StringComparison.OrdinalIgnoreCase);
        var small = headers.AcceptEncoding.ToString().Split(',').Any(e => e.Trim().Equals("gzip", StringComparison.OrdinalIgnoreCase));
        var text = await metrics.TextAsync(fleet.Latest, open, small, http.RequestAborted);
        http.Response.Headers.ContentEncoding = small ? "gzip" : default;
        await http.SendAsync(200, open ? PrometheusPage.OpenType : PrometheusPage.TextType, text);
    }

    async Task ReportAsync(HttpContext http, string name)
    {
        var json = name.EndsWith(Json, StringComparison.Ordinal);
        OutputRequest format = new(null, json ? "json" : "html", TimeStyle.Utc, ShowCommandLine: false);
        byte[] page;
        using (await drawing.EnterAsync(http.RequestAborted))
        {
            var report = fleet.Report(json ? name[..^Json.Length] : name) ?? throw NotWatched();
            page = Encoding.UTF8.GetBytes(new ReportDocuments(world, []).Render(report, format));
        }

        await http.SendAsync(200, json ? "application/json" : Html, page);
    }
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

    static string Room(WatcherState own) => own.Waiting == 0
        ? ""
        : (own.Watched < own.Limit ? "; " : ", which is the limit; ")
            + $"{Format.Plural(own.Waiting, "more process waits", "more processes wait")} to be watched";

    static Markup Table(FleetSnapshot fleet) => fleet.Targets.IsEmpty
        ? Markup.Of($"<p>No .NET process that this user may watch has run long enough yet. The option --older-than sets how long.</p>")
        : Markup.Of($"""
            <table><thead><tr><th>process</th><th class="n">pid</th><th>verdict</th><th class="n">duration</th><th class="n">threads</th><th class="n">target</th>
            <th class="n">queue</th><th class="n">longest wait</th><th>runtime</th><th>container</th><th>report</th></tr></thead><tbody>
            {Markup.Join(fleet.Targets.OrderBy(Rank).Select(Row))}</tbody></table>
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
            <tr><td>{state.Row.Name}</td><td class="n">{state.Row.Pid}</td><td class="{(state.Verdict.IsTrouble() ? "bad" : "")}">{VerdictWords.Of(state.Verdict)}{Quiet(state)}</td>
            <td class="n">{Duration(state.Open?.Span.Ms)}</td><td class="n">{Number(levels.Workers)}</td><td class="n">{Number(levels.TargetThreads)}</td>
            <td class="n">{Number(levels.QueueLength)}</td><td class="n">{Duration(state.Open?.ProvenWaitMs)}</td><td>{state.Runtime}</td><td>{state.Row.Container}</td>
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
    public async Task AnswerAsync(HttpContext http, string page)
    {
        if (fleet.Process(page) is not { } process || machine.HasGone(process))
        {
            throw HttpRouter.NotWatched();
        }

        var outcome = process.Run is null ? await ReadAsync(process.Pid, http.RequestAborted)
            : new(null, "tpwatch cannot read the memory of this process: only its diagnostic port is known");
        await (outcome.Reading is { } reading
            ? http.SayAsync(200, InsideReadingRenderer.OfProcess(reading, $"{process.Name}, process {process.Pid}", Width).TrimEnd('\n'))
            : http.SayAsync(503, outcome.Failure!));
    }

    async Task<InsideOutcome> ReadAsync(int pid, CancellationToken cancel)
    {
        if (Interlocked.Exchange(ref busy, 1) == 1)
        {
            throw new BadHttpRequestException("serve is reading the memory of a process already; try again in some seconds", 429);
        }

        try
        {
            return await read(pid, cancel);
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

    const string Asked = "?duration=";

    const int PieceBytes = 1 << 16;

    /// <summary>Maximum duration of a recording; the file then has some megabytes. The command <c>record</c> has no such limit.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMinutes(5);

    public static readonly TimeSpan Usual = TimeSpan.FromSeconds(30);

    /// <summary>Time limit for a process to end its session, which usually takes 130 ms. Later, the connection is closed.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(3);

    ImmutableHashSet<string> underWay = [];

    /// <summary>Answers with a recording of the process that has this page name.</summary>
    public async Task AnswerAsync(HttpContext http, string page)
    {
        var duration = Duration(http.Request.QueryString.Value!)
            ?? throw new BadHttpRequestException("write ?duration=30s, at most 5m", 400);
        var process = fleet.Process(page) ?? throw HttpRouter.NotWatched();
        if (!ImmutableInterlocked.Update(ref underWay, all => all.Count < Most ? all.Add(page) : all))
        {
            throw new BadHttpRequestException(Volatile.Read(ref underWay).Contains(page)
                ? "serve is already recording this process; try again later"
                : FormattableString.Invariant($"{Most} recordings are running, which is the maximum; try again later"), 429);
        }

        try
        {
            await using var stream = await machine.StreamAsync(process, http.RequestAborted);
            context.Note(FormattableString.Invariant($"recording {page} for {duration.TotalSeconds:0.###} s, as requested over HTTP"));
            http.Response.ContentType = "application/octet-stream";
            http.Response.Headers.ContentDisposition = $"attachment; filename=\"{page}.nettrace\"";
            await http.Response.StartAsync(http.RequestAborted);
            await SendAsync(stream, duration, http.Response.Body, http.RequestAborted);
        }
        finally
        {
            ImmutableInterlocked.Update(ref underWay, all => all.Remove(page));
        }
    }

    // Copies the stream until the duration is over. The session is ended in any case, also after an error.
    async Task SendAsync(ISideStream stream, TimeSpan duration, Stream to, CancellationToken cancel)
    {
        using CancellationTokenSource limit = new();
        var copying = stream.Events.CopyToAsync(to, PieceBytes, cancel);
        await Task.WhenAny(copying.WaitAsync(duration, context.Time, CancellationToken.None));
        var stopping = stream.StopAsync(limit.Token);
        try
        {
            await copying;
        }
        finally
        {
            // The runtime answers the request to stop only after the stream has been read to its end. After the limit, closing the
            // connection ends the session at the next write of the runtime.
            limit.CancelAfter(EndLimit);
            await Task.WhenAny(Task.WhenAll(stopping, stream.Events.CopyToAsync(Stream.Null, PieceBytes, limit.Token)));
        }
    }

    static TimeSpan? Duration(string query) => query.Length == 0 ? Usual
        : query.StartsWith(Asked, StringComparison.Ordinal) && DurationParser.TryParse(query[Asked.Length..], out var asked)
            && asked <= Longest ? asked
        : null;
}
