using System.Diagnostics;
using System.Text;
using System.Text.Json.Nodes;
using Tpwatch.Run;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Verbs;

namespace Tpwatch.Tests.Hostile;

/// <summary>A recording beside which somebody has put a side-car of his own: the report comes, and says what it does not believe.</summary>
[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class LyingSideCarTests : IDisposable
{
    const string Real = "lock-convoy";

    readonly TempFolder folder = new();

    string Recording => folder["a.nettrace"];

    string SideCar => folder["a.nettrace.json"];

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData("maxWorkers", 0)]
    [InlineData("maxWorkers", -5)]
    [InlineData("minWorkers", -1)]
    [InlineData("minWorkers", 40_000)]
    [InlineData("processors", 0)]
    public async Task A_number_that_no_pool_has_is_unknown_and_said(string field, int value)
    {
        var said = await SaidAsync(told => told["target"]![field] = Number(value));
        Assert.Contains("impossible processor count", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_min_above_max_is_unknown() => Assert.Contains("impossible processor count", await SaidAsync(told =>
    {
        told["target"]!["minWorkers"] = Number(20);
        told["target"]!["maxWorkers"] = Number(10);
    }), StringComparison.Ordinal);

    /// <summary>Possible, and contradicted by every event of the stream.</summary>
    [Fact]
    public async Task A_max_of_one_is_no_reason_to_fall() => await SaidAsync(told => told["target"]!["maxWorkers"] = Number(1));

    [Theory]
    [InlineData("""{ "threads": [1, 2], "places": [null], "blocked": 2, "workers": 0 }""")]
    [InlineData("""{ "threads": [1], "blocked": 1, "workers": 1 }""")]
    [InlineData("""{ "threads": [1, 2], "places": ["a"], "blocked": -1, "workers": 9 }""")]
    public async Task A_deadlock_of_nothing(string deadlock) => await SaidAsync(told => told["inside"] = JsonNode.Parse(
        $$"""[{ "atNs": 1, "ms": 1, "threads": 2, "deadlock": {{deadlock}} }]"""));

    /// <summary>The stream of another process, and none at all.</summary>
    [Fact]
    public async Task A_start_that_is_not_this_recordings_is_left_out()
    {
        var plain = await SaidAsync(_ => { });
        var other = Convert.ToBase64String(File.ReadAllBytes(TestRecordings.File("Deep/outside")));
        Assert.Equal(plain, await SaidAsync(told => told["start"] = other));
        Assert.Equal(plain, await SaidAsync(told => told["start"] = "bm8gc3RyZWFt"));
    }

    [Fact]
    public async Task Lists_may_hold_nothing() => await SaidAsync(told =>
    {
        told["remarks"] = new JsonArray((JsonNode?)null);
        told["clock"] = new JsonArray((JsonNode?)null);
        told["process"] = new JsonArray((JsonNode?)null);
        told["bursts"] = JsonNode.Parse(
            """{ "frames": [null], "taken": [null, { "atNs": 1, "ms": 2, "stacks": [null], "locks": [null] }] }""");
    });

    [Fact]
    public async Task Names_neither_steer_a_terminal_nor_begin_a_line()
    {
        var said = await SaidAsync(told =>
        {
            told["target"]!["settings"] = new JsonArray(
                JsonNode.Parse("""{ "name": "X\n::error::y", "value": "\u001b", "source": "environment" }"""));
            told["target"]!["name"] = "shop\n::error::bought \u001b[31m\u009b2J\u202e";
            told["remarks"] = new JsonArray("well\n::warning::well");
        }, "text");
        Assert.DoesNotContain("\n::", said, StringComparison.Ordinal);
        Assert.DoesNotContain(said, c => c is '\u001b' or '\u009b' or '\u202e');
    }

    [Fact]
    public async Task A_pipe_and_a_device_without_end_are_no_side_cars()
    {
        File.Copy(TestRecordings.File(Real), Recording);
        using (var made = Process.Start("mkfifo", SideCar))
        {
            await made.WaitForExitAsync(TestContext.Current.CancellationToken);
        }

        Assert.Contains("not a file", await ReportAsync(), StringComparison.Ordinal);
        File.Delete(SideCar);
        File.CreateSymbolicLink(SideCar, "/dev/zero");
        Assert.Contains("too large to belong to a recording", await ReportAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_pipe_is_no_recording_and_one_that_nobody_reads_no_place_for_a_report()
    {
        File.Copy(TestRecordings.File(Real), Recording);
        using (var made = Process.Start("mkfifo", folder["pipe"]))
        {
            await made.WaitForExitAsync(TestContext.Current.CancellationToken);
        }

        Assert.Contains("a pipe or a terminal", (await RunAsync("report", folder["pipe"])).Error, StringComparison.Ordinal);
        Assert.Contains(
            "without a reader", (await RunAsync("report", Recording, "-o", folder["pipe"])).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_report_is_not_written_over_a_part_of_its_recording()
    {
        File.Copy(TestRecordings.File(Real), Recording);
        File.WriteAllText(folder["a.deep.nettrace"], "precious");
        var run = await RunAsync("report", Recording, "-o", folder["a.deep.nettrace"]);
        Assert.Equal((3, "precious"), (run.Code, File.ReadAllText(folder["a.deep.nettrace"])));
    }

    [Theory]
    [InlineData("a\u001b[2Jb\rc\n\td\u007f", "a?[2Jb?c\n\td?")]
    [InlineData("é ✓ 𝄞", "é ✓ 𝄞")]
    [InlineData("\u0085\u009b31m", "????31m")]
    public void The_door_lets_no_control_character_out(string text, string leaves) =>
        Assert.Equal(leaves, Encoding.UTF8.GetString(ControlCharacterFilter.Of(Encoding.UTF8.GetBytes(text))));

    static JsonObject Number(int value) => new JsonObject { ["value"] = value, ["source"] = "environment" };

    async Task<string> SaidAsync(Action<JsonNode> lie, string format = "json")
    {
        File.Copy(TestRecordings.File(Real), Recording, overwrite: true);
        var told = JsonNode.Parse(File.ReadAllText(TestRecordings.File(Real) + ".json"))!;
        lie(told);
        File.WriteAllText(SideCar, told.ToJsonString());
        return await ReportAsync(format);
    }

    async Task<string> ReportAsync(string format = "json")
    {
        var run = await RunAsync("report", Recording, "--format", format);
        Assert.True(run.Code == 0, run.Error);
        return run.Out;
    }

    static Task<CommandRun> RunAsync(params string[] words) =>
        CommandRun.Of(new LiveEngine(), context => context with { Time = TimeProvider.System }, words);
}
