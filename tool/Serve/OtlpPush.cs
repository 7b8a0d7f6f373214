using System.Net;
using System.Threading.Channels;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;
using OpenTelemetry.Metrics;
using Tpwatch.Run;
using Label = System.Collections.Generic.KeyValuePair<string, object?>;

namespace Tpwatch.Serve;

/// <summary>
/// Pushes metrics and log records to a collector every ten seconds with the OTLP exporters of OpenTelemetry. Only the first of consecutive
/// failures is reported. Metrics are cumulative, so a lost push loses nothing; log records wait in a bounded queue.
/// </summary>
sealed class OtlpPush : IDisposable
{
    /// <summary>Maximum number of log records in one message.</summary>
    const int Most = 200;

    public static readonly TimeSpan Pace = TimeSpan.FromSeconds(10);

    /// <summary>Time limit of the last push, which delays the exit of serve.</summary>
    static readonly TimeSpan LastPatience = TimeSpan.FromSeconds(2);

    readonly Uri collector;
    readonly FleetEventQueue? events;
    readonly CommandContext context;
    readonly CollectorReplyTracker to = new();
    readonly BaseExportingMetricReader metrics;
    readonly MeterProvider provider;
    readonly LogTimestamps time = new();
    readonly BatchLogRecordExportProcessor? batch;
    readonly ILoggerFactory? loggers;
    readonly ILogger? log;
    readonly List<FleetEvent> waiting = [];
    string? told;
    long droppedTold;

    public OtlpPush(Uri collector, FleetEventQueue? events, CommandContext context)
    {
        (this.collector, this.events, this.context) = (collector, events, context);
        metrics = new(new OtlpMetricExporter(To("v1/metrics")));
        provider = PrometheusPage.Provider(PrometheusPage.MeterName, metrics);
        if (events is not null)
        {
            // The processor exports only on a flush, because the reply to each message decides whether its log records are sent again.
            batch = new(new OtlpLogExporter(To("v1/logs")), Most, int.MaxValue, (int)CollectorReplyTracker.Patience.TotalMilliseconds,
                Most);
            loggers = LoggerFactory.Create(build =>
            {
                build.Services.AddSingleton<IConfiguration>(new ConfigurationBuilder().Build());
                build.AddOpenTelemetry(logs => logs.SetResourceBuilder(PrometheusPage.Resource).AddProcessor(time).AddProcessor(batch));
            });
            log = loggers.CreateLogger(PrometheusPage.MeterName);
        }
    }

    /// <summary>Pushes until <paramref name="cancel"/> is cancelled, and then once more.</summary>
    public async Task RunAsync(CancellationToken cancel)
    {
        while (!cancel.IsCancellationRequested)
        {
            await Task.WhenAny(Task.Delay(Pace, context.Time, cancel));
            await RoundAsync(cancel);
        }

        using CancellationTokenSource last = new(LastPatience, context.Time);
        await RoundAsync(last.Token);
    }

    public void Dispose()
    {
        // The last round has pushed all metrics, so the collection on disposal need not send any.
        to.Give(new(canceled: true));
        provider.Dispose();
        loggers?.Dispose();
        to.Dispose();
    }

    async Task RoundAsync(CancellationToken cancel)
    {
        to.Give(cancel);
        var answer = await ExportAsync(() => metrics.Collect());
        if (answer.Problem is null || !answer.IsPassing)
        {
            answer = await PushEventsAsync() is { Problem: not null } worse ? worse : answer;
        }

        if (!cancel.IsCancellationRequested)
        {
            Tell(answer.Problem);
        }
    }

    async Task<CollectorReply> PushEventsAsync()
    {
        while (Fill())
        {
            to.Expect();
            await ExportAsync(() =>
            {
                waiting.ForEach(Log);
                batch!.ForceFlush();
            });
            var answer = await to.ReplyAsync();
            if (answer is { Problem: not null, IsPassing: true })
            {
                return answer;
            }

            // The collector has accepted these events or would reject them again, so they are discarded.
            waiting.Clear();
            if (answer.Problem is not null)
            {
                return answer;
            }
        }

        return default;
    }

    // The exporters block a thread while they wait for the collector, so they run on a thread outside of the pool.
    async Task<CollectorReply> ExportAsync(Action export)
    {
        await Task.Factory.StartNew(export, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        return to.Answer;
    }

    void Log(FleetEvent one)
    {
        time.Of = one.At;
        log!.Log(one.Severity, new EventId(0, one.Name), one.Attributes, null, (_, _) => one.Text);
    }

    bool Fill()
    {
        while (waiting.Count < Most && events?.Take() is { } next)
        {
            waiting.Add(next);
        }

        return waiting.Count > 0;
    }

    // A collector may be unreachable for hours, so only the first of consecutive failures is reported.
    void Tell(string? problem)
    {
        if (problem is null && told is not null)
        {
            context.Note($"{collector} accepts data again");
        }
        else if (problem is not null && told is null)
        {
            context.Note($"pushing failed: {problem}", $"tpwatch keeps watching, and tries to push every {Pace.TotalSeconds} s");
        }

        told = problem;
        if (events is { Dropped: var dropped } && dropped > droppedTold && problem is null)
        {
            context.Note(
                $"the oldest {dropped - droppedTold} log records were discarded: "
                    + $"tpwatch keeps at most {FleetEventQueue.Most} for a collector");
            droppedTold = dropped;
        }
    }

    OtlpExporterOptions To(string path) => new()
    {
        Endpoint = new($"{collector.AbsoluteUri.TrimEnd('/')}/{path}"),
        Protocol = OtlpExportProtocol.HttpProtobuf,
        Compression = OtlpExportCompression.GZip,
        TimeoutMilliseconds = (int)CollectorReplyTracker.Patience.TotalMilliseconds,
        HttpClientFactory = () => new(to, disposeHandler: false)
        {
            Timeout = CollectorReplyTracker.Patience,
            MaxResponseContentBufferSize = CollectorReplyTracker.LongestReply,
        },
    };

    /// <summary>Sets the time of a log record to the time of its event, which may have waited for hours.</summary>
    sealed class LogTimestamps : BaseProcessor<LogRecord>
    {
        public DateTime Of { get; set; }

        public override void OnEnd(LogRecord data) => data.Timestamp = Of;
    }
}

/// <param name="Problem">Why the collector did not accept the message, as a part of a sentence; null if it was accepted.</param>
/// <param name="IsPassing">Whether the problem may be temporary, so that tpwatch sends the message again later.</param>
readonly record struct CollectorReply(string? Problem, bool IsPassing);

/// <summary>The HTTP handler of the exporters. The handler keeps the collector's last reply, which the exporters do not expose.</summary>
sealed class CollectorReplyTracker()
    : DelegatingHandler(new SocketsHttpHandler { AllowAutoRedirect = false, PooledConnectionLifetime = SameConnection })
{
    /// <summary>Maximum size of a reply, bytes. The content of a reply is not used.</summary>
    public const int LongestReply = 64 << 10;

    /// <summary>Time limit of a message, shorter than the interval of ten seconds between two pushes.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(8);

    /// <summary>Maximum age of a connection, because the host name of a collector may move to another machine.</summary>
    static readonly TimeSpan SameConnection = TimeSpan.FromMinutes(5);

    /// <summary>Extra time after the time limit of a message, in which the exporter must return.</summary>
    static readonly TimeSpan Spare = TimeSpan.FromSeconds(1);

    TaskCompletionSource answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    CancellationToken until;

    public CollectorReply Answer { get; private set; }

    /// <summary>Resets the reply, and sets the token that cancels the next messages.</summary>
    public void Give(CancellationToken cancel) => (until, Answer) = (cancel, default);

    /// <summary>Resets the reply before the message whose reply <see cref="ReplyAsync"/> waits for.</summary>
    public void Expect() => (Answer, answered) = (default, new(TaskCreationOptions.RunContinuationsAsynchronously));

    /// <summary>Waits for the reply to the message after <see cref="Expect"/>, because a flush of log records returns earlier.</summary>
    public async Task<CollectorReply> ReplyAsync()
    {
        try
        {
            await answered.Task.WaitAsync(Patience + Spare);
            return Answer;
        }
        catch (TimeoutException)
        {
            return new("the log records were not sent in time", IsPassing: true);
        }
    }

    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, until);
        var done = answered;
        try
        {
            var reply = base.Send(request, either.Token);
            Answer = reply.IsSuccessStatusCode ? default : new(Said(reply.StatusCode), Passes(reply.StatusCode));
            return reply;
        }
        catch (OperationCanceledException)
        {
            Answer = new($"{request.RequestUri} did not answer within {Patience.TotalSeconds} s", IsPassing: true);
            throw;
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            Answer = new($"{request.RequestUri} could not be reached: {(e.InnerException ?? e).Message}", IsPassing: true);
            throw;
        }
        finally
        {
            done.TrySetResult();
        }
    }

    static string Said(HttpStatusCode status) => FormattableString.Invariant($"the collector answered with status {(int)status}");

    // The status codes that the OTLP specification marks as retryable.
    static bool Passes(HttpStatusCode status) => status is HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway
        or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout;
}

/// <summary>
/// A log record about a process: a starvation episode that began, changed or ended, or a new finding. Because the record may wait hours for
/// a collector, it holds only text and attributes. A thousand records with whole snapshots would take 50 MB.
/// </summary>
/// <param name="At">When the event was observed, UTC.</param>
/// <param name="Name">The kind of event, such as <c>tpwatch.episode.begin</c>.</param>
/// <param name="Text">The message, one sentence.</param>
/// <param name="Attributes">The process and details of the event, named by the semantic conventions of OpenTelemetry.</param>
sealed record FleetEvent(DateTime At, string Name, LogLevel Severity, string Text, Label[] Attributes)
{
    /// <summary>Returns the value of an attribute; null if the event has no attribute with that name.</summary>
    public object? this[string name] => Attributes.FirstOrDefault(attribute => attribute.Key == name).Value;
}

/// <summary>
/// A bounded queue of log records for a collector: changes of episodes, and each finding once per episode. When the queue is full, the
/// oldest log record is dropped. One thread writes and another thread reads.
/// </summary>
sealed class FleetEventQueue
{
    /// <summary>Maximum number of queued events: less than a megabyte, but hours of events of a machine in trouble.</summary>
    public const int Most = 1000;

    /// <summary>Minimum time between two reports of one process; findings change slowly.</summary>
    static readonly TimeSpan BetweenReports = TimeSpan.FromSeconds(10);

    readonly Channel<FleetEvent> events;
    readonly Dictionary<string, HashSet<string>> found = [];
    readonly Dictionary<string, DateTime> looked = [];
    long dropped;

    public FleetEventQueue() => events = Channel.CreateBounded<FleetEvent>(
        new BoundedChannelOptions(Most) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true },
        _ => Interlocked.Increment(ref dropped));

    /// <summary>Number of events that were dropped because the queue was full.</summary>
    public long Dropped => Interlocked.Read(ref dropped);

    /// <summary>Adds the events of one round to the queue.</summary>
    /// <param name="report">Callback that returns the report of a process by the name of its page; null if there is none.</param>
    /// <param name="now">The current time, UTC.</param>
    public void Tell(
        ImmutableArray<EpisodeChange> changes, ImmutableArray<TargetSnapshot> states, Func<string, PoolReport?> report, DateTime now)
    {
        foreach (var change in changes)
        {
            events.Writer.TryWrite(Of(change, now));
            // A report at the beginning of an episode is incomplete, so the first report is made one interval later.
            looked.TryAdd(change.Target.Page, now);
        }

        foreach (var target in states.Where(s => s.Open is not null && IsDue(s.Page, now)))
        {
            Look(target, report, now);
        }

        foreach (var change in changes.Where(c => c.IsOver))
        {
            Look(change.Target, report, now);
            found.Remove(change.Target.Page);
            looked.Remove(change.Target.Page);
        }
    }

    /// <summary>Removes and returns the oldest event; null if the queue is empty.</summary>
    public FleetEvent? Take() => events.Reader.TryRead(out var next) ? next : null;

    bool IsDue(string page, DateTime now) => !looked.TryGetValue(page, out var last) || now - last >= BetweenReports;

    void Look(TargetSnapshot target, Func<string, PoolReport?> report, DateTime now)
    {
        looked[target.Page] = now;
        var known = found.TryGetValue(target.Page, out var before) ? before : found[target.Page] = [];
        foreach (var finding in report(target.Page)?.Findings ?? [])
        {
            if (known.Add(finding.Id))
            {
                events.Writer.TryWrite(Of(finding, target, now));
            }
        }
    }

    static FleetEvent Of(EpisodeChange change, DateTime now) => new(
        now, $"tpwatch.episode.{(change.IsOver ? "end" : change.Before is null ? "begin" : "change")}",
        change.IsOver ? LogLevel.Information : LogLevel.Warning, Sentence(change.Target, change.Words),
        [
            .. Process(change.Target), new("tpwatch.verdict", MetricsCatalogue.Word(change.Episode.Kind)),
            new("tpwatch.episode.duration", change.Episode.Span.Ms / 1000),
        ]);

    static FleetEvent Of(Finding finding, TargetSnapshot target, DateTime now) => new(
        now, "tpwatch.finding", Level(finding.Severity), Sentence(target, finding.Headline),
        [
            .. Process(target), new("tpwatch.finding.id", finding.Id),
            .. target.Open is { } open ? [new Label("tpwatch.verdict", MetricsCatalogue.Word(open.Kind))] : Enumerable.Empty<Label>(),
        ]);

    static IEnumerable<Label> Process(TargetSnapshot target) => target.Labels.Attributes.Prepend(new("process.pid", target.Row.Pid));

    static LogLevel Level(Severity severity) => severity switch
    {
        Severity.Serious => LogLevel.Error,
        Severity.Warning => LogLevel.Warning,
        _ => LogLevel.Information,
    };

    static string Sentence(TargetSnapshot target, string what) =>
        FormattableString.Invariant($"{target.Row.Name} (pid {target.Row.Pid}): {what}");
}

/// <summary>A starvation episode that began, changed its verdict or ended between two snapshots.</summary>
/// <param name="Before">The previous verdict of the episode; null if the episode is new.</param>
sealed record EpisodeChange(TargetSnapshot Target, StarvedEpisode Episode, Verdict? Before, bool IsOver)
{
    /// <summary>The change, worded as in a report's headline.</summary>
    public string Words => $"{VerdictWords.Of(Episode.Kind)} {(IsOver ? "over after" : "since")} {Format.Duration(Episode.Span.Ms)}";
}

/// <summary>Compares consecutive snapshots, and finds episodes that began, changed their verdict or ended.</summary>
sealed class EpisodeChanges
{
    ImmutableDictionary<string, (TargetSnapshot Target, StarvedEpisode Episode)> open =
        ImmutableDictionary<string, (TargetSnapshot, StarvedEpisode)>.Empty;

    /// <summary>Returns the changes since the previous call.</summary>
    public ImmutableArray<EpisodeChange> Since(ImmutableArray<TargetSnapshot> states)
    {
        var lasting = states.Where(s => s.Open is not null).DistinctBy(s => s.Page).ToImmutableArray();
        var now = lasting.ToImmutableDictionary(s => s.Page, s => (s, s.Open!));
        ImmutableArray<EpisodeChange> changes =
        [
            .. lasting.Where(s => Before(s.Page) != s.Open!.Kind).Select(s => new EpisodeChange(s, s.Open!, Before(s.Page), IsOver: false)),
            .. open.Where(o => !now.ContainsKey(o.Key))
                .Select(o => new EpisodeChange(o.Value.Target, o.Value.Episode, o.Value.Episode.Kind, IsOver: true)),
        ];
        open = now;
        return changes;
    }

    Verdict? Before(string page) => open.TryGetValue(page, out var known) ? known.Episode.Kind : null;
}
