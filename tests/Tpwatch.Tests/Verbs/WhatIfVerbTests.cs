using System.Text.Json;
using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Reporting;

namespace Tpwatch.Tests.Verbs;

public sealed class WhatIfVerbTests
{
    static readonly string Burst = TestRecordings.File("pool-burst");

    [Fact]
    public async Task A_recording_is_answered_in_text_the_change_first()
    {
        var run = await Of(await EngineAsync(), "whatif", Burst, "--min", "100");

        Assert.Equal(0, run.Code);
        Assert.StartsWith("WHAT IF MinThreads 100\n", run.Out, StringComparison.Ordinal);
        Assert.Contains("o measured   * simulated   @ both", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_process_is_observed_for_a_while_and_answered_in_json()
    {
        var run = await Of(await EngineAsync(), "whatif", "-p", "41822", "--duration",
            "5s", "--policy", "clr11", "--clock", "windows", "--format", "json");
        using var document = JsonDocument.Parse(run.Out);

        Assert.Equal(0, run.Code);
        Assert.Equal("tpwatch-whatif/1", document.RootElement.GetProperty("schema").GetString());
        Assert.Equal("windows", document.RootElement.GetProperty("change").GetProperty("clock").GetString());
    }

    [Theory]
    [InlineData("x.nettrace", "No change is given.",
        "Give at least one of --min N, --max N, --processors N, --async, --policy portable|native|clr35|clr11|rotor.")]
    [InlineData("x.nettrace --min 8 --max 4", "--min 8 is larger than --max 4.", "MinThreads must not be larger than MaxThreads.")]
    [InlineData("x.nettrace --policy clr2", "'clr2' is not a value of --policy.", "Choose one of portable, native, clr35, clr11, rotor.")]
    [InlineData("x.nettrace -p 1 --async", "A file and a process were both given.", "Give a recording or a process, not both.")]
    [InlineData("x.nettrace --async --clock sun", "'sun' is not a value of --clock.", "Choose one of linux, windows.")]
    public async Task A_mistake_is_told_in_one_sentence_with_a_hint(string words, string sentence, string hint) =>
        IsMistake(await CommandRun.Of(["whatif", .. words.Split(' ')]), sentence, hint);

    [Fact]
    public async Task A_min_above_the_max_that_the_target_has_is_a_mistake_and_so_is_a_max_below_its_min()
    {
        var engine = await EngineAsync();
        engine.Reports[0] = engine.Reports[0] with
        {
            Timeline = engine.Reports[0].Timeline with
            {
                Target = engine.Reports[0].Timeline.Target with
                {
                    MinWorkers = new(8, SettingSource.Event),
                    MaxWorkers = new(20, SettingSource.Event),
                },
            },
        };
        IsMistake(await Of(engine, "whatif", Burst, "--min", "100"),
            "MinThreads 100 would be larger than MaxThreads 20.", "Also give --max 100 or more.");
        IsMistake(await Of(engine, "whatif", Burst, "--max", "4"),
            "MinThreads 8 would be larger than MaxThreads 4.", "Also give --min 4 or less.");
        Assert.Equal(0, (await Of(engine, "whatif", Burst, "--max", "4", "--policy", "rotor")).Code);
    }

    [Fact]
    public async Task Where_no_items_were_seen_there_is_nothing_to_imagine()
    {
        var idle = new PoolScript().Processors(8).CounterSamples(0).Pass(10_000).Report(SessionEnd.StoppedByUs);
        var engine = new FakeEngine();
        (engine.Reports[0], var none) = (idle, Render.SampleReports.Healthy());
        IsMistake(await Of(engine, "whatif", Burst, "--async"), "No work item ran on the pool in this capture.",
            "Watch for a shorter time, with counter samples and while items wait.");
        engine.Reports[0] = none;
        IsMistake(await Of(engine, "whatif", Burst, "--async"),
            "Without counter samples it is not known how many items arrived.",
            "Watch for a shorter time, with counter samples and while items wait.");
    }

    [Fact]
    public async Task A_file_that_is_not_there_and_one_that_would_be_overwritten_are_mistakes()
    {
        Assert.Equal(3, (await CommandRun.Of("whatif", "nowhere.nettrace", "--async")).Code);
        Assert.Equal(3, (await CommandRun.Of("whatif", Burst, "--async", "-o", Burst)).Code);
    }

    [Fact]
    public async Task The_report_of_a_recording_in_which_items_waited_tries_two_changes()
    {
        var run = await Of(await EngineAsync(), "report", Burst, "--verbose");
        Assert.Contains("\nWhat if (times since the first item was queued)\n", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain(
            "What if", (await Of(new FakeEngine { Reports = { [0] = Render.SampleReports.Healthy() } }, "report", Burst, "--verbose")).Out,
            StringComparison.Ordinal);
    }

    static Task<CommandRun> Of(FakeEngine engine, params string[] args) => CommandRun.Of(engine, args);

    static async Task<FakeEngine> EngineAsync()
    {
        var engine = new FakeEngine();
        engine.Reports[0] = await TestRecordings.ReplayAsync(Burst);
        return engine;
    }

    static void IsMistake(CommandRun run, string sentence, string hint)
    {
        Assert.Equal((3, $"tpwatch: {sentence}\n  {hint}\n", ""), (run.Code, run.Error, run.Out));
    }
}
