using Tpwatch.Stacks;
using Tpwatch.Tests.Stacks.Holders;

namespace Tpwatch.Tests.Stacks;

public sealed class BurstTests
{
    [Fact]
    public void A_full_disk_ends_the_copy_with_the_file_systems_own_word()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "Linux has a disk that is always full.");
        using var full = new FileStream("/dev/full", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        Assert.Throws<IOException>(() => StackBurst.Copy(new MemoryStream(new byte[100_000]), full, 1 << 20));
    }

    [Fact]
    public void More_than_the_limit_is_not_kept() =>
        Assert.Throws<IOException>(() => StackBurst.Copy(new MemoryStream(new byte[100_000]), Stream.Null, 99_999));

    [Fact(Timeout = 30_000)]
    public async Task Whoever_leaves_does_not_wait_for_a_burst_that_is_being_read_and_its_folder_goes_when_that_ends()
    {
        var root = Directory.CreateTempSubdirectory("tpwatch-test-");
        using var ends = new CancellationTokenSource();
        using var leaves = new CancellationTokenSource();
        var read = new TaskCompletionSource();
        var folder = BurstDirectory.Create(root.FullName);
        var waiting = StackBurst.UnlessCancelledAsync(Read, folder, leaves.Token);
        await read.Task.WaitAsync(TestContext.Current.CancellationToken);

        await leaves.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        await ends.CancelAsync();
        while (root.GetDirectories().Length > 0)
        {
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        root.Delete();

        BurstOutcome Read()
        {
            read.SetResult();
            SpinWait.SpinUntil(() => ends.IsCancellationRequested);
            return new(null, null);
        }
    }

    [Fact]
    public void A_failure_of_two_bursts_is_told_in_the_same_words()
    {
        var said = Enumerable.Range(0, 2)
            .Select(_ => $"Could not find a part of the path '/tmp/tpwatch-burst-{Guid.NewGuid():N}/burst.nettrace'.");
        Assert.Equal("Could not find a part of the path '/tmp/tpwatch-burst-*/burst.nettrace'.",
            Assert.Single(said.Select(BurstDirectory.Nameless).Distinct()));
        Assert.Equal("no space", BurstDirectory.Nameless("no space"));
    }

    [Fact]
    public void The_folder_is_closed_to_others_and_leaves_nothing()
    {
        var root = Directory.CreateTempSubdirectory("tpwatch-test-");
        try
        {
            using (var folder = BurstDirectory.Create(root.FullName))
            {
                File.WriteAllText(folder.Stream, "x");
                File.WriteAllText(folder.Log, "x");
                Assert.Equal(
                    UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute,
                    OperatingSystem.IsWindows() ? default : File.GetUnixFileMode(Path.GetDirectoryName(folder.Log)!));
            }

            Assert.Empty(root.EnumerateFileSystemInfos());
        }
        finally
        {
            root.Delete(recursive: true);
        }
    }

    [Fact]
    public void Bursts_are_seconds_apart_longer_where_they_take_long_and_ever_longer_where_they_fail()
    {
        var time = new ManualClock();
        var pace = new BurstPace(time);
        Assert.True(pace.MayBegin);
        Assert.Equal(5, Pause(pace, time, 30));
        Assert.Equal(20, Pause(pace, time, 500));
        Assert.Equal([10, 20, 40, 80, 120, 120], Enumerable.Range(0, 6).Select(_ => Pause(pace, time, null)));
        Assert.Equal(5, Pause(pace, time, 30));
    }

    [Fact]
    public void A_side_car_gives_back_the_bursts_it_was_given()
    {
        var bursts = new[]
        {
            Sampled.Burst(
                100, Sampled.At(1, Sampled.Lock), Sampled.At(2, Sampled.Lock)) with { Locks = [new(Render.SampleReports.At(50), 2, 7, 1)] },
            Sampled.Burst(200, Sampled.At(1, Sampled.Sleep)),
        };
        var packed = BurstPacking.Pack(new([.. bursts], []) { Own = ["Shop", "Shop.Data"] })!;
        Assert.Equal(packed.Frames.Length, packed.Frames.Distinct().Count());
        var again = BurstPacking.Unpack(packed)!.Bursts;
        Assert.Equal(bursts.SelectMany(b => b.Stacks).SelectMany(s => s.Frames), again.SelectMany(b => b.Stacks).SelectMany(s => s.Frames));
        Assert.Equal(bursts.Select(b => (b.At, b.Ms, b.Stacks.Length, b.Locks.Length)),
            again.Select(b => (b.At, b.Ms, b.Stacks.Length, b.Locks.Length)));
        Assert.Equal(bursts[0].Locks, again[0].Locks);
        Assert.Equal(["Shop", "Shop.Data"], BurstPacking.Unpack(packed)!.Own!.Order());
        Assert.Null(BurstPacking.Unpack(packed with { Own = null })!.Own);
        Assert.Null(BurstPacking.Pack(StacksSeen.None));
    }

    // Whole seconds until the next may begin.
    static int Pause(BurstPace pace, ManualClock time, double? sampledMs)
    {
        pace.Begin();
        pace.End(sampledMs);
        var seconds = 0;
        for (; !pace.MayBegin; seconds++)
        {
            time.Advance(TimeSpan.FromSeconds(1));
        }

        return seconds;
    }
}
