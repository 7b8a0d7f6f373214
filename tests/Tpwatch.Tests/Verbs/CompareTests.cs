using System.Text.Json;
using System.Text.Json.Nodes;
using Tpwatch.Run;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Render;
using Tpwatch.Tests.Render.Json;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Verbs;

/// <summary>Whether a change made it better, told by recordings and by reports of them, and every reason not to tell.</summary>
public sealed class CompareTests : IDisposable
{
    /// <summary>A service that blocks on tasks, and the same with await.</summary>
    static readonly string Starved = TestRecordings.File("web-sync-over-async");

    static readonly string Mended = TestRecordings.File("web-async");

    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task The_remedy_applied_is_better_and_taken_back_is_worse()
    {
        var better = await CompareAsync(Starved, Mended);
        Assert.Equal((0, ""), (better.Code, better.Error));
        Golden.Verify("Render/compare-better.txt", Figures(better.Out));

        var worse = await CompareAsync(Mended, Starved, "--fail-on", "worse");
        Assert.Equal(10, worse.Code);
        Golden.Verify("Render/compare-worse.txt", Figures(worse.Out));
        Assert.StartsWith("tpwatch: --fail-on worse is met: Work items waited at most", worse.Error, StringComparison.Ordinal);
        Assert.Equal(0, (await CompareAsync(Mended, Starved)).Code);
        Assert.Equal(0, (await CompareAsync(Starved, Mended, "--fail-on", "worse")).Code);
    }

    [Fact]
    public async Task A_report_says_what_its_recording_says_in_any_mix()
    {
        var (starved, mended) = (await ReportAsync(Starved), await ReportAsync(Mended));
        var expected = Figures((await CompareAsync(Starved, Mended)).Out);
        foreach (var (before, after) in new[] { (starved, Mended), (Starved, mended), (starved, mended) })
        {
            Assert.Equal(expected, Figures((await CompareAsync(before, after)).Out));
        }
    }

    [Fact]
    public async Task The_document_keeps_to_its_schema_and_the_page_says_the_same()
    {
        var json = (await CompareAsync(Starved, Mended, "--format", "json")).Out;
        Assert.Empty(Schemas.Errors(Schemas.Compare, json));
        Assert.NotEmpty(Schemas.Errors(Schemas.Compare, json.Replace("\"better\"", "\"nicer\"", StringComparison.Ordinal)));
        using var document = JsonDocument.Parse(json);
        Assert.Equal("better", document.RootElement.GetProperty("outcome").GetString());
        var sentence = document.RootElement.GetProperty("sentence").GetString()!;

        var page = folder["page.html"];
        Assert.Equal(0, (await CompareAsync(Starved, Mended, "-o", page)).Code);
        var html = await File.ReadAllTextAsync(page, TestContext.Current.CancellationToken);
        Assert.Contains($"<h1>BETTER</h1><p class=\"headline\">{sentence}</p>", html, StringComparison.Ordinal);
        Assert.DoesNotMatch(@"\b(?:src|srcset|action|data|poster)=|@import|https?:|url\((?!#)|<script", html);
    }

    [Fact]
    public async Task A_name_from_the_target_stays_text_on_the_page()
    {
        var named = Write("named.json", r => r["target"]!["name"] = "<script>alert(1)</script>");
        Assert.DoesNotContain("<script", (await CompareAsync(named, named, "--format", "html")).Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("pool-burst", "pool-burst.net9")]
    [InlineData("deadlock", "deadlock.late")]
    [InlineData("pool-burst-min-100", "healthy-burst")]
    [InlineData("trickle", "trickle.net9")]
    public async Task Two_runs_of_one_kind_are_the_same(string before, string after) => Assert.StartsWith(
        "THE SAME. ", (await CompareAsync(TestRecordings.File(before), TestRecordings.File(after), "--fail-on", "worse")).Out,
        StringComparison.Ordinal);

    [Fact]
    public async Task One_burst_is_not_less_for_being_a_smaller_share_of_a_longer_watch()
    {
        var near = Write("near.json", r => (r["summary"]!["starvedMs"], r["series"]) = (20_000, Points(9, 50)));
        var far = Write("far.json", r =>
            (r["summary"]!["starvedMs"], r["series"], r["capture"]!["duration"]) = (20_000, Points(9, 12.5), 120_000));
        foreach (var (before, after) in new[] { (near, far), (far, near) })
        {
            Assert.StartsWith("CANNOT TELL. Work items waited for about as long in total,", (await CompareAsync(before, after)).Out,
                StringComparison.Ordinal);
        }

        // As long in total with four times as much completed is less.
        var busy = Write("busy.json", r =>
            (r["summary"]!["starvedMs"], r["series"], r["capture"]!["duration"]) = (20_000, Points(9, 50), 120_000));
        Assert.StartsWith("BETTER. ", (await CompareAsync(near, busy)).Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("lossy", "CANNOT TELL. Events were lost after, which may hide a difference.")]
    [InlineData("poor", "CANNOT TELL. Too many events were lost after to tell for how long work items waited.")]
    [InlineData("undecided", "CANNOT TELL. The report after is undecided. No item waited for long.")]
    [InlineData("unknown", "CANNOT TELL. The report after does not tell for how long work items waited.")]
    [InlineData("short", "CANNOT TELL. The difference is no larger than what is not measured. Watch both for longer.")]
    [InlineData("idle", "CANNOT TELL. Fewer work items completed after, so the load may have been smaller. Compare at the same load.")]
    public async Task What_cannot_be_told_is_told_with_its_reason(string kind, string said)
    {
        var healthy = Write("healthy.json", _ => { });
        var (before, after) = kind switch
        {
            "lossy" => (healthy, Write("after.json", r => r["capture"]!["quality"] = "degraded")),
            "poor" => (healthy, Write("after.json", r => r["capture"]!["quality"] = "poor")),
            "undecided" => (healthy, Write("after.json", r => r["summary"]!["verdict"] = "undecided")),
            "unknown" => (healthy, Write("after.json", r => r["summary"]!["starvedMs"] = null)),
            "short" => (healthy, Write("after.json", r => r["series"] = Points(null, 1, null, 1, 0, 1))),
            _ => (Write("before.json", r => (r["summary"]!["starvedMs"], r["series"]) = (20_000, Points(9, 50))),
                Write("after.json", r => r["series"] = Points(0, 20))),
        };
        var run = await CompareAsync(before, after, "--fail-on", "worse");
        Assert.StartsWith(said, run.Out.Replace("\n", " ", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Equal(12, run.Code);
        Assert.Contains("tpwatch: --fail-on worse cannot be answered: ", run.Error, StringComparison.Ordinal);
        Assert.Equal(0, (await CompareAsync(before, after)).Code);
    }

    [Fact]
    public async Task More_load_is_no_proof_of_worse_and_lost_events_hide_no_large_difference()
    {
        var idle = Write("idle.json", r => r["series"] = Points(0, 20));
        var busy = Write("busy.json", r => (r["summary"]!["starvedMs"], r["series"]) = (20_000, Points(9, 50)));
        Assert.StartsWith("CANNOT TELL. More work items completed after", (await CompareAsync(idle, busy)).Out, StringComparison.Ordinal);
        var lossy = Write("lossy.json", r =>
        {
            (r["summary"]!["starvedMs"], r["summary"]!["verdict"], r["series"]) = (20_000, "starved", Points(9, 20));
            (r["capture"]!["quality"], r["capture"]!["lost"]) = ("degraded", 12);
        });
        Assert.StartsWith("WORSE. Work items waited at most 0% of the time before, and at least 67% after.",
            (await CompareAsync(idle, lossy)).Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Other_processors_and_another_runtime_are_conditions_that_differ_and_what_is_not_known_is_none()
    {
        var other = Write("other.json", r => (r["target"]!["processors"]!["value"], r["target"]!["runtime"]) = (2, "9.0.1"));
        var text = (await CompareAsync(Write("healthy.json", _ => { }), other)).Out;
        Assert.Contains("\n  differs     runtime: .NET 10.0.12 before, .NET 9.0.1 after\n", text, StringComparison.Ordinal);
        Assert.Contains("\n  differs     processors: 8 before, 2 after\n", text, StringComparison.Ordinal);
        Assert.DoesNotContain("MaxThreads", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cause_is_gone_only_where_it_was_looked_for()
    {
        var before = Write("before.json", r =>
        {
            r["findings"] = new JsonArray(Finding("TPW001"), Finding("TPW003"), Finding("TPW005"));
            r["blockers"] = new JsonArray(Blocker("Cache.Get"), Blocker("Db.Load"));
        });
        var after = Write("after.json", r =>
        {
            r["findings"] = new JsonArray(Finding("TPW005"), Finding("TPW009"));
            (r["clear"], r["undecided"]) = (new JsonArray(Id("TPW001")), new JsonArray(Undecided("TPW003", "MaxThreads is not known")));
            r["blockers"] = new JsonArray(Blocker("Db.Load"), Blocker("File.Read"));
        });
        var text = (await CompareAsync(before, after)).Out;
        Assert.Contains(
            """

              gone        TPW001 title
              gone        Cache.Get (lock)
              new         File.Read (lock)
              still there TPW005 title
              still there Db.Load (lock)
              not known   TPW003 title: there before; after, MaxThreads is not known
              not known   TPW009 title: there after; before, this version does not have the check

            """, text, StringComparison.Ordinal);
        var unseen = Write("unseen.json", _ => { });
        Assert.Contains("not known   Cache.Get (lock): there before; after, no stacks were taken\n",
            (await CompareAsync(before, unseen)).Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{}", "is not a JSON report of tpwatch")]
    [InlineData("[1]", "is not a JSON report of tpwatch")]
    [InlineData("{", "is not valid JSON")]
    [InlineData("""{"schema":"tpwatch-whatif/1"}""", "is not a report: its schema is tpwatch-whatif/1")]
    [InlineData("""{"schema":"tpwatch-report/1"}""", "is not a whole report: see $")]
    public async Task A_document_that_is_no_report_is_a_mistake(string text, string said)
    {
        var run = await CompareAsync(folder.Write("x.json", text), Starved);
        Assert.Equal((3, ""), (run.Code, run.Out));
        Assert.Contains(said, run.ErrorLines[0], StringComparison.Ordinal);
        Assert.Equal("  Give a .nettrace file, or a report written with --format json.", run.ErrorLines[1]);
    }

    [Fact]
    public async Task A_report_of_another_version_is_told_apart_from_what_is_wrong_in_one()
    {
        var newer = await CompareAsync(folder.Write("x.json", """{"schema":"tpwatch-report/2"}"""), Starved);
        Assert.Contains("has the schema tpwatch-report/2, and this tpwatch reads tpwatch-report/1.", newer.Error, StringComparison.Ordinal);
        Assert.Equal(3, newer.Code);
        foreach (var (change, place) in new (Action<JsonNode> Change, string Place)[]
        {
            (r => r["summary"]!["verdict"] = "splendid", "$.summary.verdict"),
            (r => r["summary"]!["starvedMs"] = -5, "$.summary.starvedMs"),
            (r => r["capture"]!["duration"] = "long", "$.capture.duration"),
            (r => ((JsonObject)r["capture"]!).Remove("quality"), "$.capture"),
            (r => r["findings"] = new JsonArray([null]), "$"),
            (r => r["target"]!["name"] = null, "$.target.name"),
        })
        {
            var wrong = await CompareAsync(Write("wrong.json", change), Starved);
            Assert.Equal(3, wrong.Code);
            Assert.Contains($"is not a whole report: see {place}.", wrong.ErrorLines[0], StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task What_is_compared_is_not_written_over_and_conditions_of_reports_are_none_here()
    {
        var mine = Write("mine.json", _ => { });
        Assert.Equal(3, (await CompareAsync(Starved, mine, "-o", mine)).Code);
        Assert.StartsWith("tpwatch: 'gap>1s' is not a condition of --fail-on here.",
            (await CompareAsync(Starved, mine, "--fail-on", "gap>1s")).Error, StringComparison.Ordinal);
        Assert.Equal(2, (await CompareAsync(mine, folder.Write("cut.nettrace", "Nettrace and no more"))).Code);
    }

    static Task<CommandRun> CompareAsync(string before, string after, params string[] more) =>
        CommandRun.Of(new LiveEngine(), c => c, ["compare", before, after, .. more]);

    async Task<string> ReportAsync(string recording) =>
        folder.Write(Path.GetFileName(recording) + ".report", TestRecordings.Json(await TestRecordings.ReplayAsync(recording)));

    // The last lines say where the files lie.
    static string Figures(string text) => text[..(text.IndexOf("\n  before  ", StringComparison.Ordinal) + 1)];

    /// <summary>A healthy report with something changed.</summary>
    string Write(string name, Action<JsonNode> change)
    {
        var report = JsonNode.Parse(TestRecordings.Json(SampleReports.Healthy()))!;
        report["series"] = Points(0, 20);
        change(report);
        return folder.Write(name, report.ToJsonString());
    }

    // Queue length and completed items a second, in turn.
    static JsonArray Points(params double?[] values) => [.. values.Chunk(2).Select((pair, i) => (JsonNode)new JsonObject
    {
        ["t"] = i * 50, ["backlog"] = (long?)pair[0], ["completedPerSecond"] = pair[1],
    })];

    static JsonObject Finding(string id) => new() { ["id"] = id, ["title"] = "title" };

    static JsonObject Id(string id) => new() { ["id"] = id };

    static JsonObject Undecided(string id, string missing) => new() { ["id"] = id, ["missing"] = missing };

    static JsonObject Blocker(string frame) => new() { ["frame"] = frame, ["kind"] = "lock" };
}
