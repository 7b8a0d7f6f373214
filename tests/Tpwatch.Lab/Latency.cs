using System.Diagnostics;
using System.Globalization;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Lab.Figures;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.Lab;

/// <summary>
/// How long after an adjustment its line is on the tool's standard output: the built tool as a process of its own, its output a pipe, each
/// line stamped on arrival. The line says the event's UTC in milliseconds; the fixture's truth relates UTC to the clock of the stamps. With
/// --write the section of tests/SCORES.md is written.
/// </summary>
static class Latency
{
    const int Processors = 8;
    static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var (write, load) = (words.Has("--write"), MachineWords.LoadNow());
        var late = await MeasureAsync();
        return await FiguresFile.ConcludeAsync(
            LatencyPage.Name, LatencyPage.Of(late, MachineWords.Of(load)), write, LatencyPage.GoalsOf(late));
    }

    /// <summary>By reason, how late the lines of one run were.</summary>
    public static async Task<List<(string Reason, Spread LateMs)>> MeasureAsync()
    {
        using var folder = new TempFolder();
        using var limit = new CancellationTokenSource(Limit);
        var lines = await ObserveAsync(
            ["pool-burst", "--items", "40", "--hold", "30000", "--seconds", "30", "--truth", folder["truth"]], limit.Token);
        using var reader = File.OpenText(folder["truth"]);
        return Late(lines, TruthReader.Read(reader).Header.Anchor);
    }

    static async Task<List<(string Text, long At)>> ObserveAsync(string[] arguments, CancellationToken cancel)
    {
        await using var fixture = await FixtureProcess.StartAsync(Processors, arguments);
        using var tool = Process.Start(new ProcessStartInfo(BuiltPrograms.Host, [BuiltPrograms.Tool, "--pid", $"{fixture.Pid}"])
        {
            RedirectStandardOutput = true,
        })!;
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
        .. from reason in Enum.GetNames<AdjustmentReason>()
           let late = lines.Where(l => l.Text.Split(' ') is [_, var word, ..] && word == reason).Select(l => LateMs(l, anchor)).ToArray()
           where late.Length > 0
           select (reason, new Spread(late)),
    ];

    static double LateMs((string Text, long At) line, ClockAnchor anchor)
    {
        var utc = DateTime.Parse(line.Text.Split(' ')[0], CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal);
        var arrivedMs = (line.At - anchor.Stopwatch) * 1000.0 / Stopwatch.Frequency;
        return arrivedMs - (utc - anchor.Utc).TotalMilliseconds;
    }
}
