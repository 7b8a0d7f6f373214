using System.Text.Json;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Screen.Commands;
using Tpwatch.Tests.Render;
using Tpwatch.Text;

namespace Tpwatch.Tests.Verbs;

public sealed class VerbTests
{
    [Fact]
    public async Task Ndjson_is_one_object_a_line_and_nothing_else()
    {
        var run = await CommandRun.Of("-n", "OrderApi", "--format", "NDJSON");
        var kinds = run.Out.TrimEnd('\n').Split('\n')
            .Select(l => JsonDocument.Parse(l).RootElement.GetProperty("kind").GetString()).ToList();
        Assert.Equal("summary", kinds[^1]);
        Assert.Equal(26, kinds.Count(k => k == "decision"));
    }

    [Fact]
    public async Task A_long_wait_is_printed_while_it_is_open_and_only_once()
    {
        var open = SampleReports.InjectionDelay(1, 0, 2500)
            with
        { Verdict = DelayVerdict.Open, Reason = null, Mechanism = Mechanism.G1GateTick };
        var later = SampleReports.With(open with { End = SampleReports.At(3000) }) with { Journal = [] };
        var engine = new FakeEngine { GoesOn = true };
        engine.Reports.Clear();
        engine.Reports.AddRange([SampleReports.With(open with { End = SampleReports.At(1500) }) with { Journal = [] },
            SampleReports.With(open) with { Journal = [] }, later, later, later]);
        var run = await CommandRun.Of(engine, "-p", "41822", "--duration", "1s");
        Assert.Single(run.Out.Split('\n'), l => l.Contains("Z Waiting: ", StringComparison.Ordinal));
        Assert.Contains("Z Waiting: 9 threads, none added for 2.5 s", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Lines_of_a_replay_do_not_depend_on_when_somebody_looked()
    {
        var whole = SampleReports.Starved() with
        {
            Timeline = SampleReports.Starved().Timeline with { Source = SessionSource.Recording },
            End = SessionEnd.EndOfRecording,
        };
        var outputs = new List<string>();
        foreach (var halfway in (int[])[3, 12])
        {
            var open = SampleReports.InjectionDelay(
                halfway + 1, 0, 2500) with
            { Verdict = DelayVerdict.Open, Reason = null, Mechanism = Mechanism.G1GateTick };
            var some = whole with
            {
                Journal = whole.Journal[..halfway],
                InjectionDelays = [.. whole.InjectionDelays[..halfway], open],
                End = SessionEnd.StillOpen,
            };
            using var text = new StringWriter();
            var lines = new LiveLines(new DecisionLineRenderer(TimeStyle.Utc), text);
            lines.Print(some);
            Assert.DoesNotContain("TPW001", text.ToString(), StringComparison.Ordinal);
            lines.Print(whole);
            Assert.Contains("TPW001", text.ToString(), StringComparison.Ordinal);
            outputs.Add(text.ToString());
        }

        Assert.Equal(outputs[0], outputs[1]);
        Assert.Equal(0, outputs[0].Split("Waiting").Length - 1);
    }

    [Fact]
    public async Task A_recording_that_ended_early_says_so_and_a_failed_one_is_code_3()
    {
        var engine = new FakeEngine { RecordingEnded = "The recording reached its limit.", GoesOn = true };
        var file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        var run = await CommandRun.Of(engine, "record", "-p", "41822", "-o", file);
        Assert.Equal(0, run.Code);
        Assert.Contains("tpwatch: The recording reached its limit.", run.Error, StringComparison.Ordinal);
        engine = new FakeEngine { RecordingEnded = "The recording ended early.", RecordingFailed = true, GoesOn = true };
        Assert.Equal(3, (await CommandRun.Of(engine, "record", "-p", "41822", "-o", file)).Code);
    }

    [Fact]
    public async Task The_heartbeat_and_the_limits_reach_the_engine()
    {
        var engine = new FakeEngine();
        await CommandRun.Of(engine, "-p", "41822", "--heartbeat", "250ms");
        Assert.Equal(TimeSpan.FromMilliseconds(250), engine.Options!.CounterSample);
        await CommandRun.Of(engine, "-p", "41822", "--heartbeat", "off");
        Assert.Null(engine.Options.CounterSample);
        await CommandRun.Of(engine, "-p", "41822");
        Assert.Equal(WatchOptions.DefaultSampleInterval, engine.Options.CounterSample);
    }

    [Fact]
    public async Task A_target_of_net_8_is_told_about_before_attaching_unless_the_heartbeat_is_off()
    {
        var engine = new FakeEngine();
        engine.Processes[0] = FakeEngine.OrderApi with { Runtime = "8.0.31" };
        Assert.Contains(
            "others get samples at least every", (await CommandRun.Of(engine, "-p", "41822")).Error, StringComparison.Ordinal);
        Assert.DoesNotContain(
            "others get samples at least every",
            (await CommandRun.Of(engine, "-p", "41822", "--heartbeat", "off")).Error, StringComparison.Ordinal);
        Assert.DoesNotContain(
            "others get samples at least every", (await CommandRun.Of("-p", "41822")).Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(SessionEnd.TargetExited, 0)]
    [InlineData(SessionEnd.TargetKilled, 0)]
    [InlineData(SessionEnd.StoppedByUs, 0)]
    [InlineData(SessionEnd.StreamBroken, 2)]
    [InlineData(SessionEnd.RecordingBroken, 2)]
    public async Task The_way_it_ended_decides_the_exit_code_and_what_was_seen_is_reported(SessionEnd end, int code)
    {
        var engine = new FakeEngine();
        engine.Reports[0] = engine.Reports[0] with { End = end };
        foreach (var verb in (string[][])[["-p", "41822"], ["report", "-p", "41822"]])
        {
            var run = await CommandRun.Of(engine, verb);
            Assert.Equal(code, run.Code);
            Assert.Contains("STARVED for 25.9 s, over now", run.Out, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_report_goes_to_a_file_when_asked()
    {
        var file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        try
        {
            var run = await CommandRun.Of("report", "-p", "41822", "--format", "Json", "--output", file);
            Assert.Equal(0, run.Code);
            Assert.Empty(run.Out);
            Assert.Equal("tpwatch-report/1", JsonDocument.Parse(File.ReadAllText(file)).RootElement.GetProperty("schema").GetString());
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task The_name_of_a_recording_is_the_result_and_the_trial_leaves_nothing_behind()
    {
        var file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        try
        {
            var engine = new FakeEngine();
            var run = await CommandRun.Of(engine, "record", "-p", "41822", "-o", file, "--limit-size", "64MB");
            Assert.Equal(file + "\n", run.Out);
            Assert.Equal(file, engine.Options!.RecordTo);
            Assert.Equal(64L << 20, engine.Options.RecordLimitBytes);
            Assert.False(File.Exists(file));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory]
    [InlineData("1", 1.0)]
    [InlineData("10", 10.0)]
    [InlineData("MAX", null)]
    [InlineData(null, null)]
    public async Task A_replay_has_its_speed(string? asked, double? speed)
    {
        var file = Path.GetTempFileName();
        try
        {
            var engine = new FakeEngine();
            var run = await CommandRun.Of(engine, ["replay", file, .. asked is null ? Array.Empty<string>() : ["--speed", asked]]);
            Assert.Equal(0, run.Code);
            Assert.Equal(speed, engine.Options!.ReplaySpeed);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task Waiting_for_a_name_ends_when_it_appears_or_the_time_is_over()
    {
        var engine = new FakeEngine { AppearsAfter = 5 };
        Assert.Equal(0, (await CommandRun.Of(engine, "-n", "OrderApi", "--wait", "--timeout", "5s")).Code);
        Assert.Equal(6, engine.Looks);

        // What was waited for may still be starting; what was there is not asked how old it is.
        Assert.True(engine.Options!.MayBeStarting);
        var present = new FakeEngine();
        Assert.Equal(0, (await CommandRun.Of(present, "-n", "OrderApi")).Code);
        Assert.False(present.Options!.MayBeStarting);
        Assert.Equal(1, (await CommandRun.Of(new FakeEngine { AppearsAfter = 1000 }, "-n", "OrderApi", "--wait", "--timeout", "2s")).Code);
    }

    [Fact]
    public async Task The_screen_is_shown_in_a_terminal_only_and_the_summary_comes_after_it()
    {
        var shown = 0;
        ShowScreen screen = (watch, request, stop) => { shown++; return Task.CompletedTask; };
        CommandContext InTerminal(CommandContext c) => c with { Screen = screen, Terminal = new(IsInteractive: true, Width: 80) };
        var run = await CommandRun.Of(new FakeEngine { GoesOn = true }, InTerminal, "-p", "41822");
        Assert.Equal(1, shown);
        Assert.StartsWith("\nSTARVED for 25.9 s, over now", run.Out, StringComparison.Ordinal);
        await CommandRun.Of(new FakeEngine(), InTerminal, "-p", "41822", "--plain");
        await CommandRun.Of(new FakeEngine(), c => c with { Screen = screen }, "-p", "41822");
        Assert.Equal(1, shown);
    }

    [Fact]
    public async Task How_the_screen_is_to_look_reaches_it()
    {
        ScreenAppearance? asked = null;
        ShowScreen screen = (watch, request, stop) => { asked = request; return Task.CompletedTask; };
        await CommandRun.Of(
            new FakeEngine { GoesOn = true }, c => c with { Screen = screen, Terminal = new(IsInteractive: true, Width: 80) },
            "--name", "OrderApi", "--color", "16", "--glyphs", "ascii", "--theme", "light", "--fps", "5", "--mouse", "off");
        Assert.Equal(new("16", "ascii", "light", 5, TimeStyle.Utc) { Mouse = false }, asked);
        var look = AppearanceChoice.Of(asked!);
        Assert.Equal(
            (ColorDepth.Sixteen, GlyphSet.Ascii, TimeSpan.FromMilliseconds(200)),
            (look.Depth, look.Glyphs, asked!.HostOptions(look).Tick));
    }

    [Fact]
    public void Every_word_of_the_options_is_a_look()
    {
        var looks =
            from color in (string[])["auto", "always", "never", "16", "truecolor"]
            from glyphs in (string[])["auto", "braille", "block", "ascii"]
            from theme in (string?[])[null, "auto", "dark", "light", "16", "mono"]
            select AppearanceChoice.Of(new(color, glyphs, theme, 10, TimeStyle.Utc)).Glyphs;
        Assert.Equal(3, looks.Distinct().Count());
    }

    [Fact]
    public async Task Help_and_version_are_results()
    {
        var help = await CommandRun.Of("report", "--help");
        Assert.Equal(0, help.Code);
        Assert.Contains("--duration", help.Out, StringComparison.Ordinal);
        Assert.Equal(help.Out, (await CommandRun.Of("help", "report")).Out);
        Assert.Equal((await CommandRun.Of("--help")).Out, (await CommandRun.Of("help")).Out);
        Assert.Equal(0, (await CommandRun.Of("--version")).Code);
    }
}
