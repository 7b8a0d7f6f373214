using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>
/// Three screens of one tool: over a target that does nothing, over one that starves, and over a replay that stands at its end.
/// </summary>
sealed class SteadyScreens : IAsyncDisposable
{
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(60);

    readonly WatchedScreen idle;
    readonly WatchedScreen starved;

    SteadyScreens(WatchedScreen idle, WatchedScreen starved, OwnTerminal still) =>
        (this.idle, this.starved, Still) = (idle, starved, still);

    /// <summary>The replay at its end: nothing changes.</summary>
    public OwnTerminal Still { get; }

    public static async Task<SteadyScreens> StartAsync(string tool, string recording)
    {
        var still = WatchedScreen.OpenOf(tool, "replay", recording, "--speed", "max");
        _ = await still.WaitAsync(t => FrameText.Shows(t, "REPLAY"), EndLimit);
        return new(
            await WatchedScreen.StartOfAsync(tool, begin: false, "steady"),
            await WatchedScreen.StartOfAsync(tool, begin: true, "pool-burst", "--items", "2000", "--seconds", "3600"), still);
    }

    /// <summary>All three in the same time.</summary>
    public async Task<(SteadyLoad Idle, SteadyLoad Starved, SteadyLoad Still)> MeasureAsync(TimeSpan length)
    {
        var loads = await Task.WhenAll(
            SteadyLoad.MeasureAsync(idle.Terminal, length), SteadyLoad.MeasureAsync(starved.Terminal, length),
            SteadyLoad.MeasureAsync(Still, length));
        return (loads[0], loads[1], loads[2]);
    }

    public async ValueTask DisposeAsync()
    {
        await idle.DisposeAsync();
        await starved.DisposeAsync();
        await Still.DisposeAsync();
    }
}
