using System.Diagnostics;
using Tpwatch.Fixtures.Services.Scenarios;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Benchmarks.Remedies;

/// <summary>A service as it is, met in the middle of its incident, and once more with a remedy; times are those of its callers.</summary>
sealed record TriedChange(ServiceTrial Trial, PoolReport Report, RunTruth Before, RunTruth After)
{
    const int Processors = 8;

    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(6);

    static readonly TimeSpan Look = TimeSpan.FromSeconds(8);

    /// <summary>Long enough that more workers are not just more room to wait in.</summary>
    static readonly TimeSpan Whole = TimeSpan.FromSeconds(30);

    public bool Helped => ServiceLoad.P99Ms(After, isPing: false) <= MetLate.Helps * ServiceLoad.P99Ms(Before, isPing: false);

    public static async Task<TriedChange> OfAsync(ServiceTrial trial, CancellationToken cancel)
    {
        PoolReport? report = null;
        var before = await RunAsync(trial.Scenario, async pid =>
        {
            await Task.Delay(Unseen, cancel);
            await using var watch = await ThreadPoolWatch.AttachAsync(pid, new WatchOptions { Depth = CaptureDepth.Auto }, cancel);
            await Task.WhenAny(watch.Completion, Task.Delay(Look, cancel));
            await watch.StopAsync(cancel);
            report = watch.Report();
        }, cancel);
        return new(trial, report!, before, await RunAsync(trial.Words, _ => Task.CompletedTask, cancel));
    }

    static async Task<RunTruth> RunAsync(string words, Func<int, Task> meanwhile, CancellationToken cancel)
    {
        var truth = Path.Combine(Path.GetTempPath(), $"service-{Guid.NewGuid():N}.ndjson");
        var command = new ProcessStartInfo(BuiltPrograms.Host, ["exec", BuiltPrograms.Services]);
        try
        {
            await using var service = await FixtureProcess.StartAsync(
                command, Processors, [.. words.Split(' '), "--seconds", $"{Whole.TotalSeconds}", "--truth", truth]);
            await service.BeginAsync();
            await meanwhile(service.Pid);
            await service.ExitAsync(cancel);
            using var text = File.OpenText(truth);
            return TruthReader.Read(text);
        }
        finally
        {
            File.Delete(truth);
        }
    }
}
