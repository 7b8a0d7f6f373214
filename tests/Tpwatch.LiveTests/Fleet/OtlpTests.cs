using System.Globalization;
using System.Net;
using System.Text.RegularExpressions;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>What is pushed, as a collector reads it that knows nothing of us: by protoc, and by Prometheus's rules for names.</summary>
public sealed partial class OtlpTests
{
    const string Missing = "protoc is not installed (Debian's package protobuf-compiler)";

    [Fact(Timeout = 120_000)]
    public async Task A_collector_gets_the_series_of_metrics_under_their_names_and_with_their_values()
    {
        Assert.SkipUnless(OtlpCollector.CanDecode, Missing);
        var cancel = TestContext.Current.CancellationToken;
        await using var collector = OtlpCollector.Start();
        // Nothing ends while it is looked at.
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, cancel, "pool-burst", "--items", "200", "--hold", "60000", "--processors", "4", "--seconds", "60");
        await using var watcher = await WatcherAsync(target, collector.Address, cancel);
        await HasAsync(watcher, "tpwatch_verdict{.*verdict=\"healthy\"} 1", cancel);
        await target.BeginAsync();
        await HasAsync(watcher, "tpwatch_verdict{.*verdict=\"starved\"} 1", cancel);

        // A look of each is compared, and a mechanism may show for the first time between the two.
        string[] pushed = [], scraped = [];
        var before = collector.Metrics.Count;
        await watcher.UntilAsync(
            async () =>
            {
                if (collector.Metrics.Count > before)
                {
                    before = collector.Metrics.Count;
                    var message = await OtlpCollector.DecodedAsync(collector.Metrics.Last(), "ExportMetrics", cancel);
                    pushed = [.. Series(message).Where(IsOfTarget).Select(Lasting)];
                    scraped = [.. Lines(await watcher.GetAsync("metrics", cancel)).Select(Lasting)];
                }

                return pushed.Length > 0 && pushed.ToHashSet().SetEquals(scraped);
            },
            cancel);
        Assert.Contains(pushed, line => line.Contains("verdict=\"starved\"} 1", StringComparison.Ordinal));
        Assert.Contains(pushed, line => line.StartsWith("tpwatch_injection_delay_seconds_bucket{", StringComparison.Ordinal));
        Assert.Equal("of-a-vendor", collector.Token);
        // What tpwatch itself uses has the names of the semantic conventions.
        var last = await OtlpCollector.DecodedAsync(collector.Metrics.Last(), "ExportMetrics", cancel);
        var resource = Assert.Single(last.Of("resource"));
        Assert.Contains("service.name=\"tpwatch\"", resource.Labels(), StringComparison.Ordinal);
        Assert.All(
            last.All().Where(node => node.Name == "aggregation_temporality"),
            node => Assert.Equal("CUMULATIVE", node.Value));
        Assert.Equal(
            ["process.cpu.time", "process.memory.usage"],
            last.Of("metrics").Select(metric => metric["name"])
                .Where(name => name.StartsWith("process", StringComparison.Ordinal)).Order());
        Assert.Equal(0, await watcher.StopAsync(cancel));
    }

    [Fact(Timeout = 120_000)]
    public async Task Begin_findings_and_end_of_an_episode_come_as_records_even_if_the_collector_was_away()
    {
        Assert.SkipUnless(OtlpCollector.CanDecode, Missing);
        var cancel = TestContext.Current.CancellationToken;
        await using var collector = OtlpCollector.Start();
        collector.Status = HttpStatusCode.ServiceUnavailable;
        await using var target = await BurstAsync(cancel);
        await using var watcher = await WatcherAsync(target, collector.Address, cancel, "--otlp-logs");
        await BeginAsync(target, watcher, cancel);
        await SaysAsync(watcher, " over after ", cancel);
        await watcher.UntilAsync(() => Task.FromResult(collector.Refused > 0), cancel);
        Assert.Contains("Pushing failed: the collector answered with status 503.", watcher.Said, StringComparison.Ordinal);
        Assert.Empty(collector.Logs);

        collector.Status = HttpStatusCode.OK;
        await watcher.UntilAsync(() => Task.FromResult(!collector.Logs.IsEmpty), cancel);
        await SaysAsync(watcher, "accepts data again", cancel);
        var logs = await OtlpCollector.DecodedAsync(collector.Logs.First(), "ExportLogs", cancel);
        var records = logs.Of("log_records").ToArray();
        Assert.Equal("tpwatch.episode.begin", records[0]["event_name"]);
        Assert.Contains(records, record => record["event_name"] == "tpwatch.episode.end");
        Assert.Contains(records, record => record.Labels().Contains("tpwatch.finding.id=\"TPW001\"", StringComparison.Ordinal));
        Assert.All(records, record => Assert.Contains(
            $"process.pid=\"{target.Pid.ToString(CultureInfo.InvariantCulture)}\"", record.Labels(), StringComparison.Ordinal));
        Assert.Equal(0, await watcher.StopAsync(cancel));
    }

    [Fact(Timeout = 120_000)]
    public async Task Records_that_are_refused_late_are_sent_again()
    {
        Assert.SkipUnless(OtlpCollector.CanDecode, Missing);
        var cancel = TestContext.Current.CancellationToken;
        await using var collector = OtlpCollector.Start();
        collector.LateForLogs = HttpStatusCode.ServiceUnavailable;
        await using var target = await BurstAsync(cancel);
        await using var watcher = await WatcherAsync(target, collector.Address, cancel, "--otlp-logs");
        await BeginAsync(target, watcher, cancel);
        await watcher.UntilAsync(() => Task.FromResult(collector.Refused > 0), cancel);
        collector.LateForLogs = HttpStatusCode.OK;
        await watcher.UntilAsync(() => Task.FromResult(!collector.Logs.IsEmpty), cancel);
        var logs = await OtlpCollector.DecodedAsync(collector.Logs.First(), "ExportLogs", cancel);
        Assert.Equal("tpwatch.episode.begin", logs.Of("log_records").First()["event_name"]);
        Assert.Equal(0, await watcher.StopAsync(cancel));
    }

    static Task<FixtureTarget> BurstAsync(CancellationToken cancel) => FixtureTarget.StartAsync(
        TargetRuntime.Net10, cancel, "pool-burst", "--items", "30", "--hold", "3000", "--processors", "4", "--seconds", "60");

    /// <summary>Its items come once it is watched.</summary>
    static async Task BeginAsync(FixtureTarget target, Server watcher, CancellationToken cancel)
    {
        await HasAsync(watcher, "tpwatch_verdict{.*verdict=\"healthy\"} 1", cancel);
        await target.BeginAsync();
    }

    static Task<Server> WatcherAsync(FixtureTarget target, Uri collector, CancellationToken cancel, params string[] more) =>
        Server.ToolAsync(
            new()
            {
                ["OTEL_EXPORTER_OTLP_HEADERS"] = "x-token=of-a-vendor",
                // None of the others has an effect: each would stop the push, send it elsewhere or rename its source.
                ["OTEL_SDK_DISABLED"] = "true", ["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://127.0.0.1:1",
                ["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"] = "http://127.0.0.1:1", ["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"] = "http://127.0.0.1:1",
                ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "grpc", ["OTEL_EXPORTER_OTLP_TIMEOUT"] = "1",
                ["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"] = "delta", ["OTEL_METRICS_EXEMPLAR_FILTER"] = "always_on",
                ["OTEL_SERVICE_NAME"] = "of-another", ["OTEL_RESOURCE_ATTRIBUTES"] = "service.name=of-another",
            },
            cancel,
            ["-p", target.Pid.ToString(CultureInfo.InvariantCulture), "--older-than", "1s", "--otlp", collector.AbsoluteUri, .. more]);

    static Task SaysAsync(Server watcher, string words, CancellationToken cancel) =>
        watcher.UntilAsync(() => Task.FromResult(watcher.Said.Contains(words, StringComparison.Ordinal)), cancel);

    static Task HasAsync(Server watcher, string pattern, CancellationToken cancel) =>
        watcher.UntilAsync(async () => Regex.IsMatch(await watcher.GetAsync("metrics", cancel), pattern), cancel);

    /// <summary>A series, and its value where it is the same a moment later.</summary>
    static string Lasting(string line) => SameLater().IsMatch(line) ? line : line[..line.LastIndexOf(' ')];

    static IEnumerable<string> Lines(string metrics) => metrics.Split('\n')
        .Where(line => line.Length > 0 && line[0] != '#' && IsOfTarget(line))
        .Select(line => Labelled().Replace(line, m => $"{{{InOrder(Label().Matches(m.Value).Select(label => label.Value))}}} "));

    static bool IsOfTarget(string line) => !line.StartsWith("process_", StringComparison.Ordinal)
        && !line.StartsWith("tpwatch_start_time", StringComparison.Ordinal);

    static string InOrder(IEnumerable<string> labels) => string.Join(',', labels.Order(StringComparer.Ordinal));

    /// <summary>
    /// The series that Prometheus makes of it, by OpenTelemetry's rules: dots are underscores, the unit ends the name, and a sum that only
    /// grows is a total.
    /// </summary>
    static IEnumerable<string> Series(TextNode message)
    {
        foreach (var metric in message.Of("metrics"))
        {
            var unit = metric["unit"] switch { "s" => "_seconds", "By" => "_bytes", "" => "", var other => other };
            var kind = metric.Within[^1];
            var ending = kind["is_monotonic"] == "true" ? "_total" : "";
            var name = metric["name"].Replace('.', '_') + unit + ending;
            foreach (var point in kind.Of("data_points"))
            {
                foreach (var line in kind.Name == "histogram" ? Classes(name, point) : [Line(name, point.Labels(), point["as_double"])])
                {
                    yield return line;
                }
            }
        }
    }

    static IEnumerable<string> Classes(string name, TextNode point)
    {
        string[] bounds = [.. point.Of("explicit_bounds").Select(bound => bound.Value), "+Inf"];
        var below = 0L;
        foreach (var (bound, count) in bounds.Zip(point.Of("bucket_counts")))
        {
            below += long.Parse(count.Value, CultureInfo.InvariantCulture);
            var labels = InOrder([.. point.Labels().Split(','), $"le=\"{bound}\""]);
            yield return Line(name + "_bucket", labels, below.ToString(CultureInfo.InvariantCulture));
        }

        yield return Line(name + "_sum", point.Labels(), point["sum"]);
        yield return Line(name + "_count", point.Labels(), point["count"]);
    }

    static string Line(string name, string labels, string value)
    {
        var number = value == "inf" ? "+Inf" : double.Parse(value.Length == 0 ? "0" : value, CultureInfo.InvariantCulture)
            .ToString("0.############", CultureInfo.InvariantCulture);
        return labels.Length == 0 ? $"{name} {number}" : $"{name}{{{labels}}} {number}";
    }

    [GeneratedRegex("^tpwatch_(verdict|target_info|build_info|min_threads|max_threads|targets|targets_limit|events_lost_total)[ {]")]
    private static partial Regex SameLater();

    [GeneratedRegex(@"\{.*\} ")]
    private static partial Regex Labelled();

    [GeneratedRegex("""[a-z_]+="[^"]*"[^,}]*""")]
    private static partial Regex Label();
}
