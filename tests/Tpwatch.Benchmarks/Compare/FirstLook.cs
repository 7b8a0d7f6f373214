using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Screen;
using Tpwatch.Scoring.Scores;

namespace Tpwatch.Benchmarks.Compare;

/// <summary>
/// From the tool's start over a program that is starved already: until the screen is live, and until it explains, which needs a counter
/// sample of the runtime, one a second.
/// </summary>
static class FirstLook
{
    const int Runs = 11;
    const double LiveMs = 500;

    static readonly TimeSpan Late = TimeSpan.FromSeconds(8);
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    public static async Task<IEnumerable<ComparedRow>> MeasureAsync()
    {
        var start = new ProcessStartInfo(BuiltPrograms.Host, ["exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll")]);
        string[] scenario = ["pool-burst", "--items", "2000", "--seconds", "600"];
        await using var fixture = await FixtureProcess.StartAsync(start, processors: 8, scenario);
        await fixture.BeginAsync();
        await Task.Delay(Late);
        List<double> live = [], explained = [];
        // The first start reads the files from the disk, which is another question.
        for (var run = 0; run <= Runs; run++)
        {
            var (first, verdict) = await OnceAsync(fixture.Pid);
            if (run > 0)
            {
                live.Add(first);
                explained.Add(verdict);
            }
        }

        return
        [
            Row("start to a live screen, starved target", new(live), LiveMs),
            Row("start to the first explanation, starved target", new(explained), null),
        ];
    }

    static async Task<(double LiveMs, double ExplainedMs)> OnceAsync(int pid)
    {
        var begun = TimeProvider.System.GetTimestamp();
        await using var terminal = WatchedScreen.Open("-p", pid.ToString(CultureInfo.InvariantCulture));
        await terminal.WaitAsync(t => FrameBytes.Shows(t, "LIVE"), Limit);
        var live = TimeProvider.System.GetElapsedTime(begun).TotalMilliseconds;
        _ = await terminal.WaitAsync(t => FrameBytes.Shows(t, "STARVED"), Limit)
            ?? throw new InvalidOperationException($"the screen never showed a verdict:\n{terminal.Text}");
        var explained = TimeProvider.System.GetElapsedTime(begun).TotalMilliseconds;
        await terminal.TypeAsync("q");
        await terminal.ExitAsync(Limit);
        return (live, explained);
    }

    static ComparedRow Row(string what, Spread ms, double? most) => new(what, "the runtime sends counters once a second",
        FormattableString.Invariant($"{ms.Median:0} ms ({ms.Least:0} to {ms.Most:0}, {ms.Count} starts)"),
        most is { } budget ? FormattableString.Invariant($"at most {budget:0} ms") : null,
        most is { } limit ? ms.Median <= limit : null);
}
