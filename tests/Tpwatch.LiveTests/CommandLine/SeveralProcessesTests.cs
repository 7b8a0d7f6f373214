using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
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

        var said = Path.Combine(folder.FullName, "said");
        var running = ToolRun.Shell(string.Join(' ', [$"T {verb} -p {Id(lives.Pid)},{Id(dies.Pid)},{Id(nobody)} --duration 15s",
            "-o", Path.Combine(folder.FullName, file), .. how, $"2> {said}"]));
        await SaysAsync(said, $"Tpwatch.Fixtures {Id(dies.Pid)}: {(verb == "report" ? "Watching" : "Recording")}");
        await Signal.SendAsync("KILL", dies.Pid, Cancel);
        var run = await running;
        var error = await File.ReadAllTextAsync(said, Cancel);

        Assert.True(run.Code == 1, error);
        Assert.Contains($"tpwatch: process {Id(nobody)}: There is no process {Id(nobody)}.", error, StringComparison.Ordinal);
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

    // A session is open by then.
    static async Task SaysAsync(string file, string words)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Cancel);
        limit.CancelAfter(Limit);
        while (!File.Exists(file) || !(await File.ReadAllTextAsync(file, limit.Token)).Contains(words, StringComparison.Ordinal))
        {
            await Task.Delay(TimeSpan.FromMilliseconds(20), limit.Token);
        }
    }

    // What each of them holds is read by the tool again where it is a recording.
    static async Task<double[]> DurationsAsync(string verb, List<string> files)
    {
        List<double> durations = [];
        foreach (var file in files)
        {
            var text = verb == "report"
                ? await File.ReadAllTextAsync(file, Cancel)
                : (await ToolRun.Of("report", file, "--format", "json")).Out;
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
