using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Benchmarks.Screen;

/// <summary>Memory of the screen while a day is replayed as fast as it can be read.</summary>
sealed record DayReplay(int Times, IReadOnlyList<long> ResidentKb, bool Finished)
{
    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(4);
    static readonly TimeSpan AtRest = TimeSpan.FromSeconds(3);

    public long Peak => ResidentKb.Max();

    /// <summary>Largest in the last quarter over the largest in the second: what still grows is a leak.</summary>
    public long GrowthKb => ResidentKb.Skip(ResidentKb.Count * 3 / 4).Max()
        - ResidentKb.Skip(ResidentKb.Count / 4).Take(Math.Max(1, ResidentKb.Count / 4)).Max();

    public static async Task<DayReplay> MeasureAsync(string tool, string recording)
    {
        var file = Path.Combine(Path.GetTempPath(), $"tpwatch-day-{Guid.NewGuid():N}.nettrace");
        try
        {
            var times = DayRecording.Write(recording, file, TimeSpan.FromDays(1));
            await using var terminal = WatchedScreen.OpenOf(tool, "replay", file, "--speed", "max");
            return await WatchAsync(terminal, times);
        }
        finally
        {
            File.Delete(file);
            File.Delete(file + ".json");
        }
    }

    // The clock in the header says how much has been read; a screen drawn anew shows it whole.
    static async Task<bool> IsAtEndAsync(OwnTerminal terminal)
    {
        terminal.Forget();
        await terminal.TypeAsync("\e[15~");
        await WatchedScreen.MustAsync(terminal, "REPLAY");
        return terminal.Text.Contains("REPLAY end at 24:0", StringComparison.Ordinal);
    }

    // At its end the screen stands still.
    static async Task<DayReplay> WatchAsync(OwnTerminal terminal, int times)
    {
        var (sizes, start) = (new List<long>(), TimeProvider.System.GetTimestamp());
        await WatchedScreen.MustAsync(terminal, "REPLAY");
        var (bytes, changed) = (terminal.Bytes, start);
        while (TimeProvider.System.GetElapsedTime(start) < Limit)
        {
            sizes.Add(terminal.StatusKb("VmRSS"));
            await Task.Delay(Look);
            if (terminal.Bytes != bytes)
            {
                (bytes, changed) = (terminal.Bytes, TimeProvider.System.GetTimestamp());
            }
            else if (TimeProvider.System.GetElapsedTime(changed) > AtRest)
            {
                return new(times, sizes, await IsAtEndAsync(terminal));
            }
        }

        return new(times, sizes, Finished: false);
    }
}
