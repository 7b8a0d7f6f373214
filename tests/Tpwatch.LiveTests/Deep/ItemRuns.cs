using System.Collections.Immutable;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Deep;

/// <summary>
/// The runs in which items are measured. Until its first worker has run something the pool of a process that is attached to late does not
/// say what is queued; of one that we start it does, so we start them.
/// </summary>
public sealed class ItemRuns : IAsyncLifetime
{
    const int AtOnce = 2;

    static readonly WatchOptions Items = new() { Depth = CaptureDepth.Items };

    /// <summary>
    /// A burst that starves, on every runtime; items that end one every 300 ms; and a healthy load, which the runtimes count differently.
    /// </summary>
    static readonly ImmutableArray<(TargetRuntime Runtime, string Processors, string[] Words)> Runs =
    [
        (TargetRuntime.Net10, "8", ["pool-burst", "--items", "30", "--hold", "2500", "--seconds", "20"]),
        (TargetRuntime.Net10, "2", ["trickle", "--seconds", "8"]),
        (TargetRuntime.Net10, "2", ["steady", "--seconds", "5"]),
        (TargetRuntime.Net9, "8", ["pool-burst", "--items", "30", "--hold", "2500", "--seconds", "20"]),
        (TargetRuntime.Net8, "8", ["pool-burst", "--items", "30", "--hold", "2500", "--seconds", "20"]),
        (TargetRuntime.Net8, "2", ["steady", "--seconds", "5"]),
    ];

    readonly SharedRuns<(TargetRuntime, string), ObservedRun> runs = new(AtOnce);

    /// <summary>Each run's runtime and scenario.</summary>
    internal static IEnumerable<(TargetRuntime Runtime, string Scenario)> All => Runs.Select(run => (run.Runtime, run.Words[0]));

    internal Task<ObservedRun> OfAsync(TargetRuntime runtime, string scenario) => runs.OfAsync((runtime, scenario));

    public ValueTask InitializeAsync()
    {
        foreach (var (runtime, processors, words) in Runs)
        {
            runs.Begin((runtime, words[0]), cancel => Task.FromResult(FixtureBuild.Command(runtime)), (command, cancel) =>
            {
                words.ToList().ForEach(command.ArgumentList.Add);
                command.Environment["DOTNET_PROCESSOR_COUNT"] = processors;
                return LiveRun.LaunchedAsync(command, Items, cancel);
            });
        }

        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => runs.DisposeAsync();
}
