using System.Text.Json;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Text;

namespace Tpwatch.Tests.Render.Json;

public sealed class JsonReportRendererTests
{
    static readonly DateTime Now = new(2026, 11, 21, 3, 0, 0, DateTimeKind.Utc);

    public static TheoryData<string> Names => ["healthy", "starved", "silently-starved", "damaged"];

    [Theory]
    [MemberData(nameof(Names))]
    public void Documents_look_like_their_golden_files(string name) => Golden.Verify($"Render/report-{name}.json", Render(Named(name)));

    [Theory]
    [MemberData(nameof(Names))]
    public void Documents_keep_to_the_schema(string name) => Assert.Empty(Errors(Render(Named(name))));

    [Theory]
    [InlineData("\"fits\"", "\"fitsWell\"", "is none of")]
    [InlineData("\"evicted\": 0", "\"evicted\": null", "is not integer")]
    [InlineData("\"headline\"", "\"headLine\"", "lacks headline")]
    [InlineData("\"evicted\": 0", "\"evicted\": 0, \"more\": 1", "not in the schema")]
    public void The_schema_notices_what_is_wrong(string right, string wrong, string complaint) =>
        Assert.Contains(Errors(Render(SampleReports.Starved()).Replace(right, wrong, StringComparison.Ordinal)),
            e => e.Contains(complaint, StringComparison.Ordinal));

    [Fact]
    public void A_replay_carries_the_end_of_its_recording_so_that_replays_are_equal()
    {
        Assert.Equal("2026-11-21T02:29:10Z", Document(SampleReports.Damaged()).GetProperty("generatedAt").GetString());
        Assert.Equal("2026-11-21T03:00:00Z", Document(SampleReports.Starved()).GetProperty("generatedAt").GetString());
    }

    [Fact]
    public void A_capture_that_saw_nothing_says_null_and_keeps_to_the_schema()
    {
        var healthy = SampleReports.Healthy();
        var nothing = healthy with
        {
            Verdict = Tpwatch.Reports.Verdict.Undecided,
            Timeline = healthy.Timeline with
            {
                Quality = healthy.Timeline.Quality with { Events = 0 },
                StartUtc = default,
                CounterSamples = [],
                Target = healthy.Timeline.Target with { Pid = 0 },
            },
        };
        var document = Document(nothing);
        Assert.Equal(JsonValueKind.Null, document.GetProperty("target").GetProperty("pid").ValueKind);
        Assert.Equal(JsonValueKind.Null, document.GetProperty("capture").GetProperty("start").ValueKind);
        Assert.Equal(JsonValueKind.Null, document.GetProperty("summary").GetProperty("starvedMs").ValueKind);
        Assert.Empty(Errors(Render(nothing)));
        var text = Tpwatch.Text.TextReportRenderer.Render(nothing, TimeStyle.Utc, showCommandLine: false);
        Assert.DoesNotContain("pid ", text, StringComparison.Ordinal);
        Assert.DoesNotContain("never", text, StringComparison.Ordinal);
        Assert.DoesNotContain("0001-01-01", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task At_max_no_basis_of_a_prediction_says_that_the_pool_adds_threads()
    {
        var told = 0;
        foreach (var name in TestRecordings.All.Where(n => n.StartsWith("ceiling", StringComparison.Ordinal)
            || n.StartsWith("deadlock", StringComparison.Ordinal) || n.StartsWith("limits-by-call", StringComparison.Ordinal)))
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            if (report is { IsNow: true, Verdict: Tpwatch.Reports.Verdict.StarvedAtMax, Forecast.StartDelayOfNewItem: not null })
            {
                using var json = JsonDocument.Parse(TestRecordings.Json(report));
                var forecast = json.RootElement.GetProperty("forecast");
                var delay = forecast.GetProperty("startDelayOfNewItem").GetProperty("basis").GetString();
                var gone = forecast.GetProperty("backlogGone").GetProperty("basis").GetString();
                Assert.EndsWith("MaxThreads is reached, so the pool adds no thread.", delay, StringComparison.Ordinal);
                Assert.DoesNotContain("add threads", gone, StringComparison.Ordinal);
                told++;
            }
        }

        Assert.True(told > 2, $"only {told} recordings end at MaxThreads with items waiting");
    }

    [Fact]
    public void What_is_not_known_is_null_and_never_zero()
    {
        var document = Document(SampleReports.Damaged());
        Assert.Equal(JsonValueKind.Null, document.GetProperty("capture").GetProperty("lost").ValueKind);
        Assert.Equal(JsonValueKind.Null, document.GetProperty("series")[0].GetProperty("workers").ValueKind);
        Assert.Equal(JsonValueKind.Null, document.GetProperty("gaps")[0].GetProperty("cpu").ValueKind);
        Assert.Equal(JsonValueKind.Null, document.GetProperty("target").GetProperty("maxWorkers").GetProperty("value").ValueKind);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 1)]
    [InlineData(600, 600)]
    [InlineData(601, 301)]
    [InlineData(18_000, 600)]
    public void A_series_never_has_more_than_600_points(int buckets, int points) =>
        Assert.Equal(points, SeriesPoint.Of(Timeline(Peak(buckets))).Count);

    [Fact]
    public void A_peak_of_one_bucket_survives_the_fold() =>
        Assert.Equal(99, SeriesPoint.Of(Timeline(Peak(18_000))).Max(p => p.Workers));

    [Fact]
    public void Loss_of_a_twentieth_makes_a_capture_poor()
    {
        var quality = SampleReports.Healthy().Timeline.Quality;
        Assert.Equal("good", Quality(quality));
        Assert.Equal("degraded", Quality(quality with { Lost = 1 }));
        Assert.Equal("poor", Quality(quality with { Lost = 100 }));
    }

    static string? Quality(CaptureQuality quality)
    {
        var report = SampleReports.Healthy();
        return Document(report with { Timeline = report.Timeline with { Quality = quality } }).GetProperty("capture")
            .GetProperty("quality").GetString();
    }

    static TimelineSnapshot Timeline(BucketSeries buckets) => SampleReports.Healthy().Timeline with { Buckets = buckets };

    static BucketSeries Peak(int count) => BucketSeries.Of(
        SampleReports.Origin, [.. Enumerable.Range(0, count).Select(i => Bucket.Unknown with { WorkersMax = i == 12_345 ? 99 : 8 })]);

    static List<string> Errors(string json) => Schemas.Errors(Schemas.Report, json);

    static JsonElement Document(PoolReport report) => JsonDocument.Parse(Render(report)).RootElement;

    static string Render(PoolReport report) => JsonReportRenderer.Render(report, Now, "0.1.0", showCommandLine: false);

    static PoolReport Named(string name) => name switch
    {
        "healthy" => SampleReports.Healthy(),
        "starved" => SampleReports.Starved(),
        "silently-starved" => SampleReports.SilentlyStarved(),
        _ => SampleReports.Damaged(),
    };
}
