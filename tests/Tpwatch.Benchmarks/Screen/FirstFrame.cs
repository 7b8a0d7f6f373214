namespace Tpwatch.Benchmarks.Screen;

/// <summary>From the start of `replay` to its first whole frame with data in it.</summary>
static class FirstFrame
{
    const int Runs = 11;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>Milliseconds, ascending; the first start, which reads the files from the disk, is another question.</summary>
    public static async Task<IReadOnlyList<double>> MeasureAsync(string recording)
    {
        var times = new List<double>();
        for (var i = 0; i <= Runs; i++)
        {
            var start = TimeProvider.System.GetTimestamp();
            await using var terminal = WatchedScreen.Open("replay", recording);
            await terminal.WaitAsync(t => FrameBytes.Shows(t, "REPLAY"), Limit);
            times.Add(TimeProvider.System.GetElapsedTime(start).TotalMilliseconds);
        }

        return [.. times.Skip(1).Order()];
    }
}
