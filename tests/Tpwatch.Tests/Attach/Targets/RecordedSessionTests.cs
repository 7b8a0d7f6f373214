using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Attach.Targets;

[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class RecordedSessionTests : IDisposable
{
    static readonly TargetFacts Shop = new()
    {
        Pid = 4711,
        Name = "Shop",
        CommandLine = "/usr/bin/dotnet /srv/Shop.dll --password=hush",
        RuntimeVersion = "10.0.12",
        Os = "Linux",
        Architecture = "x64",
        Processors = new SourcedValue(8, SettingSource.Environment),
        MinWorkers = new SourcedValue(25, SettingSource.Runtimeconfig),
        Settings = [new PoolSetting("DOTNET_PROCESSOR_COUNT", "8", SettingSource.Environment)],
    };

    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task What_a_recording_writes_its_replay_reads()
    {
        ClockReading[] clock = [new(new EventTime(5), 4, 2.5, 0.02, ClockRegime.Unknown),
            new(new EventTime(9), 4, 2.5, 0.02, ClockRegime.Busy)];
        var written = SideCarFile.Describe(Shop, clock) with { SampleIntervalMs = 1000, Remarks = ["It hit its limit."] };
        SideCarFile.Write(SideCarFile.PathFor(Recording()), written, over: false);

        await using var session = RecordedSession.Open(folder["a.nettrace"]);
        Assert.Equal(Shop with { CommandLine = "dotnet Shop.dll ...", Settings = session.Target.Settings }, session.Target);
        Assert.Equal(Shop.Settings.ToArray(), session.Target.Settings.ToArray());
        Assert.Equal(
            (SessionSource.Recording, 1000.0, "0.1.0"), (session.Source, session.SideCar!.SampleIntervalMs, session.SideCar.ToolVersion));
        Assert.Equal("It hit its limit.", Assert.Single(session.Remarks));
        Assert.False(session.TryTakeClockReading(new EventTime(4), out _));
        Assert.True(session.TryTakeClockReading(new EventTime(100), out var first));
        Assert.True(session.TryTakeClockReading(new EventTime(100), out var second));
        Assert.False(session.TryTakeClockReading(new EventTime(100), out _));
        Assert.Equal(clock, new[] { first, second });
        Assert.Equal((SessionEnd.EndOfRecording, SessionEnd.RecordingBroken),
            (session.Ended(properEndMark: true), session.Ended(properEndMark: false)));
    }

    [Fact]
    public async Task Looks_at_the_process_are_kept_to_the_last_digit_and_those_without_sense_left_out()
    {
        ProcessReading[] seen =
        [
            new(new EventTime(5), 0, Stopped: false) { MemoryLoad = 0.731 },
            new(new EventTime(1_000_000_123), 1000.000118, Stopped: true)
            {
                StoppedSince = new EventTime(7), StoppedUntil = new EventTime(900),
                WaitMs = 12.345, GateWaitMs = 0.25, ThrottledMs = 99.125,
            },
        ];
        SideCarProcessReading nonsense = new(12, -1);
        SideCarFile.Write(SideCarFile.PathFor(Recording()),
            SideCarFile.Describe(Shop, []) with { Process = [.. seen.Select(SideCarProcessReading.Of), nonsense] }, over: false);

        await using var session = RecordedSession.Open(folder["a.nettrace"]);
        Assert.False(session.TryTakeProcessReading(new EventTime(4), out _));
        Assert.True(session.TryTakeProcessReading(new EventTime(5), out var first));
        Assert.True(session.TryTakeProcessReading(new EventTime(long.MaxValue), out var second));
        Assert.False(session.TryTakeProcessReading(new EventTime(long.MaxValue), out _));
        Assert.Equal(seen, new[] { first, second });
    }

    [Fact]
    public void A_side_car_is_private_and_holds_no_arguments()
    {
        SideCarFile.Write(folder["x"], SideCarFile.Describe(Shop, []), over: false);
        Assert.DoesNotContain("hush", File.ReadAllText(folder["x"]), StringComparison.Ordinal);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(folder["x"]));
    }

    [Fact]
    public async Task Without_a_side_car_the_target_has_the_files_name_and_a_remark_says_what_is_missing()
    {
        await using var session = RecordedSession.Open(Recording());
        Assert.Equal(("a.nettrace", SourcedValue.Unknown), (session.Target.Name, session.Target.Processors));
        Assert.Equal("a.nettrace.json is missing. Without that file, tpwatch does not know all settings of the process, "
            + "or whether the process was stopped (TPW014). If you have the file, put it next to the recording.",
            Assert.Single(session.Remarks));
    }

    [Theory]
    [InlineData("", "is broken and not used")]
    [InlineData("{", "is broken and not used")]
    [InlineData("null", "does not have the schema")]
    [InlineData("[]", "is broken and not used")]
    [InlineData("{}", "is broken and not used")]
    [InlineData("""{"schema":"tpwatch-sidecar/1","target":null}""", "does not have the schema")]
    [InlineData("""{"schema":"tpwatch-sidecar/2","target":{}}""", "does not have the schema")]
    [InlineData("""{"schema":"tpwatch-sidecar/1","target":{"pid":"x"}}""", "is broken and not used")]
    [InlineData("""{"schema":"tpwatch-sidecar/1","source":"radio","target":{}}""", "is broken and not used")]
    public async Task A_side_car_that_cannot_be_used_is_a_remark(string json, string remark)
    {
        var path = Recording();
        folder.Write("a.nettrace.json", json);
        await using var session = RecordedSession.Open(path);
        Assert.Contains(remark, Assert.Single(session.Remarks), StringComparison.Ordinal);
        Assert.Equal("a.nettrace", session.Target.Name);
    }

    [Fact]
    public async Task Of_a_side_car_with_holes_the_rest_is_used()
    {
        var path = Recording();
        folder.Write("a.nettrace.json", """
            {"schema":"tpwatch-sidecar/1","new":1,"target":{"minWorkers":null},
             "clock":[{"atNs":9,"stepMs":4,"gridMs":1,"edgeMs":1,"regime":"idle"},{"atNs":7,"stepMs":0},{"atNs":8,"stepMs":4,"gridMs":9,"edgeMs":1,"regime":"busy"},{"atNs":5,"stepMs":1,"gridMs":0,"edgeMs":0,"regime":"busy"}]}
            """);
        await using var session = RecordedSession.Open(path);
        Assert.Empty(session.Remarks);
        Assert.True(session.TryTakeClockReading(new EventTime(10), out var first));
        Assert.True(session.TryTakeClockReading(new EventTime(10), out var second));
        Assert.False(session.TryTakeClockReading(new EventTime(10), out _));
        Assert.Equal((5L, 9L), (first.At.Nanoseconds, second.At.Nanoseconds));
    }

    [Fact]
    public async Task The_stream_is_the_whole_file()
    {
        await using var session = RecordedSession.Open(Recording());
        using StreamReader reader = new(session.Events);
        Assert.Equal("Nettrace and more", await reader.ReadToEndAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public void A_file_that_is_not_there() => Refused("nowhere", ExitCode.Arguments, "There is no file {0}.");

    [Fact]
    public void A_folder()
    {
        Directory.CreateDirectory(folder["a"]);
        Refused("a", ExitCode.Arguments, "{0} cannot be read: it is a folder.");
    }

    [Theory]
    [InlineData("a", "", "{0} is empty.")]
    [InlineData("a", "Nettrac", "{0} is not a .nettrace recording.")]
    [InlineData("a", "PK..", "{0} is not a .nettrace recording.")]
    [InlineData("a.nettrace.json", "{}", "{0} is the .json file that belongs to a recording.")]
    public void A_file_that_is_no_recording(string name, string content, string sentence)
    {
        folder.Write(name, content);
        Refused(name, ExitCode.Broken, sentence);
    }

    void Refused(string name, ExitCode code, string sentence)
    {
        var e = Assert.Throws<UserErrorException>(() => RecordedSession.Open(folder[name]));
        Assert.Equal((code, sentence.Replace("{0}", folder[name], StringComparison.Ordinal)), (e.ExitCode, e.Message));
    }

    string Recording() => folder.Write("a.nettrace", "Nettrace and more");
}
