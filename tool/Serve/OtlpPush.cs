using System.IO.Compression;
using System.Net;
using System.Text;
using Tpwatch.Options;

namespace Tpwatch.Serve;

/// <summary>
/// Pushes the instruments to a collector every ten seconds, and events where there are any. That a collector is away, slow or refuses is
/// said once: metrics are told anew each time, and events wait, as many as there is room for.
/// </summary>
sealed class OtlpPush(Uri collector, FleetWatch fleet, FleetEvents? events, CommandContext context) : IDisposable
{
    /// <summary>Events of one message.</summary>
    const int Most = 200;

    /// <summary>From one push to the next.</summary>
    public static readonly TimeSpan Pace = TimeSpan.FromSeconds(10);

    /// <summary>Whoever stops us waits for it.</summary>
    static readonly TimeSpan LastPatience = TimeSpan.FromSeconds(2);

    readonly Collector to = new();
    readonly string host = Environment.MachineName;
    readonly List<FleetEvent> waiting = [];
    string? told;
    long droppedTold;

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

    public async Task RoundAsync(CancellationToken cancel)
    {
        try
        {
            var answer = await to.PostAsync(Under("v1/metrics"), MetricsMessage.Of(fleet.Latest, host), cancel);
            if (answer.Problem is null || !answer.IsPassing)
            {
                answer = await PushEventsAsync(cancel) is { Problem: not null } worse ? worse : answer;
            }

            Tell(answer.Problem);
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            // Told to stop.
        }
    }

    public void Dispose() => to.Dispose();

    async Task<CollectorAnswer> PushEventsAsync(CancellationToken cancel)
    {
        while (Fill())
        {
            var answer = await to.PostAsync(Under("v1/logs"), LogsMessage.Of(waiting, host, fleet.Latest.Own.Version), cancel);
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

    Uri Under(string path) => new($"{collector.AbsoluteUri.TrimEnd('/')}/{path}");
}

/// <summary>Events as a request to export logs; a process is named as OpenTelemetry names processes.</summary>
static class LogsMessage
{
    const int AttributesField = 6;

    /// <summary>The whole request.</summary>
    public static ReadOnlyMemory<byte> Of(IEnumerable<FleetEvent> events, string host, string version)
    {
        var scope = new Message().Inner(1, Attributes.Scope(version));
        foreach (var one in events)
        {
            scope.Inner(2, Record(one));
        }

        return new Message().Inner(1, new Message().Inner(1, Attributes.Resource(host, version)).Inner(2, scope)).Written;
    }

    static Message Record(FleetEvent one)
    {
        var at = MetricsMessage.Nanoseconds(one.At);
        var record = new Message().Fixed(1, at).Number(2, (int)one.Severity).Text(3, one.Severity.ToString().ToUpperInvariant())
            .Inner(5, new Message().Text(1, one.Text));
        Attributes.Add(record, AttributesField, "process.pid", one.Pid);
        foreach (var (name, value) in LabelText.Read(one.Labels))
        {
            Attributes.Add(record, AttributesField, Known(name), value);
        }

        Add(record, "tpwatch.verdict", one.Verdict);
        Add(record, "tpwatch.finding.id", one.Finding);
        if (one.Seconds is { } seconds)
        {
            Attributes.Add(record, AttributesField, "tpwatch.episode.duration", seconds);
        }

        return record.Fixed(11, at).Text(12, one.Name);
    }

    static void Add(Message record, string name, string? value)
    {
        if (value is not null)
        {
            Attributes.Add(record, AttributesField, name, value);
        }
    }

    static string Known(string label) => label switch
    {
        "process" => "process.executable.name",
        "container_id" => "container.id",
        _ => "tpwatch." + label,
    };
}

/// <summary>What a collector said to a message.</summary>
/// <param name="Problem">Why it was not taken, as a part of a sentence; null where it was.</param>
/// <param name="IsPassing">Whether the same message may be taken later.</param>
readonly record struct CollectorAnswer(string? Problem, bool IsPassing);

/// <summary>A collector, to which messages are posted; whatever it does, an answer comes within a bound.</summary>
sealed class Collector : IDisposable
{
    /// <summary>Messages come every ten seconds.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(8);

    /// <summary>Nobody reads it; who sends more is no collector.</summary>
    const int LongestReply = 64 << 10;

    /// <summary>A collector may move to another machine behind its name.</summary>
    static readonly TimeSpan SameConnection = TimeSpan.FromMinutes(5);

    readonly HttpClient client = new(new SocketsHttpHandler { AllowAutoRedirect = false, PooledConnectionLifetime = SameConnection })
    {
        Timeout = Patience,
        MaxResponseContentBufferSize = LongestReply,
    };

    public async Task<CollectorAnswer> PostAsync(Uri to, ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        using var content = Content(message);
        try
        {
            using var reply = await client.PostAsync(to, content, cancel);
            return reply.IsSuccessStatusCode ? default : new(Said(reply.StatusCode), Passes(reply.StatusCode));
        }
        catch (TaskCanceledException) when (!cancel.IsCancellationRequested)
        {
            return new($"{to} did not answer within {Patience.TotalSeconds} s", IsPassing: true);
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            return new($"{to} could not be reached: {(e.InnerException ?? e).Message}", IsPassing: true);
        }
    }

    public void Dispose() => client.Dispose();

    static ByteArrayContent Content(ReadOnlyMemory<byte> message)
    {
        using var small = new MemoryStream();
        using (var zip = new GZipStream(small, CompressionLevel.Fastest))
        {
            zip.Write(message.Span);
        }

        return new(small.ToArray()) { Headers = { ContentType = new("application/x-protobuf"), ContentEncoding = { "gzip" } } };
    }

    static string Said(HttpStatusCode status) => FormattableString.Invariant($"the collector answered with status {(int)status}");

    // What OpenTelemetry names as worth another try.
    static bool Passes(HttpStatusCode status) => status is HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway
        or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout;
}

/// <summary>
/// The instruments as a request to export metrics. A name is that of the series with its unit beside it rather than at its end, so that a
/// collector that writes for Prometheus comes to the very names of <c>/metrics</c>, and the same rules and dashboards hold.
/// </summary>
sealed class MetricsMessage(FleetSnapshot seen, string host)
{
    const int Cumulative = 2;
    const int Yes = 1;

    readonly ulong at = Nanoseconds(seen.At);
    readonly ulong since = (ulong)(seen.Own.StartedAt * 1e9);

    /// <summary>The whole request.</summary>
    public static ReadOnlyMemory<byte> Of(FleetSnapshot seen, string host) => new MetricsMessage(seen, host).Request().Written;

    public static ulong Nanoseconds(DateTime at) => (ulong)(at - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;

    Message Request()
    {
        var scope = new Message().Inner(1, Attributes.Scope(seen.Own.Version));
        foreach (var instrument in TargetInstruments.All)
        {
            Add(scope, instrument, seen.Targets.SelectMany(t => instrument.Read(t).Select(point => new Labelled(t.Labels, point))));
        }

        foreach (var instrument in OwnInstruments.All)
        {
            Add(scope, instrument, instrument.Read(seen.Own).Select(point => new Labelled("", point)));
        }

        return new Message().Inner(1, new Message().Inner(1, Attributes.Resource(host, seen.Own.Version)).Inner(2, scope));
    }

    void Add<T>(Message scope, Instrument<T> instrument, IEnumerable<Labelled> points)
    {
        var (name, unit) = Named(instrument.Name, instrument.Kind);
        var metric = new Message().Text(1, name).Text(2, instrument.Help).Text(3, unit);
        var data = new Message();
        foreach (var point in instrument.Kind == InstrumentKind.Histogram ? Histograms(points) : points.Select(Value))
        {
            data.Inner(1, point);
        }

        // Nothing is known of it just now.
        if (data.Written.IsEmpty)
        {
            return;
        }

        scope.Inner(2, instrument.Kind switch
        {
            InstrumentKind.Histogram => metric.Inner(9, data.Number(2, Cumulative)),
            InstrumentKind.Counter => metric.Inner(7, data.Number(2, Cumulative).Number(3, Yes)),
            _ => metric.Inner(5, data),
        });
    }

    /// <summary>The name without its unit, its first word apart; and the unit as OpenTelemetry writes it.</summary>
    public static (string Name, string Unit) Named(string name, InstrumentKind kind)
    {
        var (bare, unit) = name.EndsWith("_seconds", StringComparison.Ordinal) ? (name[..^"_seconds".Length], "s")
            : name.EndsWith("_bytes", StringComparison.Ordinal) ? (name[..^"_bytes".Length], "By")
            : (name, "");
        var first = bare.IndexOf('_', StringComparison.Ordinal);
        return ($"{bare[..first]}.{bare[(first + 1)..]}{(kind == InstrumentKind.Info ? "_info" : "")}", unit);
    }

    Message Value(Labelled of)
    {
        var point = new Message().Fixed(2, since).Fixed(3, at).Real(4, of.Point.Value);
        Attributes.AddLabels(point, 7, of.Labels);
        Attributes.AddLabels(point, 7, of.Point.Labels);
        return point;
    }

    // Classes come in order, each with all that is shorter, then the sum, then the count, which ends one histogram.
    IEnumerable<Message> Histograms(IEnumerable<Labelled> points)
    {
        List<ulong> below = [];
        var sum = 0.0;
        foreach (var (labels, point) in points)
        {
            switch (point.Part)
            {
                case "_bucket":
                    below.Add((ulong)point.Value);
                    break;
                case "_sum":
                    sum = point.Value;
                    break;
                default:
                    yield return Histogram(labels, point, below, sum);
                    below.Clear();
                    break;
            }
        }
    }

    Message Histogram(string labels, Point count, List<ulong> below, double sum)
    {
        var each = below.Select((upTo, i) => i == 0 ? upTo : upTo - below[i - 1]).ToArray();
        var bounds = DelayHistogram.Bounds.Select(BitConverter.DoubleToUInt64Bits).ToArray();
        var point = new Message().Fixed(2, since).Fixed(3, at)
            .Fixed(4, (ulong)count.Value).Real(5, sum).Several(6, each).Several(7, bounds);
        Attributes.AddLabels(point, 9, labels);
        Attributes.AddLabels(point, 9, count.Labels);
        return point;
    }

    /// <summary>A value with the labels of its process.</summary>
    /// <param name="Labels">As they are written; empty for the watcher's own.</param>
    /// <param name="Point">The value, with its own labels.</param>
    readonly record struct Labelled(string Labels, Point Point);
}

/// <summary>Names with values, and what else every message has: who speaks.</summary>
static class Attributes
{
    const string Us = "tpwatch";

    /// <summary>The machine and the watcher, as OpenTelemetry calls them; the same whichever process a value is about.</summary>
    public static Message Resource(string host, string version)
    {
        Message resource = new();
        Add(resource, 1, "service.name", Us);
        Add(resource, 1, "service.version", version);
        Add(resource, 1, "service.instance.id", host);
        Add(resource, 1, "host.name", host);
        return resource;
    }

    /// <summary>What made the values.</summary>
    public static Message Scope(string version) => new Message().Text(1, Us).Text(2, version);

    public static void Add(Message message, int field, string name, string value) =>
        message.Inner(field, new Message().Text(1, name).Inner(2, new Message().Text(1, value)));

    public static void Add(Message message, int field, string name, long value) =>
        message.Inner(field, new Message().Text(1, name).Inner(2, new Message().Number(3, value)));

    public static void Add(Message message, int field, string name, double value) =>
        message.Inner(field, new Message().Text(1, name).Inner(2, new Message().Real(4, value)));

    /// <summary>Labels as a series has them.</summary>
    public static void AddLabels(Message message, int field, string labels)
    {
        foreach (var (name, value) in LabelText.Read(labels))
        {
            Add(message, field, name, value);
        }
    }
}

/// <summary>Labels as they stand in a series, read back into names and values: <c>process="dotnet",replica="0"</c>.</summary>
static class LabelText
{
    /// <summary>Reads what <see cref="TargetLabels"/> and the instruments write; a value is what it was before it was escaped.</summary>
    public static IEnumerable<(string Name, string Value)> Read(string labels)
    {
        for (var at = 0; at < labels.Length;)
        {
            var quote = labels.IndexOf("=\"", at, StringComparison.Ordinal);
            var name = labels[at..quote];
            StringBuilder value = new();
            for (at = quote + 2; labels[at] != '"'; at++)
            {
                value.Append(labels[at] == '\\' ? labels[++at] : labels[at]);
            }

            yield return (name, value.ToString());
            // Past the quote, and the comma where another follows.
            at += 2;
        }
    }
}
