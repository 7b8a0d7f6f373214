using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Screen;
using Tpwatch.LiveTests.Terminal;
using Tpwatch.Scoring.Scores;

namespace Tpwatch.Benchmarks.Compare;

/// <summary>
/// From the tool's start over a program that is starved already: until the screen is live, until it shows the queue, and until it explains.
/// The queue comes with the runtime's first counter sample, a second after the start; an explanation needs two of them, or an injection.
/// Beside it, in turn, dotnet-counters until its first numbers, where it is found.
/// </summary>
static class FirstLook
{
    const int Runs = 11;
    const double LiveMs = 500;

    /// <summary>Longer than all the looks together on a slow machine; it ends with us anyway.</summary>
    const string Seconds = "600";

    /// <summary>The queue of this program, in thousands; before the first sample there is none.</summary>
    const string FirstQueue = "k now";

    static readonly TimeSpan Late = TimeSpan.FromSeconds(8);
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>With what the name of each of its numbers begins; until they come it shows none.</summary>
    const string CountersFirst = "dotnet.";

    public static async Task<IEnumerable<ComparedRow>> MeasureAsync(string? counters)
    {
        var start = new ProcessStartInfo(BuiltPrograms.Host, ["exec", Path.Combine(AppContext.BaseDirectory, "Tpwatch.Fixtures.dll")]);
        string[] scenario = ["pool-burst", "--items", "2000", "--seconds", Seconds];
        await using var fixture = await FixtureProcess.StartAsync(start, processors: 8, scenario);
        await fixture.BeginAsync();
        await Task.Delay(Late);
        List<Look> looks = [];
        List<double> theirs = [];
        // The first start reads the files from the disk, which is another question.
        for (var run = 0; run <= Runs; run++)
        {
            looks.Add(await OnceAsync(fixture.Pid));
            if (counters is not null)
                theirs.Add(await CountersAsync(counters, fixture.Pid));
        }

        looks.RemoveAt(0);
        return
        [
            Row("start to a live screen, starved target", new(looks.Select(l => l.LiveMs)), LiveMs),
            Beside("start to the first numbers, starved target", look => look.NumbersMs),
            Beside("start to the first explanation, starved target", look => look.ExplainedMs),
        ];

        ComparedRow Beside(string what, Func<Look, double> ms) => counters is null
            ? Row(what, new(looks.Select(ms)), null)
            : ComparedRow.Ratio(what, "`dotnet-counters monitor` to its first numbers",
                new(looks.Zip(theirs.Skip(1), (ours, their) => ms(ours) / their)), 1,
                FormattableString.Invariant($"; {new Spread(looks.Select(ms)).Median:0} ms"));
    }

    static async Task<Look> OnceAsync(int pid)
    {
        var begun = TimeProvider.System.GetTimestamp();
        await using var terminal = WatchedScreen.Open("-p", pid.ToString(CultureInfo.InvariantCulture));
        var live = await SinceAsync(terminal, begun, "LIVE");
        var numbers = await SinceAsync(terminal, begun, FirstQueue);
        var explained = await SinceAsync(terminal, begun, "STARVED");
        await terminal.TypeAsync("q");
        await terminal.ExitAsync(Limit);
        return new(live, numbers, explained);
    }

    static async Task<double> CountersAsync(string counters, int pid)
    {
        var begun = TimeProvider.System.GetTimestamp();
        await using var terminal = OwnTerminal.Start((WatchedScreen.Width, WatchedScreen.Height),
            [counters, "monitor", "-p", pid.ToString(CultureInfo.InvariantCulture)]);
        _ = await terminal.WaitAsync(t => t.Contains(CountersFirst, StringComparison.Ordinal), Limit)
            ?? throw new InvalidOperationException($"dotnet-counters showed no number:\n{terminal.Text}");
        // It does not take a key in this terminal; the end of its connection ends its session.
        return TimeProvider.System.GetElapsedTime(begun).TotalMilliseconds;
    }

    static async Task<double> SinceAsync(OwnTerminal terminal, long begun, string text)
    {
        _ = await terminal.WaitAsync(t => FrameText.Shows(t, text), Limit)
            ?? throw new InvalidOperationException($"the screen never showed {text}:\n{terminal.Text}");
        return TimeProvider.System.GetElapsedTime(begun).TotalMilliseconds;
    }

    static ComparedRow Row(string what, Spread ms, double? most) => new(what, "the runtime sends counters once a second",
        FormattableString.Invariant($"{ms.Median:0} ms ({ms.Least:0} to {ms.Most:0}, {ms.Count} starts)"),
        most is { } budget ? FormattableString.Invariant($"at most {budget:0} ms") : null,
        most is { } limit ? ms.Median <= limit : null);

    /// <summary>From the start until so much was seen, milliseconds.</summary>
    sealed record Look(double LiveMs, double NumbersMs, double ExplainedMs);
}
