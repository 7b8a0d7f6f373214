using System.Net;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;
using OpenTelemetry.Metrics;
using Tpwatch.Options;

namespace Tpwatch.Serve;

/// <summary>
/// Pushes metrics and events to a collector every ten seconds with the OTLP exporters of OpenTelemetry. Only the first of consecutive
/// failures is reported. Metrics are cumulative, so a lost push loses nothing; events wait in a bounded queue.
/// </summary>
sealed class OtlpPush : IDisposable
{
    /// <summary>Maximum number of events in one message.</summary>
    const int Most = 200;

    /// <summary>Interval between two pushes.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromSeconds(10);

    /// <summary>Time limit of the last push, which delays the exit of serve.</summary>
    static readonly TimeSpan LastPatience = TimeSpan.FromSeconds(2);

    readonly Uri collector;
    readonly FleetEvents? events;
    readonly CommandContext context;
    readonly Collector to = new();
    readonly BaseExportingMetricReader metrics;
    readonly MeterProvider provider;
    readonly EventTime time = new();
    readonly BatchLogRecordExportProcessor? batch;
    readonly ILoggerFactory? loggers;
    readonly ILogger? log;
    readonly List<FleetEvent> waiting = [];
    string? told;
    long droppedTold;

    public OtlpPush(Uri collector, FleetEvents? events, CommandContext context)
    {
        (this.collector, this.events, this.context) = (collector, events, context);
        metrics = new(new OtlpMetricExporter(To("v1/metrics")));
        provider = FleetMetrics.Provider(FleetMetrics.MeterName, metrics);
        if (events is not null)
        {
            // The processor exports only on a flush: the reply of the collector decides whether these events are sent again.
            batch = new(new OtlpLogExporter(To("v1/logs")), Most, int.MaxValue, (int)Collector.Patience.TotalMilliseconds, Most);
            loggers = LoggerFactory.Create(build =>
            {
                build.Services.AddSingleton<IConfiguration>(new ConfigurationBuilder().Build());
                build.AddOpenTelemetry(logs => logs.SetResourceBuilder(FleetMetrics.Resource).AddProcessor(time).AddProcessor(batch));
            });
            log = loggers.CreateLogger(FleetMetrics.MeterName);
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

    async Task<CollectorAnswer> PushEventsAsync()
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
    async Task<CollectorAnswer> ExportAsync(Action export)
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
                $"the oldest {dropped - droppedTold} log records were discarded: tpwatch keeps at most {FleetEvents.Most} for a collector");
            droppedTold = dropped;
        }
    }

    OtlpExporterOptions To(string path) => new()
    {
        Endpoint = new($"{collector.AbsoluteUri.TrimEnd('/')}/{path}"),
        Protocol = OtlpExportProtocol.HttpProtobuf,
        Compression = OtlpExportCompression.GZip,
        TimeoutMilliseconds = (int)Collector.Patience.TotalMilliseconds,
        HttpClientFactory = () => new(to, disposeHandler: false)
        {
            Timeout = Collector.Patience,
            MaxResponseContentBufferSize = Collector.LongestReply,
        },
    };

    /// <summary>Sets the time of a log record to the time of its event, which may have waited for hours.</summary>
    sealed class EventTime : BaseProcessor<LogRecord>
    {
        public DateTime Of { get; set; }

        public override void OnEnd(LogRecord data) => data.Timestamp = Of;
    }
}

/// <summary>The reply of a collector to a message.</summary>
/// <param name="Problem">Why the collector did not accept the message, as a part of a sentence; null if it was accepted.</param>
/// <param name="IsPassing">Whether the collector may accept the message later.</param>
readonly record struct CollectorAnswer(string? Problem, bool IsPassing);

/// <summary>The HTTP handler of the exporters. The handler keeps the collector's last reply, which the exporters do not expose.</summary>
sealed class Collector()
    : DelegatingHandler(new SocketsHttpHandler { AllowAutoRedirect = false, PooledConnectionLifetime = SameConnection })
{
    /// <summary>Maximum size of a reply, bytes. The content of a reply is not used.</summary>
    public const int LongestReply = 64 << 10;

    /// <summary>Time limit of a message, shorter than the interval of ten seconds between two pushes.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(8);

    /// <summary>Maximum age of a connection, because the host name of a collector may move to another machine.</summary>
    static readonly TimeSpan SameConnection = TimeSpan.FromMinutes(5);

    /// <summary>Extra time beyond the time limit of a message, after which the exporter must have ended.</summary>
    static readonly TimeSpan Spare = TimeSpan.FromSeconds(1);

    TaskCompletionSource answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    CancellationToken until;

    /// <summary>The reply to the newest message.</summary>
    public CollectorAnswer Answer { get; private set; }

    /// <summary>Resets the reply, and sets the token that cancels the next message.</summary>
    public void Give(CancellationToken cancel) => (until, Answer) = (cancel, default);

    /// <summary>Resets the reply before a message for whose reply <see cref="ReplyAsync"/> waits.</summary>
    public void Expect() => (Answer, answered) = (default, new(TaskCreationOptions.RunContinuationsAsynchronously));

    /// <summary>Waits for the reply to the message after <see cref="Expect"/>, since a flush of log records returns earlier.</summary>
    public async Task<CollectorAnswer> ReplyAsync()
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
