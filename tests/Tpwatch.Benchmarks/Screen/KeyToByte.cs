using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>
/// From a key to the first byte that it causes: the help is opened and closed again and again over a replay that stands at its end, where
/// nothing else is written.
/// </summary>
static class KeyToByte
{
    const int Pairs = 30;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);
    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(1);
    static readonly TimeSpan Between = TimeSpan.FromMilliseconds(200);

    /// <summary>Milliseconds of each screen, ascending; they take their keys in turn.</summary>
    public static async Task<IReadOnlyList<IReadOnlyList<double>>> MeasureAsync(IReadOnlyList<OwnTerminal> screens)
    {
        List<double>[] times = [.. screens.Select(_ => new List<double>())];
        for (var press = 0; press < Pairs * 2; press++)
        {
            for (var i = 0; i < screens.Count; i++)
            {
                times[i].Add(await PressAsync(screens[i]));
            }
        }

        return [.. times.Select(list => list.Order().ToList())];
    }

    static async Task<double> PressAsync(OwnTerminal terminal)
    {
        // Not in step with the ticks of the screen.
        await Task.Delay(Between + TimeSpan.FromMilliseconds(Random.Shared.Next(100)));
        var (bytes, start) = (terminal.Bytes, TimeProvider.System.GetTimestamp());
        await terminal.TypeAsync("?");
        while (terminal.Bytes == bytes)
        {
            if (TimeProvider.System.GetElapsedTime(start) > Limit)
            {
                throw new InvalidOperationException($"a key caused nothing:\n{terminal.Text}");
            }

            await Task.Delay(Look);
        }

        return TimeProvider.System.GetElapsedTime(start).TotalMilliseconds;
    }
}
