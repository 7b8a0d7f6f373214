using System.Diagnostics.Metrics;
using System.IO.Compression;
using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using Tpwatch.Run;
using Label = System.Collections.Generic.KeyValuePair<string, object?>;

namespace Tpwatch.Serve;

/// <summary>
/// Renders the metrics that the OpenTelemetry SDK collects as text for Prometheus. The text is created once per snapshot, at the first
/// scrape; further scrapes of this snapshot get the same bytes.
/// </summary>
/// <param name="name">Name of the meters whose metrics are collected.</param>
sealed class PrometheusPage(string name = PrometheusPage.MeterName) : IDisposable
{
    public const string MeterName = "tpwatch";

    public const string TextType = "text/plain; version=0.0.4; charset=utf-8";

    public const string OpenType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// <summary>Maximum number of series of one instrument for one process, counting a histogram as one series.</summary>
    const int MostSeries = 16;

    /// <summary>Maximum number of meters, including those of ended processes, which stay until the next collection.</summary>
    const int MostTargets = 2 * ServeRequest.MostTargets;

    readonly SemaphoreSlim collecting = new(1);
    readonly MetricsText text = new();
    readonly Meter own = new(name, ToolVersion.Text);
    Collection? collection;
    MeterProvider? provider;

    /// <summary>Starts the collection; <paramref name="now"/> returns the state of tpwatch itself.</summary>
    public void Begin(Func<WatcherState> now)
    {
        foreach (var instrument in MetricsCatalogue.OfWatcher)
        {
            instrument.AddTo(own, [], now);
        }

        provider = Provider(name, text.Reader);
    }

    public TargetMeter Add(TargetLabels labels, Func<TargetSnapshot?> now) => new(name, labels, now);

    /// <summary>Collects without producing text, so that the SDK drops the series of ended processes.</summary>
    public async Task ForgetAsync()
    {
        using var turn = await collecting.EnterAsync(CancellationToken.None);
        text.Reader.Collect();
    }

    /// <summary>Returns the metrics as text, in OpenMetrics if <paramref name="open"/>, gzipped if <paramref name="small"/>.</summary>
    public async Task<byte[]> TextAsync(FleetSnapshot look, bool open, bool small, CancellationToken cancel)
    {
        using var turn = await collecting.EnterAsync(cancel);
        if (collection is not { } made || made.Look != look)
        {
            collection = made = new(look);
        }

        var at = (open ? 2 : 0) + (small ? 1 : 0);
        return made.Texts[at] ??= small ? Zipped(Text(made, open)) : Text(made, open);
    }

    public void Dispose()
    {
        provider?.Dispose();
        own.Dispose();
        collecting.Dispose();
    }

    /// <summary>
    /// Creates a provider with one reader for the meters with this name. Two readers of one provider would see each other's collections.
    /// Without the empty configuration, environment variables such as OTEL_SDK_DISABLED would change the SDK.
    /// </summary>
    public static MeterProvider Provider(string name, MetricReader reader) => Sdk.CreateMeterProviderBuilder()
        .ConfigureServices(services => services.AddSingleton<IConfiguration>(new ConfigurationBuilder().Build()))
        .SetResourceBuilder(Resource)
        .SetMaxMetricStreams(MostTargets * MetricsCatalogue.OfTargets.Length + MetricsCatalogue.OfWatcher.Length)
        .AddView(instrument => instrument is Histogram<double>
            ? new ExplicitBucketHistogramConfiguration
            {
                Boundaries = [.. MetricsCatalogue.Bounds], RecordMinMax = false, CardinalityLimit = MostSeries,
            }
            : new MetricStreamConfiguration { CardinalityLimit = MostSeries })
        .AddMeter(name)
        .AddReader(reader)
        .Build();

    /// <summary>The resource of all metrics and logs: the machine and tpwatch, not the watched process.</summary>
    public static ResourceBuilder Resource => ResourceBuilder.CreateEmpty()
        .AddService("tpwatch", serviceVersion: ToolVersion.Text, serviceInstanceId: Environment.MachineName)
        .AddAttributes([new("host.name", Environment.MachineName)]);

    byte[] Text(Collection made, bool open) =>
        made.Texts[open ? 2 : 0] ??= Encoding.UTF8.GetBytes(text.Collect(open));

    static byte[] Zipped(byte[] text)
    {
        using var small = new MemoryStream();
        using (var zip = new GZipStream(small, CompressionLevel.Fastest))
        {
            zip.Write(text);
        }

        return small.ToArray();
    }

    /// <summary>The rendered texts of one snapshot: two formats, each plain and gzipped.</summary>
    sealed record Collection(FleetSnapshot Look)
    {
        public byte[]?[] Texts { get; } = new byte[]?[4];
    }
}

/// <summary>
/// Writes collected metrics in the Prometheus text format or in OpenMetrics. Both formats have identical series names and labels, so a
/// query works with either format. The formats differ in the HELP and TYPE lines and in the last line.
/// </summary>
sealed class MetricsText : BaseExporter<Metric>
{
    bool? isOpen;
    string written = "";

    public MetricsText() => Reader = new(this);

    public BaseExportingMetricReader Reader { get; }

    /// <summary>Collects all metrics now, and returns the text: in OpenMetrics if <paramref name="open"/>.</summary>
    public string Collect(bool open)
    {
        (isOpen, written) = (open, "");
        Reader.Collect();
        isOpen = null;
        return written;
    }

    public override ExportResult Export(in Batch<Metric> batch)
    {
        // A collection that drops the series of ended processes needs no text.
        if (isOpen is { } open)
        {
            Dictionary<string, List<Metric>> families = [];
            foreach (var metric in batch)
            {
                var same = families.TryGetValue(metric.Name, out var known) ? known : families[metric.Name] = [];
                same.Add(metric);
            }

            var text = new StringBuilder();
            foreach (var instrument in MetricsCatalogue.All.Where(instrument => families.ContainsKey(instrument.OtelName)))
            {
                Write(text, instrument, families[instrument.OtelName], open);
            }

            written = text.Append(open ? "# EOF\n" : "").ToString();
        }

        return ExportResult.Success;
    }

    // The HELP and TYPE lines are written once per family, before the first series of the family.
    static void Write(StringBuilder text, Instrument instrument, List<Metric> same, bool open)
    {
        var kind = MetricsCatalogue.Word(instrument.Kind);
        var (name, word) = open ? (instrument.Name, kind)
            : (instrument.Name + instrument.Ending, kind == "info" ? "gauge" : kind);
        text.Append("# HELP ").Append(name).Append(' ').Append(instrument.Help).Append('\n')
            .Append("# TYPE ").Append(name).Append(' ').Append(word).Append('\n');
        foreach (var metric in same)
        {
            foreach (ref readonly var point in metric.GetMetricPoints())
            {
                if (instrument.Kind == InstrumentKind.Histogram)
                {
                    Classes(text, instrument.Name, point);
                }
                else
                {
                    Line(text, instrument.Name + instrument.Ending, point.Tags, instrument.Kind == InstrumentKind.Counter
                        ? point.GetSumDouble()
                        : point.GetGaugeLastValueDouble());
                }
            }
        }
    }

    static void Classes(StringBuilder text, string name, in MetricPoint point)
    {
        var below = 0L;
        foreach (var bucket in point.GetHistogramBuckets())
        {
            below += bucket.BucketCount;
            Line(text, name + "_bucket", point.Tags, below, Number(bucket.ExplicitBound));
        }

        Line(text, name + "_sum", point.Tags, point.GetHistogramSum());
        Line(text, name + "_count", point.Tags, point.GetHistogramCount());
    }

    static void Line(StringBuilder text, string name, ReadOnlyTagCollection labels, double value, string? upTo = null)
    {
        text.Append(name);
        var before = '{';
        foreach (var label in labels)
        {
            Append(text, ref before, label);
        }

        if (upTo is not null)
        {
            Append(text, ref before, new("le", upTo));
        }

        text.Append(before == '{' ? "" : "}").Append(' ').Append(Number(value)).Append('\n');
    }

    static void Append(StringBuilder text, ref char before, Label label)
    {
        text.Append(before).Append(label.Key).Append("=\"");
        foreach (var c in Convert.ToString(label.Value, CultureInfo.InvariantCulture)!)
        {
            _ = c is '\\' or '"' ? text.Append('\\').Append(c) : text.Append(c);
        }

        text.Append('"');
        before = ',';
    }

    static string Number(double value) =>
        double.IsPositiveInfinity(value) ? "+Inf" : value.ToString("0.############", CultureInfo.InvariantCulture);
}
