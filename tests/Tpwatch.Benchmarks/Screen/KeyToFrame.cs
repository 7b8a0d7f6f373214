using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>From a key to the whole frame that shows what it did: the help is opened and closed again and again.</summary>
static class KeyToFrame
{
    const int Pairs = 40;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);
    static readonly TimeSpan Between = TimeSpan.FromMilliseconds(70);

    /// <summary>Milliseconds, ascending.</summary>
    public static async Task<IReadOnlyList<double>> MeasureAsync(OwnTerminal terminal)
    {
        var times = new List<double>();
        for (var i = 0; i < Pairs; i++)
        {
            times.Add(await PressAsync(terminal, "?", "help for"));
            times.Add(await PressAsync(terminal, "?", "threads"));
        }

        return [.. times.Order()];
    }

    static async Task<double> PressAsync(OwnTerminal terminal, string key, string shows)
    {
        // Not in step with the ticks of the screen.
        await Task.Delay(Between + TimeSpan.FromMilliseconds(Random.Shared.Next(100)));
        terminal.Forget();
        var start = TimeProvider.System.GetTimestamp();
        await terminal.TypeAsync(key);
        return await terminal.WaitAsync(t => FrameBytes.Shows(t, shows), Limit) is null
            ? throw new InvalidOperationException($"{key} did not show {shows}:\n{terminal.Text}")
            : TimeProvider.System.GetElapsedTime(start).TotalMilliseconds;
    }
}
