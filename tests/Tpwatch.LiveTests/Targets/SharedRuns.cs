using System.Diagnostics;

namespace Tpwatch.LiveTests.Targets;

/// <summary>
/// Runs that a class asks about, begun together and so many at a time, since they sleep; each is made once, whoever asks.
/// </summary>
sealed class SharedRuns<TKey, TRun>(int atOnce) : IAsyncDisposable
    where TKey : notnull
{
    readonly SemaphoreSlim room = new(atOnce);
    readonly CancellationTokenSource ends = new();
    readonly Dictionary<TKey, Task<TRun>> runs = [];

    /// <summary>Begins one. While its program is still being published it takes no room from the others.</summary>
    public void Begin(TKey key, Func<CancellationToken, Task<ProcessStartInfo>> command,
        Func<ProcessStartInfo, CancellationToken, Task<TRun>> run) =>
        runs.Add(key, RunAsync(command, run));

    /// <summary>The run, once it has ended.</summary>
    public Task<TRun> OfAsync(TKey key) => runs[key].WaitAsync(TestContext.Current.CancellationToken);

    /// <summary>Ends what nobody waited for.</summary>
    public async ValueTask DisposeAsync()
    {
        await ends.CancelAsync();
        foreach (var run in runs.Values)
        {
            await Task.WhenAny(run);
        }

        ends.Dispose();
        room.Dispose();
    }

    async Task<TRun> RunAsync(Func<CancellationToken, Task<ProcessStartInfo>> command,
        Func<ProcessStartInfo, CancellationToken, Task<TRun>> run)
    {
        var start = await command(ends.Token);
        await room.WaitAsync(ends.Token);
        try
        {
            return await run(start, ends.Token);
        }
        finally
        {
            room.Release();
        }
    }
}
