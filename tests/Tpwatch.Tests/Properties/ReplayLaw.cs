using FsCheck;
using FsCheck.Fluent;
using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Tests.Properties.Generators;
using Tpwatch.Tests.Replay;
using Tpwatch.Watch;
using static Tpwatch.Tests.Properties.Seeds;

namespace Tpwatch.Tests.Properties;

/// <summary>
/// A recording gives one report, byte for byte, in whatever pieces its stream comes, at whatever speed and however it is steered.
/// </summary>
public sealed class ReplayLaw
{
    /// <summary>One of each kind: ticks, steps, silence, no end, stops, time-outs, hill climbing, max.</summary>
    static readonly string[] Names =
        ["pool-burst", "sync-over-async", "trickle", "deadlock", "garbage-storm",
            "suspended", "idle-timeout", "oscillation", "ceiling", "mixed-blocking"];

    [Fact]
    public async Task A_stream_in_any_pieces_gives_the_same_report()
    {
        var expected = await ExpectedAsync();
        ForAny(Arb.From(from name in Gen.Elements(Names) from sizes in Gen.NonEmptyListOf(Sizes) select (name, sizes.ToArray())), piece =>
            Assert.Equal(expected[piece.name], Read(piece.name, piece.Item2, new WatchOptions(), () => { })), tests: 60);
    }

    [Fact]
    public async Task A_replay_that_is_sped_up_paused_and_moved_gives_the_same_report()
    {
        var expected = await ExpectedAsync();
        ForAny(Arb.From(from name in Gen.Elements(Names) from steps in Gen.NonEmptyListOf(Steps) select (name, steps.ToArray())), steered =>
        {
            var control = new ReplayControl(Fast);
            Assert.Equal(expected[steered.name],
                Read(steered.name, [int.MaxValue], new WatchOptions { Replay = control }, () => Steer(control, steered.Item2)));
        }, tests: 40);
    }

    /// <summary>Times as fast as it happened; a minute takes a fraction of a second.</summary>
    const double Fast = 1000;

    static readonly Gen<int> Sizes = Gen.OneOf(Gen.Choose(1, 16), Gen.Choose(1, 600), Gen.Choose(1, 20_000));

    static readonly Gen<(string Does, int What, int ForMs)> Steps =
        from does in Gen.Elements("speed", "pause", "run to")
        from what in Gen.Choose(100, 20_000)
        from ms in Gen.Choose(0, 4)
        select (does, what, ms);

    static void Steer(ReplayControl control, (string Does, int What, int ForMs)[] steps)
    {
        foreach (var (does, what, ms) in steps)
        {
            switch (does)
            {
                case "speed": control.Speed = what; break;
                case "pause": control.Paused = !control.Paused; break;
                default: control.RunToMs = what; break;
            }

            Thread.Sleep(ms);
        }

        (control.Speed, control.Paused) = (null, false);
    }

    static async Task<Dictionary<string, string>> ExpectedAsync()
    {
        var expected = new Dictionary<string, string>();
        foreach (var name in Names)
        {
            expected[name] = TestRecordings.Json(await TestRecordings.ReplayAsync(TestRecordings.File(name)));
        }

        return expected;
    }

    static string Read(string name, int[] sizes, WatchOptions options, Action meanwhile)
    {
        using var recording = new ReadRecording(RecordedSession.Open(TestRecordings.File(name)));
        var capture = new MainStreamCapture(
            new ProbeSession(new ChoppedSession(recording.Session, sizes), ProbeSet.ForRecording(),
            SideStreamProbes.ForRecording(options)), options);
        var reader = new Thread(() => capture.Run());
        reader.Start();
        meanwhile();
        Assert.True(reader.Join(TestRecordings.Limit));
        var latest = capture.Latest;
        return TestRecordings.Json(ReportBuilder.Build(latest.Timeline, latest.Ledger, latest.End, latest.Side));
    }

    /// <summary>A recording that has been read: its file is let go of.</summary>
    sealed class ReadRecording(RecordedSession session) : IDisposable
    {
        public RecordedSession Session => session;

        public void Dispose() => session.Events.Dispose();
    }
}
