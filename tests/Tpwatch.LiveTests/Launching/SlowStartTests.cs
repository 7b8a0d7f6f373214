using System.Diagnostics;
using System.Text.Json;
using Tpwatch.Core;
using Tpwatch.Fixtures.Inside.Truth;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Sessions;
using Tpwatch.Targets;

namespace Tpwatch.LiveTests.Launching;

/// <summary>
/// Counters that are switched on while a process starts can block it for good (dotnet/runtime#119014): one that was waited for gets them
/// when it has started, by the process's own word.
/// </summary>
public sealed class SlowStartTests : IDisposable
{
    const int LimitMs = 2 * 60 * 1000;

    /// <summary>The clock that tells a process's age counts in 10 ms.</summary>
    const double CheckMs = 20;

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-test-");

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Delete(recursive: true);

    [Theory(Timeout = LimitMs)]
    [InlineData(TargetRuntime.Net8)]
    [InlineData(TargetRuntime.Net10)]
    [InlineData(TargetRuntime.Net11)]
    public async Task A_process_that_was_waited_for_has_no_counters_while_it_starts(TargetRuntime runtime)
    {
        var path = Path.Combine(folder.FullName, "start.nettrace");
        var start = InsideBuild.Command(runtime);
        (start.RedirectStandardInput, start.RedirectStandardOutput) = (true, true);
        foreach (var word in (string[])["slow-start", "--seconds", "30"])
        {
            start.ArgumentList.Add(word);
        }

        using var process = Process.Start(start)!;
        string? line;
        await using (var watch = await ThreadPoolWatch.AttachAsync(
            await FindAsync(process.Id), new WatchOptions { MayBeStarting = true, RecordTo = path }, Cancel))
        {
            line = await process.StandardOutput.ReadLineAsync(Cancel) ?? "";
            await LiveRun.HeartbeatsAsync(watch, 2, Cancel);
            await watch.StopAsync(Cancel);
        }

        process.StandardInput.Close();
        await process.WaitForExitAsync(Cancel);
        var seen = JsonSerializer.Deserialize<InsideTruth>(line, InsideTruth.Json)!.Start!;
        Assert.True(seen.CountersMs >= StartupSession.YoungMs - CheckMs, line);

        // What came before the counters is in the recording as well.
        await using var replay = ThreadPoolWatch.Replay(path, new WatchOptions());
        await replay.Completion.WaitAsync(Cancel);
        var report = replay.Report();
        Assert.True(report.Timeline.CounterSamples.Length >= 2);
        Assert.Equal(0, report.Timeline.Quality.Lost);
        Assert.True(report.Timeline.CounterSamples[0].At.MsSince(report.Timeline.Start) > 1000);
        Assert.Contains("\"start\":", await File.ReadAllTextAsync(path + ".json", Cancel), StringComparison.Ordinal);
    }

    // Its port is there some tenths of a second after its start.
    static async Task<Target> FindAsync(int pid)
    {
        while (true)
        {
            try
            {
                return TargetFinder.ByPid(pid);
            }
            catch (UserErrorException)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(50), Cancel);
            }
        }
    }
}
