using System.Collections.Immutable;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>
/// A run a mechanism and a verdict, each runtime several times, half of them attached in the middle of the incident; the whole matrix is a
/// command (<c>build.cs -- matrix</c>). All that sleep run at once, those that compute alone and afterwards.
/// </summary>
public sealed class LiveRows : IAsyncLifetime
{
    /// <summary>A short run takes 20 s; a machine that is busy with other things several times as long.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    /// <summary>Those that compute wait for all that sleep.</summary>
    public const int LimitMs = 4 * 60 * 1000;

    internal static ImmutableArray<RunPlan> All { get; } =
    [
        Row("pool-burst", TargetRuntime.Net10),
        Row("pool-burst", TargetRuntime.Net8, late: true),
        Row("pool-burst", TargetRuntime.Net9),
        Row("pool-burst", TargetRuntime.Net11),
        Row("sync-over-async", TargetRuntime.Net11, late: true),
        Row("ceiling", TargetRuntime.Net11, late: true),
        Row("sync-over-async", TargetRuntime.Net9, late: true),
        Row("sync-over-async-items-30-hold-4000", TargetRuntime.Net8),
        Row("trickle", TargetRuntime.Net10, late: true),
        Row("semaphore-hold-100", TargetRuntime.Net8, late: true),
        Row("ceiling", TargetRuntime.Net9, late: true),
        Row("deadlock", TargetRuntime.Net10),
        Row("detector-disabled", TargetRuntime.Net9, late: true),
        Row("idle-timeout", TargetRuntime.Net9),
        Row("suspended", TargetRuntime.Net10),
        Row("memory-veto", TargetRuntime.Net10, late: true),
        Row("steady", TargetRuntime.Net9, late: true),
        Row("web-async", TargetRuntime.Net10),
        Row("ten-counting-items", TargetRuntime.Net10),
        Row("garbage-storm", TargetRuntime.Net10),
    ];

    /// <summary>More than bad luck explains, the tally says as well.</summary>
    const int MostSpoiled = 2;

    int spoiled;

    readonly CancellationTokenSource end = new();
    readonly SemaphoreSlim starting = new(1, 1);
    ImmutableDictionary<string, Task<ObservedRun>> runs = ImmutableDictionary<string, Task<ObservedRun>>.Empty;

    /// <inheritdoc/>
    public ValueTask InitializeAsync()
    {
        var sleeping = All.Where(plan => !plan.Row.BurnsProcessors).ToImmutableDictionary(plan => plan.Name, RunAsync);
        var before = Task.WhenAll(sleeping.Values)
            .ContinueWith(_ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        runs = sleeping;
        foreach (var plan in All.Where(plan => plan.Row.BurnsProcessors))
        {
            var run = AfterAsync(before, plan);
            runs = runs.Add(plan.Name, run);
            before = run.ContinueWith(_ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>One more row says nothing, since the machine had no time for it: whether that may still be luck.</summary>
    internal bool IsAmongFewSpoiled() => Interlocked.Increment(ref spoiled) <= MostSpoiled;

    /// <summary>The run of that name.</summary>
    internal Task<ObservedRun> OfAsync(string name) => runs[name].WaitAsync(TestContext.Current.CancellationToken);

    /// <summary>Ends what is still under way.</summary>
    public async ValueTask DisposeAsync()
    {
        await end.CancelAsync();
        await Task.WhenAll(runs.Values).ContinueWith(_ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        starting.Dispose();
        end.Dispose();
    }

    static RunPlan Row(string stem, TargetRuntime runtime, bool late = false) =>
        RunMatrix.Of(late ? stem + ".late" : stem) with { Runtime = runtime };

    async Task<ObservedRun> AfterAsync(Task before, RunPlan plan)
    {
        await before;
        return await RunAsync(plan);
    }

    async Task<ObservedRun> RunAsync(RunPlan plan)
    {
        await using var target = await StartAsync(plan, end.Token);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(end.Token);
        limit.CancelAfter(Limit);
        if (plan.LateMs is { } late)
        {
            return await LiveRun.LateAsync(target, new WatchOptions(), limit.Token, TimeSpan.FromMilliseconds(late));
        }

        await using var watch = await ThreadPoolWatch.AttachAsync(target.Pid, limit.Token);
        return await LiveRun.WholeAsync(target, watch, limit.Token);
    }

    // One at a time: programs that start at once keep each other from answering.
    async Task<FixtureTarget> StartAsync(RunPlan plan, CancellationToken cancel)
    {
        await starting.WaitAsync(cancel);
        try
        {
            var command = plan.Row.IsWeb ? WebFixtureBuild.Command() : FixtureBuild.Command(plan.Runtime);
            command.Environment["DOTNET_PROCESSOR_COUNT"] = $"{plan.Processors}";
            return await FixtureTarget.StartAsync(command, cancel, [.. plan.Words]);
        }
        finally
        {
            starting.Release();
        }
    }
}
