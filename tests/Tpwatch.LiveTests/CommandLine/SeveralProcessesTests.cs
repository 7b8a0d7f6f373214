using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.CommandLine;

/// <summary>Several real processes at once, one of which dies and one of which is not there.</summary>
public sealed class SeveralProcessesTests : IDisposable
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-test-");

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Delete(recursive: true);

    [Theory(Timeout = 180_000)]
    [InlineData("report", "run.json", "--format", "json")]
    [InlineData("record", "run.nettrace")]
    public async Task One_that_is_killed_and_one_that_is_not_there_spoil_no_other(string verb, string file, params string[] how)
    {
        await using var lives = await FixtureTarget.StartAsync(TargetRuntime.Net10, Cancel, "steady", "--seconds", "120");
        await using var dies = await FixtureTarget.StartAsync(TargetRuntime.Net10, Cancel, "steady", "--seconds", "120");
        await lives.BeginAsync();
        await dies.BeginAsync();
        var nobody = await ReapedPidAsync();

        var running = ToolRun.Patiently([verb, "-p", $"{Id(lives.Pid)},{Id(dies.Pid)},{Id(nobody)}", "--duration", "6s",
            "-o", Path.Combine(folder.FullName, file), .. how]);
        Assert.True(await SessionsInTarget.BecomeAsync(dies.Pid, 1, Limit), "no session was opened");
        await Signal.SendAsync("KILL", dies.Pid, Cancel);
        var run = await running;

        Assert.True(run.Code == 1, run.Error);
        Assert.Contains($"tpwatch: process {Id(nobody)}: There is no process {Id(nobody)}.", run.Error, StringComparison.Ordinal);
        var reports = new[] { lives.Pid, dies.Pid }.Select(p => Named(file, p)).ToList();
        Assert.Equal(reports.Order(StringComparer.Ordinal), Files(Path.GetExtension(file)));
        var seen = await DurationsAsync(verb, reports);
        Assert.True(seen[0] > 4000, $"the one that lives was seen for {seen[0]} ms of 6 s");
        Assert.True(seen[1] < seen[0], $"the one that was killed was seen for {seen[1]} ms, the other for {seen[0]} ms");
    }

    string Named(string file, int pid) =>
        Path.Combine(folder.FullName, $"run.Tpwatch.Fixtures-{Id(pid)}{Path.GetExtension(file)}");

    string[] Files(string ending) =>
        [.. Directory.GetFiles(folder.FullName, $"*{ending}").Where(f => !f.EndsWith(".nettrace.json", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal)];

    // What each of them holds is read by the tool again where it is a recording.
    static async Task<double[]> DurationsAsync(string verb, List<string> files)
    {
        List<double> durations = [];
        foreach (var file in files)
        {
            var text = verb == "report"
                ? await File.ReadAllTextAsync(file, Cancel)
                : (await ToolRun.Patiently("report", file, "--format", "json")).Out;
            durations.Add(JsonDocument.Parse(text).RootElement.GetProperty("capture").GetProperty("duration").GetDouble());
        }

        return [.. durations];
    }

    // A process that was waited for; its number is not given out again for thousands of others.
    static async Task<int> ReapedPidAsync()
    {
        using var process = Process.Start("true");
        await process.WaitForExitAsync(Cancel);
        return process.Id;
    }

    static string Id(int pid) => pid.ToString(CultureInfo.InvariantCulture);
}
