namespace Tpwatch.Benchmarks.Screen;

/// <summary>From the start of `replay` to its first whole frame with data in it.</summary>
static class FirstFrame
{
    const int Runs = 11;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>
    /// Milliseconds of each tool, in turn, in the order of the runs; the first starts, which read the files from the disk, are another
    /// question.
    /// </summary>
    public static async Task<IReadOnlyList<IReadOnlyList<double>>> MeasureAsync(IReadOnlyList<string> tools, string recording)
    {
        List<double>[] times = [.. tools.Select(_ => new List<double>())];
        for (var run = 0; run <= Runs; run++)
        {
            for (var i = 0; i < tools.Count; i++)
            {
                times[i].Add(await OnceAsync(tools[i], recording));
            }
        }

        return [.. times.Select(list => list.Skip(1).ToList())];
    }

    static async Task<double> OnceAsync(string tool, string recording)
    {
        var start = TimeProvider.System.GetTimestamp();
        await using var terminal = WatchedScreen.OpenOf(tool, "replay", recording);
        return await terminal.WaitAsync(t => FrameText.ShowsToItsFoot(t, "REPLAY"), Limit) is null
            ? throw new InvalidOperationException($"no first frame:\n{terminal.Text}")
            : TimeProvider.System.GetElapsedTime(start).TotalMilliseconds;
    }
}
