using Tpwatch.Attach;
using Tpwatch.Explain;

namespace Tpwatch.Benchmarks;

/// <summary>
/// Makes the recordings of tests/Recordings again. Golden files are made of them, so one is kept only when the machine was quiet enough
/// for the ledger to account for it and nothing was lost.
/// </summary>
static class Recordings
{
    const int Attempts = 3;
    const int Processors = 8;
    const int MostMisfits = 1;
    const long MostBytes = 300_000;
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);
    static readonly TimeSpan HeartbeatPoll = TimeSpan.FromMilliseconds(20);

    static readonly (string Name, string[] Options)[] All =
    [
        ("pool-burst", ["--items", "30"]),
        ("sync-over-async", ["--items", "300", "--seconds", "13"]),
        ("trickle", ["--seconds", "12"]),
    ];

    static string Folder { get; } = Path.Combine(BuiltPrograms.Root, "tests", "Recordings");

    public static async Task<int> RunAsync(string[] args)
    {
        Directory.CreateDirectory(Folder);
        var wanted = All.Where(r => args.Length == 0 || args.Contains(r.Name)).ToArray();
        var refused = 0;
        foreach (var (name, options) in wanted)
            refused += await MakeAsync(name, options) ? 0 : 1;
        return wanted.Length == 0 || refused > 0 ? 1 : 0;
    }

    /// <summary>Tries until everything fits, and otherwise keeps the best of those that may be kept.</summary>
    static async Task<bool> MakeAsync(string name, string[] options)
    {
        var folder = Directory.CreateTempSubdirectory("recording").FullName;
        var best = MostMisfits + 1;
        for (var attempt = 1; attempt <= Attempts && best > 0; attempt++)
        {
            var scratch = Path.Combine(folder, $"{name}-{attempt}.nettrace");
            var report = await RecordAsync(scratch, [name, .. options]);
            var (size, misfits) = (new FileInfo(scratch).Length, Misfits(report));
            var complaint = Complaint(report, size) ?? (misfits < best ? null : "not better than the one before");
            Console.WriteLine($"{name}, attempt {attempt}: {complaint ?? "kept"}, {Format.Count(size)} bytes, {report.Tally}");
            if (complaint is null)
            {
                Keep(scratch, name);
                best = misfits;
            }
        }

        Directory.Delete(folder, recursive: true);
        return best <= MostMisfits;
    }

    static int Misfits(PoolReport report) => report.Tally.Early + report.Tally.Late + report.Tally.NoRule + report.Tally.NoData;

    static async Task<PoolReport> RecordAsync(string file, string[] arguments)
    {
        using var limit = new CancellationTokenSource(Limit);
        await using var fixture = await FixtureProcess.StartAsync(Processors, arguments);
        await using var watch = await ThreadPoolWatch.AttachAsync(fixture.Pid, new WatchOptions { RecordTo = file }, limit.Token);
        while (watch.Report().Timeline.Heartbeats.IsEmpty)
            await Task.Delay(HeartbeatPoll, limit.Token);
        await fixture.BeginAsync();
        await watch.Completion.WaitAsync(limit.Token);
        return watch.Report();
    }

    static string? Complaint(PoolReport report, long bytes)
    {
        var misfits = Misfits(report);
        return report.End != SessionEnd.TargetExited ? $"refused, since it ended with {report.End}"
            : report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? "refused, since events were lost"
            : misfits > MostMisfits ? $"refused, since {misfits} gaps do not fit"
            : bytes >= MostBytes ? "refused, since it is too large"
            : null;
    }

    static void Keep(string scratch, string name)
    {
        var kept = Path.Combine(Folder, name + ".nettrace");
        File.Copy(scratch, kept, overwrite: true);
        File.Copy(SideCarFile.PathFor(scratch), SideCarFile.PathFor(kept), overwrite: true);
    }
}
