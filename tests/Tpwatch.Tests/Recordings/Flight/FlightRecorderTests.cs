using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Properties.Generators;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Recordings.Flight;

public sealed class FlightRecorderTests : IDisposable
{
    /// <summary>Far more than any recording here.</summary>
    const long Plenty = 1 << 30;

    readonly TempFolder folder = new();

    public static TheoryData<string> Names => ["pool-burst", "sync-over-async", "trickle", "web-async", "recovering"];

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Dispose();

    [Theory]
    [MemberData(nameof(Names))]
    public void What_is_retained_whole_is_the_stream_byte_for_byte_however_it_came_in_pieces(string name)
    {
        var bytes = File.ReadAllBytes(TestRecordings.File(name));
        foreach (var piece in (int[])[1, 7, 1000, 4096, bytes.Length])
        {
            var tape = Fed(bytes, piece, Plenty);
            Assert.False(tape.IsCut);
            Assert.Null(tape.Defect);
            Assert.Equal(bytes, Written(tape));
        }
    }

    [Fact]
    public void Nothing_is_saved_through_a_link_that_leads_nowhere()
    {
        File.CreateSymbolicLink(folder["new.nettrace"], folder["elsewhere"]);
        var tape = Fed(File.ReadAllBytes(TestRecordings.File("trickle")), 4096, Plenty);
        Assert.Throws<UserErrorException>(() =>
            SavedFlight.Save(folder["new.nettrace"], tape, SideCarFile.Describe(new() { Pid = 1, Name = "a" }, [])));
        Assert.False(File.Exists(folder["elsewhere"]));
    }

    [Theory]
    [InlineData("pool-burst")]
    [InlineData("sync-over-async")]
    [InlineData("web-async")]
    public async Task What_is_retained_of_the_end_tells_the_same_gaps_of_that_time(string name)
    {
        var whole = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        var bytes = await File.ReadAllBytesAsync(TestRecordings.File(name), Cancel);
        var tape = Fed(bytes, 500, bytes.Length * 2 / 3);
        Assert.True(tape.IsCut);
        Assert.InRange(tape.Bytes, 1, bytes.Length * 2 / 3);

        var saved = SavedFlight.Save(folder["half.nettrace"], tape, SideCarFile.Describe(whole.Timeline.Target, []));
        Assert.False(saved.IsWhole);
        var half = await TestRecordings.ReplayAsync(saved.Path);
        Assert.Equal(SessionEnd.EndOfRecording, half.End);
        Assert.Equal((0, false), (half.Timeline.Quality.Lost, half.Timeline.Quality.LossUnknown));
        Assert.Contains(half.Timeline.Quality.Remarks, r => r.Contains("begins in the middle", StringComparison.Ordinal));
        Assert.True(half.Timeline.Start > whole.Timeline.Start);
        Assert.InRange((half.Timeline.StartUtc - whole.Timeline.UtcOf(half.Timeline.Start)).TotalMilliseconds, -2, 2);

        // The first decision after the cut has no one before it to be measured from, and compensation needs one more.
        var known = Told(half).Skip(2).ToList();
        Assert.NotEmpty(known);
        Assert.Equal(Told(whole).TakeLast(known.Count), known);
    }

    [Fact]
    public async Task While_watching_it_is_saved_with_its_side_car_for_its_owner_alone_and_opens_afterwards()
    {
        await using var watch = ThreadPoolWatch.Replay(TestRecordings.File("pool-burst"), new() { RetainBytes = Plenty });
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);
        var saved = watch.SaveRetained(folder["flight.nettrace"]);

        Assert.True(saved.IsWhole);
        Assert.Equal(Decided(watch.Report()), Decided(await TestRecordings.ReplayAsync(saved.Path)));
        Assert.Equal(TestRecordings.Json(watch.Report()), TestRecordings.Json(await TestRecordings.ReplayAsync(saved.Path)));
        if (!OperatingSystem.IsWindows())
        {
            const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            Assert.Equal((OwnerOnly, OwnerOnly), (File.GetUnixFileMode(saved.Path), File.GetUnixFileMode(saved.Path + ".json")));
        }

        Assert.Equal(ExitCode.Arguments, Assert.Throws<UserErrorException>(() => watch.SaveRetained(saved.Path)).ExitCode);
    }

    [Fact]
    public async Task The_stacks_that_were_seen_are_saved_with_it()
    {
        await using var watch = ThreadPoolWatch.Replay(TestRecordings.File("Deep/lock-convoy"), new() { RetainBytes = Plenty });
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);
        var seen = watch.Report().Blockers!.Value;
        var again = await TestRecordings.ReplayAsync(watch.SaveRetained(folder["stacks.nettrace"]).Path);

        Assert.NotEmpty(seen);
        Assert.Equal(seen.Select(b => (b.Chain, b.Threads)), again.Blockers!.Value.Select(b => (b.Chain, b.Threads)));
    }

    [Fact]
    public async Task In_the_middle_of_a_replay_what_has_come_so_far_is_saved()
    {
        var control = new ReplayControl(1) { RunToMs = 4000, Paused = true };
        await using var watch = ThreadPoolWatch.Replay(TestRecordings.File("pool-burst"), new() { RetainBytes = Plenty, Replay = control });
        await Until(() => watch.Report().Timeline is var t && t.Now.MsSince(t.Start) > 3000);
        var saved = watch.SaveRetained(folder["so-far.nettrace"]);
        var so = await TestRecordings.ReplayAsync(saved.Path);
        Assert.Equal(SessionEnd.EndOfRecording, so.End);
        Assert.InRange(so.Timeline.Now.MsSince(so.Timeline.Start), 3000, 60_000);
    }

    [Fact]
    public async Task Nothing_retained_is_said_and_no_file_is_left()
    {
        await using var watch = ThreadPoolWatch.Replay(TestRecordings.File("pool-burst"), new());
        await watch.Completion.WaitAsync(TestRecordings.Limit, Cancel);
        Assert.Equal(ExitCode.NoSession, Assert.Throws<UserErrorException>(() => watch.SaveRetained(folder["none.nettrace"])).ExitCode);
        Assert.False(File.Exists(folder["none.nettrace"]));
    }

    [Fact]
    public void The_bound_holds_however_long_it_goes_on()
    {
        var bytes = File.ReadAllBytes(TestRecordings.File("web-async"));
        var recorder = new FlightRecorder(64 << 10);
        var blocks = Fed(bytes, bytes.Length, Plenty).Blocks.ToList();
        for (var round = 0; round < 200; round++)
        {
            foreach (var block in blocks.Where(b => b.Kind != NettraceBlockKind.Metadata || round == 0))
            {
                recorder.Take(new(block.Kind, block.Head, block.Content));
                Assert.InRange(recorder.Tape.Bytes, 0, 64 << 10);
            }
        }

        Assert.True(recorder.Tape.IsCut);
        Assert.Equal(blocks.Count(b => b.Kind == NettraceBlockKind.Metadata), recorder.Tape.Metadata.Count());
    }

    [Fact]
    public void A_stream_of_another_kind_is_left_alone_and_says_so()
    {
        var random = new Random(3);
        for (var round = 0; round < 200; round++)
        {
            var bytes = File.ReadAllBytes(TestRecordings.File("trickle"));
            for (var i = 0; i < 20; i++)
            {
                bytes[random.Next(round % 2 == 0 ? 600 : bytes.Length)] = (byte)random.Next(256);
            }

            var tape = Fed(bytes, random.Next(1, 5000), random.Next(1000, 100_000));
            Written(tape);
        }

        Assert.NotNull(Fed([.. Enumerable.Repeat((byte)'x', 500)], 100, Plenty).Defect);
    }

    static FlightSnapshot Fed(byte[] bytes, int piece, long limit)
    {
        var recorder = new FlightRecorder(limit);
        using EventStream stream = new(new ChoppedStream(new MemoryStream(bytes), [piece])) { Flight = recorder };
        stream.CopyTo(Stream.Null, bytes.Length);
        return recorder.Tape;
    }

    static byte[] Written(FlightSnapshot tape)
    {
        using var stream = new MemoryStream();
        if (tape.HasEvents)
        {
            tape.WriteTo(stream);
        }

        return stream.ToArray();
    }

    static IEnumerable<(EventTime, object?, int?, double?, DelayVerdict, Mechanism)> Told(PoolReport report) =>
        report.InjectionDelays.Where(g => g.Reason is not null)
            .Select(g =>
                (g.End, (object?)g.Reason, g.TargetThreadsAfter,
                    g.ObservedMs is { } ms ? Math.Round(ms, 3) : (double?)null, g.Verdict, g.Mechanism));

    static string Decided(PoolReport report) => TestRecordings.Lines(report);

    static async Task Until(Func<bool> condition)
    {
        for (var i = 0; i < 2000 && !condition(); i++)
        {
            await Task.Delay(5, Cancel);
        }

        Assert.True(condition());
    }
}
