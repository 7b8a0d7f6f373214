using System.Collections.Immutable;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Tpwatch.Core;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Text;
using Tpwatch.WhatIf;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Render.Html;

public sealed partial class HtmlReportTests
{
    /// <summary>What a page of an hour may weigh.</summary>
    const int Megabyte = 1_000_000;

    public static TheoryData<string> Names => ["healthy", "starved", "silently-starved", "damaged", "deep"];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_page_loads_nothing_and_each_place_has_one_name(string name)
    {
        var page = Page(Named(name));
        Assert.DoesNotMatch(@"\b(?:src|srcset|action|data|poster)=|@import|https?:|url\((?!#)", page);
        Assert.All(Href.Matches(page).Select(m => m.Groups[1].Value), link => Assert.Matches("^(?:#[A-Za-z0-9-]+|data:,)$", link));
        var ids = Id.Matches(page).Select(m => m.Groups[1].Value).ToList();
        Assert.Equal(ids.Distinct(), ids);
        Assert.All(
            Href.Matches(page).Select(m => m.Groups[1].Value).Where(l => l.StartsWith('#')), link => Assert.Contains(link[1..], ids));
    }

    [Fact]
    public async Task Every_decision_of_a_recording_is_on_its_page_and_every_wait_is_drawn_and_told()
    {
        foreach (var name in (string[])["pool-burst", "sync-over-async", "oscillation"])
        {
            var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
            var page = Page(report);
            Assert.All(report.InjectionDelays, injectionDelay => Assert.Single(Regex.Matches(page, $"id=\"gap-{injectionDelay.Number}\"")));
            Assert.Equal(report.InjectionDelays.Count(DelayCssClasses.IsDrawn), Regex.Count(page, "<svg class=\"g\""));
            Assert.All(report.InjectionDelays.Where(DelayCssClasses.IsDrawn),
                injectionDelay =>
                    Assert.Contains(Markup.Of($"<p>{Words.OneLine(injectionDelay.Because)}").Source, page, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void An_hour_of_everything_stays_below_a_megabyte_and_says_what_is_left_out()
    {
        var page = Page(Hour());
        Assert.InRange(Encoding.UTF8.GetByteCount(page), Megabyte / 2, Megabyte);
        Assert.Contains("in the table below without a drawing", page, StringComparison.Ordinal);
        Assert.Contains("All 59 min 59 s of the capture", page, StringComparison.Ordinal);
        // What does not fit a rule is drawn whatever the room.
        Assert.All(Hour().InjectionDelays.Where(g => g.Verdict == DelayVerdict.Late),
            g => Assert.Contains($"<article class=\"gap is-misfit\" id=\"gap-{g.Number}\"", page, StringComparison.Ordinal));
    }

    [Fact]
    public void Names_from_the_target_stay_text_wherever_they_stand()
    {
        const string Name = "\"'><img src=x onerror=alert(1)></title></style></script><script>alert(2)</script>\u202Egnp.exe";
        var report = Named("deep");
        var hostile = report with
        {
            Headline = Name,
            Timeline = report.Timeline with
            {
                Target = report.Timeline.Target with
                {
                    Name = Name,
                    CommandLine = Name,
                    RuntimeVersion = Name,
                    Os = Name,
                    Settings = [new(Name, Name, SettingSource.Environment)],
                },
                Quality = report.Timeline.Quality with { Remarks = [Name] },
            },
            InjectionDelays = [report.InjectionDelays[0]
                with { Because = Name, Ticks = [report.InjectionDelays[0].Ticks[0] with { Why = Name }] }],
            Findings = [report.Findings[0] with
            {
                Title = Name,
                Headline = Name,
                Evidence = [new(Name, 1, Name, Name)],
                Remedies = [new(Name, Name)],
            }],
            Undecided = [new("TPW004", Name, MissingKind.Stacks)],
            Blockers = [new(Name, 0.9, 8, BlockKind.Lock, [Name])],
        };
        var page = Page(hostile);
        Assert.DoesNotContain("<img", page, StringComparison.OrdinalIgnoreCase);
        Assert.Single(Regex.Matches(page, "<script", RegexOptions.IgnoreCase));
        Assert.Single(Regex.Matches(page, "</style>", RegexOptions.IgnoreCase));
        Assert.DoesNotContain('\u202E', page);
        Assert.True(Regex.Count(page, "&lt;img src=x") > 15);
        Assert.NotNull(XDocument.Parse(TimelineSvg.File(hostile, TimeStyle.Utc)).Root);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void The_timeline_alone_is_a_drawing_by_itself(string name)
    {
        var text = TimelineSvg.File(Named(name), TimeStyle.Utc);
        var root = XDocument.Parse(text).Root!;
        Assert.Equal("http://www.w3.org/2000/svg", root.Name.NamespaceName);
        Assert.Equal(["threads", "inject", "judged", "starved", "queue", "cpu %", "item/s"],
            root.Descendants().Where(e => (string?)e.Attribute("class") == "name" && e.Value != "gate").Select(e => e.Value));
        Assert.DoesNotContain("NaN", text, StringComparison.Ordinal);
        Golden.Verify($"Render/timeline-{name}.svg", text);
    }

    [Fact]
    public void What_was_not_looked_at_says_how_to_look()
    {
        var page = Page(SampleReports.Starved());
        Assert.Contains("<code>--depth stacks</code>", page, StringComparison.Ordinal);
        Assert.Contains("<code>--depth items</code>", page, StringComparison.Ordinal);
        var deep = Page(Named("deep"));
        Assert.DoesNotContain("<code>--depth", deep, StringComparison.Ordinal);
        Assert.Contains("OrderApi.Cache.Get()", deep, StringComparison.Ordinal);
        Assert.Contains("1 000 items; half took at most 1.0 ms", deep, StringComparison.Ordinal);
    }

    internal static string Page(PoolReport report)
    {
        var answers = report.Timeline.CounterSamples.IsEmpty ? [] : StandardWhatIfs.Answers(report, new EstimatedItems());
        return HtmlReportRenderer.Render(report, new(answers, DateTime.UnixEpoch, "0.0.0", ShowCommandLine: true, TimeStyle.Utc));
    }

    static PoolReport Named(string name) => name switch
    {
        "healthy" => SampleReports.Healthy(),
        "starved" => SampleReports.Starved(),
        "silently-starved" => SampleReports.SilentlyStarved(),
        "damaged" => SampleReports.Damaged(),
        _ => Deep(),
    };

    static PoolReport Deep()
    {
        var delay = new Distribution(
            1000, 3, 1, 20, 60, 90, 120, [.. Enumerable.Range(0, 120).Select(i => new DistributionBucket(i, i + 1, 1 + i % 9))]);
        return SampleReports.Starved() with
        {
            QueueDelay = delay,
            RunTime = delay with { Unmatched = 0 },
            Blockers =
            [
                new("OrderApi.Cache.Get()", 0.94, 16, BlockKind.Lock, ["Monitor.Enter", "OrderApi.Cache.Get()", "OrderApi.Program.Main"]),
            ],
        };
    }

    // Starved for an hour: a worker a second, and hill climbing beside it; as many gaps as the engine keeps.
    static PoolReport Hour()
    {
        var deep = Deep();
        var delays = Enumerable.Range(1, 10_000).Select(n => n % 3 == 0
            ? SampleReports.GateCheck(n) with
            {
                Start = SampleReports.At(n * 355 - 1000),
                End = SampleReports.At(n * 355),
                Verdict = n % 300 == 0 ? DelayVerdict.Late : DelayVerdict.AsExpected,
            }
            : SampleReports.GateCheck(n) with
            {
                Start = null,
                End = SampleReports.At(n * 355),
                Reason = AdjustmentReason.ClimbingMove,
                Verdict = DelayVerdict.NotTimed,
                Ticks = [],
                Windows = [],
            }).ToImmutableArray();
        var all = Enumerable.Range(0, 18_000)
            .Select(i => new Bucket(8 + i % 700, 8 + i % 900, 8 + i % 800, i % 500, i % 90, i % 100 / 100f, Lost: false)).ToArray();
        // A quarter of an hour at full detail, a bucket a second before it.
        var chunks = all.Chunk(BucketSeries.ChunkLength).Select(c => c.ToArray()).ToArray();
        var coarse = all.Take(2700).Chunk(BucketSeries.ChunkLength / BucketSeries.PerCoarse).ToImmutableList();
        return deep with
        {
            Timeline = deep.Timeline with
            {
                Buckets = new BucketSeries(SampleReports.Origin, coarse, 54_000, chunks, BucketSeries.ChunkLength),
                Now = SampleReports.At(3_599_900),
            },
            InjectionDelays = delays,
            Blockers = [.. Enumerable.Repeat(new Blocker("OrderApi.Data.Repository`1.Load[System.Int32](int)", 0.05, 3, BlockKind.Io,
                [.. Enumerable.Repeat("System.Threading.Tasks.Task.SpinThenBlockingWait(int, CancellationToken)", 40)]), 20)],
        };
    }

    [GeneratedRegex("href=\"([^\"]*)\"")]
    static partial Regex Href { get; }

    [GeneratedRegex("\\bid=\"([^\"]*)\"")]
    static partial Regex Id { get; }
}
