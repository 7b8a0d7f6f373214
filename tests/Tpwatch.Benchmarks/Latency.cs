using System.Diagnostics;
using System.Globalization;
using Tpwatch.Benchmarks.Figures;
using Tpwatch.Benchmarks.Runs;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Benchmarks;

/// <summary>
/// How long after an adjustment its line is on the tool's standard output: the built tool as a process of its own, its output a pipe, each
/// line stamped on arrival. The line says the event's UTC in milliseconds; the fixture's truth relates UTC to the clock of the stamps. With
/// --write the section of tests/SCORES.md is written.
/// </summary>
static class Latency
{
    const int Processors = 8;
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);
    static readonly string[] Reasons = Enum.GetNames<AdjustmentReason>();

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (write, load) = (words.Has("--write"), MachineWords.LoadNow());
        var items = words.Rest is [var text] ? text : "40";
        var late = await MeasureAsync(items);
        var page = LatencyPage.Of(late, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (write)
            await FiguresFile.WriteAsync(LatencyPage.Name, page);
        return LatencyPage.GoalsOf(late).Conclude();
    }

    /// <summary>One run with so many items: by reason, how late its lines were.</summary>
    public static async Task<List<(string Reason, Spread LateMs)>> MeasureAsync(string items)
    {
        var truthFile = Path.GetTempFileName();
        try
        {
            using var limit = new CancellationTokenSource(Limit);
            var lines = await ObserveAsync(
                ["pool-burst", "--items", items, "--hold", "30000", "--seconds", "30", "--truth", truthFile], limit.Token);
            using var reader = File.OpenText(truthFile);
            return Late(lines, TruthReader.Read(reader).Header.Anchor);
        }
        finally
        {
            File.Delete(truthFile);
        }
    }

    static async Task<List<(string Text, long At)>> ObserveAsync(string[] arguments, CancellationToken cancel)
    {
        using var copy = new FixtureCopy();
        await using var fixture = await FixtureProcess.StartAsync(copy.OnThisRuntime(web: false), Processors, arguments);
        var pid = fixture.Pid.ToString(CultureInfo.InvariantCulture);
        using var tool =
            Process.Start(new ProcessStartInfo(BuiltPrograms.Host, [BuiltPrograms.Tool, "--pid", pid]) { RedirectStandardOutput = true })!;
        // It says nothing before the first decision; attaching takes a fraction of this.
        await Task.Delay(TimeSpan.FromSeconds(3), cancel);
        await fixture.BeginAsync();
        var lines = new List<(string, long)>();
        while (await tool.StandardOutput.ReadLineAsync(cancel) is { } line)
            lines.Add((line, Stopwatch.GetTimestamp()));
        await tool.WaitForExitAsync(cancel);
        await fixture.ExitAsync(cancel);
        return lines;
    }

    static List<(string Reason, Spread LateMs)> Late(List<(string Text, long At)> lines, ClockAnchor anchor) =>
    [
        .. Reasons.Select(reason =>
            (reason, new Spread(lines.Where(l => l.Text.Split(' ') is [_, var word, ..] && word == reason).Select(l => LateMs(l, anchor)))))
            .Where(late => late.Item2.Count > 0),
    ];

    static double LateMs((string Text, long At) line, ClockAnchor anchor)
    {
        var utc = DateTime.Parse(line.Text.Split(' ')[0], CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal);
        var arrivedMs = (line.At - anchor.Stopwatch) * 1000.0 / Stopwatch.Frequency;
        return arrivedMs - (utc - anchor.Utc).TotalMilliseconds;
    }
}
