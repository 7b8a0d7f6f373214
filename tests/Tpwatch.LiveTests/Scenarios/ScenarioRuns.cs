using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>
/// The runs of the catalogues' entries, each made once and shared by all tests that ask about it. Most scenarios sleep, so several run at a
/// time; one that computes has the machine for itself. Who asks for one may have to wait for all.
/// </summary>
public sealed class ScenarioRuns : IAsyncLifetime
{
    /// <summary>Limit of a test that asks for a run: all others may come before it, milliseconds.</summary>
    public const int AllMs = 15 * 60 * 1000;

    /// <summary>Six that sleep leave two processors idle for most of the time; their ticks stay as punctual as one's.</summary>
    const int AtOnce = 6;

    /// <summary>A short run takes 20 s; a machine that is busy with other things three times as long.</summary>
    static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(2);

    readonly ConcurrentDictionary<string, Lazy<Task<ObservedRun>>> runs = [];
    readonly ConcurrentDictionary<string, TimeSpan> durations = [];
    readonly SemaphoreSlim seats = new(AtOnce, AtOnce);
    readonly SemaphoreSlim door = new(1, 1);
    readonly SemaphoreSlim starting = new(1, 1);
    readonly CancellationTokenSource end = new();
    readonly Stopwatch clock = Stopwatch.StartNew();

    /// <summary>The run of the entry with that name, for the test that asks.</summary>
    internal Task<ObservedRun> OfAsync(string key) => OfAsync(ScenarioEntry.Of(key), TestContext.Current.CancellationToken);

    /// <summary>The entry's run; made now, under way, or over already. With the first that is asked for all begin, each as it gets a seat.</summary>
    internal async Task<ObservedRun> OfAsync(ScenarioEntry entry, CancellationToken cancel)
    {
        var asked = Begin(entry);
        foreach (var other in ScenarioEntry.All)
        {
            _ = Begin(other);
        }

        var run = await asked.WaitAsync(cancel);
        TestContext.Current.TestOutputHelper?.WriteLine($"{entry.Key}: {Seconds(durations[entry.Key])} s");
        return run;
    }

    /// <summary>Another run of an entry whose first said nothing.</summary>
    internal Task<ObservedRun> AgainAsync(ScenarioEntry entry, CancellationToken cancel) =>
        SeatedAsync(entry.Computes ? AtOnce : 1, limit => RunAsync(entry, limit)).WaitAsync(cancel);

    /// <summary>A run of another kind, beside those of the catalogues and as many at a time.</summary>
    internal Task<ObservedRun> BesideAsync(Func<CancellationToken, Task<ObservedRun>> make) => SeatedAsync(1, make);

    /// <inheritdoc/>
    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    /// <summary>Ends what was begun and nobody asked for, and tells how long each took.</summary>
    public async ValueTask DisposeAsync()
    {
        await end.CancelAsync();
        await Task.WhenAll(runs.Values.Select(r => r.Value)).ContinueWith(_ => { }, TaskScheduler.Default);
        foreach (var (key, took) in durations.OrderByDescending(d => d.Value))
        {
            TestContext.Current.SendDiagnosticMessage($"{Seconds(took),6} s  {key}");
        }

        TestContext.Current.SendDiagnosticMessage(
            $"{durations.Count} scenarios, {Seconds(durations.Values.Aggregate(TimeSpan.Zero, (a, b) => a + b))} s of runs in {Seconds(clock.Elapsed)} s");
        foreach (var one in (IDisposable[])[seats, door, starting, end])
        {
            one.Dispose();
        }
    }

    Task<ObservedRun> Begin(ScenarioEntry entry) =>
        runs.GetOrAdd(entry.Key, _ => new(() => SeatedAsync(entry.Computes ? AtOnce : 1, limit => RunAsync(entry, limit)))).Value;

    async Task<ObservedRun> SeatedAsync(int taken, Func<CancellationToken, Task<ObservedRun>> make)
    {
        // One at a time through the door, so that whoever wants all seats is not passed by for ever.
        await door.WaitAsync(end.Token);
        for (var seat = 0; seat < taken; seat++)
        {
            await seats.WaitAsync(end.Token);
        }

        door.Release();
        try
        {
            return await make(end.Token);
        }
        finally
        {
            seats.Release(taken);
        }
    }

    async Task<ObservedRun> RunAsync(ScenarioEntry entry, CancellationToken cancel)
    {
        var (target, watch) = await AttachedAsync(entry, cancel);
        await using var both = target;
        await using var seen = watch;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(RunLimit);
        var begun = clock.Elapsed;
        var run = await ObservedRun.OfAsync(target, watch, limit.Token);
        durations[entry.Key] = clock.Elapsed - begun;
        return run;
    }

    // One at a time: six programs that start at once keep each other from answering, and two that publish would write the same files.
    async Task<(FixtureTarget Target, ThreadPoolWatch Watch)> AttachedAsync(ScenarioEntry entry, CancellationToken cancel)
    {
        await starting.WaitAsync(cancel);
        try
        {
            var command = entry.IsWeb ? WebFixtureBuild.Command() : await FixtureBuild.CommandAsync(entry.Runtime, cancel);
            var target = await FixtureTarget.StartAsync(command, cancel, entry.Arguments);
            return (target, await AttachedAsync(target, cancel));
        }
        finally
        {
            starting.Release();
        }
    }

    static async Task<ThreadPoolWatch> AttachedAsync(FixtureTarget target, CancellationToken cancel)
    {
        try
        {
            return await ThreadPoolWatch.AttachAsync(target.Pid, cancel);
        }
        catch
        {
            await target.DisposeAsync();
            throw;
        }
    }

    static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("0.0", CultureInfo.InvariantCulture);
}
