using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Benchmarks.Screen;
using Tpwatch.LiveTests.Terminal;
using Tpwatch.Scoring.Scores;

namespace Tpwatch.Benchmarks.Soak;

/// <summary>
/// The screen in a terminal over a service under load whose pool starves each minute, for as long as is wanted: what tool and target take,
/// looked at each ten seconds. <c>soak [--minutes 60]</c> draws tests/SOAK.svg; <c>--starve-each 8</c> (seconds) puts an hour's episodes
/// into eight minutes and draws nothing. It misses its goals when the tool's memory, descriptors, threads or processor time grow, or a
/// session is left in the target.
/// </summary>
static class SoakCommand
{
    const int UsualMinutes = 60;
    const int UsualSeconds = 60;
    const int RequestsPerSecond = 200;

    /// <summary>What may be more in the last quarter than in the second; in the first the runtime compiles what is used.</summary>
    const double MostMegabytes = 10, MostDescriptors = 2, MostThreads = 2, MostPercent = 1;

    static readonly TimeSpan Look = TimeSpan.FromSeconds(10);
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    static string Picture { get; } = Path.Combine(BuiltPrograms.Root, "tests", "SOAK.svg");

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var length = TimeSpan.FromMinutes(words.Number("--minutes", UsualMinutes));
        var every = words.Number("--starve-each", UsualSeconds);
        if (words.Rest.Count > 0)
            return words.Refuse("soak takes --minutes and --starve-each");
        var machine = MachineWords.Of([], MachineWords.LoadNow());
        using var target = Start(every);
        try
        {
            var port = int.Parse((await target.StandardOutput.ReadLineAsync())!, CultureInfo.InvariantCulture);
            using var callers = new RequestCallers(port, RequestsPerSecond);
            await using var terminal = WatchedScreen.Open("-p", target.Id.ToString(CultureInfo.InvariantCulture));
            await WatchedScreen.MustAsync(terminal, "LIVE");
            var goals = await WatchAsync(terminal, target.Id, length, every == UsualSeconds ? machine : null);
            await terminal.TypeAsync("q");
            goals.Add("the screen did not end in order", await terminal.ExitAsync(Limit) == 0);
            return goals.AtMost("sessions left in the target", Sessions(target.Id), 0).Conclude();
        }
        finally
        {
            target.Kill();
            await target.WaitForExitAsync();
        }
    }

    static Process Start(int every) => Process.Start(
        new ProcessStartInfo(
            BuiltPrograms.Host,
            [typeof(SoakCommand).Assembly.Location, SoakTarget.Name, every.ToString(CultureInfo.InvariantCulture)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;

    static async Task<Goals> WatchAsync(OwnTerminal terminal, int pid, TimeSpan length, string? machine)
    {
        List<SoakSample> tool = [], target = [];
        Console.WriteLine("| s | tool MB | fd | threads | % | target MB | fd | threads | % |\n|---|---|---|---|---|---|---|---|---|");
        using var timer = new PeriodicTimer(Look);
        var start = TimeProvider.System.GetTimestamp();
        do
        {
            var now = TimeProvider.System.GetElapsedTime(start);
            tool.Add(SoakSample.Of(terminal.Pid, now, tool.LastOrDefault()));
            target.Add(SoakSample.Of(pid, now, target.LastOrDefault()));
            Console.WriteLine($"| {now.TotalSeconds:0} {Row(tool[^1])} {Row(target[^1])} |");
            // What came out of the terminal is not wanted, and would be memory of ours.
            terminal.Forget();
            if (tool.Count > 2 && machine is not null)
                await File.WriteAllTextAsync(Picture, SoakPicture.Of(tool, target, machine));
            await timer.WaitForNextTickAsync();
        }
        while (TimeProvider.System.GetElapsedTime(start) < length);
        return new Goals()
            .AtMost("growth of the tool's memory, MB", Growth(tool, s => s.Megabytes), MostMegabytes)
            .AtMost("growth of its descriptors", Growth(tool, s => s.Descriptors), MostDescriptors)
            .AtMost("growth of its threads", Growth(tool, s => s.Threads), MostThreads)
            .AtMost("growth of its processor time, % of one", Growth(tool, s => s.Percent), MostPercent);
    }

    // The mean of the last quarter above that of the second.
    static double Growth(List<SoakSample> samples, Func<SoakSample, double> of)
    {
        var quarter = samples.Count / 4;
        return samples.TakeLast(quarter).Average(of) - samples.Skip(quarter).Take(quarter).Average(of);
    }

    // The runtime sends each from a thread of its own; one more listens.
    static int Sessions(int pid) => Directory.GetDirectories(string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}/task"))
        .Count(thread => File.ReadAllText(Path.Combine(thread, "comm")).TrimEnd() == ".NET EventPipe") - 1;

    static string Row(SoakSample s) =>
        FormattableString.Invariant($"| {s.Megabytes:0.0} | {s.Descriptors} | {s.Threads} | {s.Percent:0.0}");
}
