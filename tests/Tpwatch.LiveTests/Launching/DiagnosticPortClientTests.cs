using System.Diagnostics;
using System.Globalization;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Sessions;

namespace Tpwatch.LiveTests.Launching;

/// <summary>Processes reached through a diagnostic port.</summary>
public sealed class DiagnosticPortClientTests : IDisposable
{
    const int TestLimit = 90_000;

    static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-test-");

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    string Port => Path.Combine(folder.FullName, "port");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact(Timeout = TestLimit)]
    public async Task A_runtime_that_connects_is_observed_from_its_start_and_let_go_on()
    {
        var opening = PortTarget.OpenAsync(new PortAddress(Port, PortMode.Listen), Patience, Cancel);
        using var fixture = await StartAsync("pool-burst", "--items", "3", "--hold", "1000");
        await using var port = await opening;
        Assert.Equal(fixture.Id, port.Target.Pid);
        await using var watch = await ThreadPoolWatch.AttachAsync(port, new WatchOptions(), Cancel);
        Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(Cancel));
        Assert.Equal(new(Environment.ProcessorCount, SettingSource.Event), watch.Report().Timeline.Target.MinWorkers);
        await fixture.WaitForExitAsync(Cancel);
        Assert.Equal(0, fixture.ExitCode);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_child_that_inherits_the_port_is_let_go_on_too()
    {
        var opening = PortTarget.OpenAsync(new PortAddress(Port, PortMode.Listen), Patience, Cancel);
        using var fixture = await StartAsync("pool-burst", "--items", "2", "--hold", "500", "--processors", "2");
        await using var port = await opening;
        await using var watch = await ThreadPoolWatch.AttachAsync(port, new WatchOptions(), Cancel);
        await fixture.WaitForExitAsync(Cancel);
        Assert.Equal(0, fixture.ExitCode);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_runtime_stays_suspended_when_asked_for()
    {
        var opening = PortTarget.OpenAsync(new PortAddress(Port, PortMode.Listen) { ResumeRuntime = false }, Patience, Cancel);
        using var fixture = await StartAsync("steady", "--seconds", "60");
        try
        {
            await using var port = await opening;
            await using var watch = await ThreadPoolWatch.AttachAsync(port, new WatchOptions(), Cancel);
            await Task.Delay(TimeSpan.FromSeconds(2), Cancel);
            Assert.Equal(0, watch.Report().Timeline.Quality.Events);
            await watch.StopAsync(Cancel);
            Assert.Equal(SessionEnd.StoppedByUs, watch.Report().End);
        }
        finally
        {
            fixture.Kill();
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_tool_connects_to_a_runtimes_own_port()
    {
        await using var fixture = await Fixture.StartAsync();
        // A process of the same number that was killed long ago may have left one, too.
        var socket = Directory.GetFiles(Path.GetTempPath(), $"dotnet-diagnostic-{fixture.Pid}-*-socket").MaxBy(File.GetLastWriteTimeUtc)!;
        var run = await ToolRun.Of("report", "--duration", "1s", "--dport", socket);
        Assert.True(run.Code == 0, run.Error);
        Assert.Contains("Tpwatch.Fixtures", run.Out, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Nobody_there_is_code_1()
    {
        (await ToolRun.Of("--dport", Port + ",connect")).IsFailure(1, "no socket at");
        await File.WriteAllTextAsync(Port, "", Cancel);
        (await ToolRun.Of("--dport", Port)).IsFailure(1, "no program listens on");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Nobody_coming_is_code_1_and_the_port_is_gone()
    {
        var run = await ToolRun.Of("report", "--dport", Port + ",listen", "--timeout", "1s");
        Assert.Equal(1, run.Code);
        Assert.Contains("No runtime has connected", run.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(Port));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_path_that_is_taken_is_code_3()
    {
        await File.WriteAllTextAsync(Port, "", Cancel);
        var run = await ToolRun.Of("report", "--dport", Port + ",listen");
        Assert.Equal(3, run.Code);
        Assert.Contains("exists already", run.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(Port));
    }

    [Theory(Timeout = 2 * TestLimit)]
    [InlineData("report", "run.json", "run.{0}.Tpwatch.Fixtures-{1}.json")]
    [InlineData("record", "run.nettrace", "run.{0}.Tpwatch.Fixtures-{1}.nettrace")]
    public async Task Each_of_a_fleet_of_short_lived_processes_is_watched_in_turn(string verb, string file, string named)
    {
        string[] how = verb == "report" ? ["--format", "json"] : [];
        var (running, pid) = Follow([verb, "-o", Path.Combine(folder.FullName, file), .. how]);
        for (var number = 1; number <= 3; number++)
        {
            // It waits at its start until it is observed, whether the one before it is left already or not.
            using var fixture = await StartAsync("pool-burst", "--items", "3", "--hold", "300");
            await EndAsync(fixture, running);
            var written = Path.Combine(folder.FullName, string.Format(CultureInfo.InvariantCulture, named, number, fixture.Id));
            Assert.True(await AppearsAsync(written), $"no {written} among {string.Join(' ', Directory.GetFiles(folder.FullName))}");
        }

        await SeenProcesses.InterruptAsync(await pid, Cancel);
        var run = await running;
        Assert.True(run.Code == 0, run.Error);
        Assert.False(File.Exists(Port));
    }

    [Fact(Timeout = 2 * TestLimit)]
    public async Task One_that_is_killed_and_started_again_is_watched_again_and_the_first_signal_ends_it_all()
    {
        var (running, pid) = Follow(["--format", "ndjson"]);
        for (var starts = 0; starts < 2; starts++)
        {
            using var fixture = await StartAsync("steady", "--seconds", "120", "--wait-for-enter");
            // It waits at its start until it is observed.
            Assert.NotNull(await fixture.StandardOutput.ReadLineAsync(Cancel).AsTask().WaitAsync(Patience, Cancel));
            fixture.Kill();
            await fixture.WaitForExitAsync(Cancel);
        }

        await SeenProcesses.InterruptAsync(await pid, Cancel);
        var run = await running;

        Assert.True(run.Code == 0, run.Error);
        var summaries = run.Out.Split('\n').Count(l => l.Contains("\"kind\":\"summary\"", StringComparison.Ordinal));
        Assert.True(summaries == 2, $"{summaries} summaries:\n{run.Error}");
        Assert.False(File.Exists(Port));
    }

    // The tool at the port, with its process id as soon as there is one.
    (Task<ToolRun> Running, Task<int> Pid) Follow(string[] arguments)
    {
        var pid = new TaskCompletionSource<int>();
        var start = new ProcessStartInfo(BuiltPrograms.Host,
            [ToolRun.Tool, .. arguments, "--dport", Port + ",listen", "--wait"]);
        return (ToolRun.Of(start, TimeSpan.FromSeconds(2 * TestLimit / 1000), Cancel, pid.SetResult), pid.Task);
    }

    static async Task EndAsync(Process fixture, Task<ToolRun> watching)
    {
        var ends = fixture.WaitForExitAsync(Cancel);
        if (await Task.WhenAny(ends, watching, Task.Delay(Patience, Cancel)) != ends)
        {
            fixture.Kill();
            Assert.Fail(watching.IsCompleted ? (await watching).Error : $"the process did not end within {Patience}");
        }

        Assert.Equal(0, fixture.ExitCode);
    }

    static async Task<bool> AppearsAsync(string file)
    {
        var began = TimeProvider.System.GetTimestamp();
        while (!File.Exists(file) && TimeProvider.System.GetElapsedTime(began) < Patience)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(20), Cancel);
        }

        return File.Exists(file);
    }

    async Task<Process> StartAsync(params string[] arguments)
    {
        var start = FixtureBuild.Command(TargetRuntime.Net10);
        (start.RedirectStandardOutput, start.RedirectStandardError) = (true, true);
        start.Environment["DOTNET_DiagnosticPorts"] = Port + ",suspend";
        foreach (var argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        return Process.Start(start)!;
    }
}
