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
/// Pushes the instruments to a collector every ten seconds, and events where there are any, by the exporters of OpenTelemetry. That a
/// collector is away, slow or refuses is said once: metrics are told anew each time, and events wait, as many as there is room for.
/// </summary>
sealed class OtlpPush : IDisposable
{
    /// <summary>Events of one message.</summary>
    const int Most = 200;

    /// <summary>From one push to the next.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromSeconds(10);

    /// <summary>Whoever stops us waits for it.</summary>
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
            // Exported when it is told to: what the collector says decides whether the same events go again.
            batch = new(new OtlpLogExporter(To("v1/logs")), Most, int.MaxValue, (int)Collector.Patience.TotalMilliseconds, Most);
            loggers = LoggerFactory.Create(build =>
            {
                build.Services.AddSingleton<IConfiguration>(new ConfigurationBuilder().Build());
                build.AddOpenTelemetry(logs => logs.SetResourceBuilder(FleetMetrics.Resource).AddProcessor(time).AddProcessor(batch));
            });
            log = loggers.CreateLogger(FleetMetrics.MeterName);
        }
    }

    /// <summary>Pushes until it is told to stop, and then once more.</summary>
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
        // What is collected at the end has been pushed.
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
            var answer = await ExportAsync(() =>
            {
                waiting.ForEach(Log);
                batch!.ForceFlush();
            });
            if (answer is { Problem: not null, IsPassing: true })
            {
                return answer;
            }

            // What is refused today is refused tomorrow.
            waiting.Clear();
            if (answer.Problem is not null)
            {
                return answer;
            }
        }

        return default;
    }

    // The exporters hold a thread while the collector answers; none of the pool.
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

    // A collector may be away for hours.
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

    /// <summary>The time of an event, which may have waited for hours.</summary>
    sealed class EventTime : BaseProcessor<LogRecord>
    {
        public DateTime Of { get; set; }

        public override void OnEnd(LogRecord data) => data.Timestamp = Of;
    }
}

/// <summary>What a collector said to a message.</summary>
/// <param name="Problem">Why it was not taken, as a part of a sentence; null where it was.</param>
/// <param name="IsPassing">Whether the same message may be taken later.</param>
readonly record struct CollectorAnswer(string? Problem, bool IsPassing);

/// <summary>Stands between the exporters and a collector, and keeps what the collector said last: the exporters tell nobody.</summary>
sealed class Collector()
    : DelegatingHandler(new SocketsHttpHandler { AllowAutoRedirect = false, PooledConnectionLifetime = SameConnection })
{
    /// <summary>Nobody reads it; who sends more is no collector.</summary>
    public const int LongestReply = 64 << 10;

    /// <summary>Messages come every ten seconds.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(8);

    /// <summary>A collector may move to another machine behind its name.</summary>
    static readonly TimeSpan SameConnection = TimeSpan.FromMinutes(5);

    CancellationToken until;

    /// <summary>What it said to the newest message.</summary>
    public CollectorAnswer Answer { get; private set; }

    /// <summary>How long it may take from now on.</summary>
    public void Give(CancellationToken cancel) => (until, Answer) = (cancel, default);

    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, until);
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
    }

    static string Said(HttpStatusCode status) => FormattableString.Invariant($"the collector answered with status {(int)status}");

    // What OpenTelemetry names as worth another try.
    static bool Passes(HttpStatusCode status) => status is HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway
        or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout;
}
