using System.Collections.Immutable;
using Tpwatch.Fixtures.Inside.Truth;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Inside;

/// <summary>A reading of every mode that comes to rest, on every runtime.</summary>
public sealed class InsideRuns : IAsyncLifetime
{
    const int AtOnce = 2;

    internal static readonly ImmutableArray<TargetRuntime> Runtimes =
        [TargetRuntime.Net10, TargetRuntime.Net8, TargetRuntime.Net9, TargetRuntime.Net11];

    internal static readonly ImmutableArray<string> Modes = ["limits", "queue", "timers", "local", "waits", "ready", "due", "locks"];

    readonly SharedRuns<(TargetRuntime Runtime, string Mode), (InsideTruth Truth, SeenInside Seen)> runs = new(AtOnce);

    internal Task<(InsideTruth Truth, SeenInside Seen)> OfAsync(TargetRuntime runtime, string mode) => runs.OfAsync((runtime, mode));

    public ValueTask InitializeAsync()
    {
        foreach (var (runtime, mode) in Runtimes.SelectMany(_ => Modes, (runtime, mode) => (runtime, mode)))
        {
            runs.Begin((runtime, mode), async _ => InsideBuild.Command(runtime), async (_, cancel) =>
            {
                await using var target = await InsideTarget.AtRestAsync(runtime, mode, cancel);
                return (target.Truth, await InsideCommand.ReadAsync(target.Pid, cancel));
            });
        }

        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => runs.DisposeAsync();
}
