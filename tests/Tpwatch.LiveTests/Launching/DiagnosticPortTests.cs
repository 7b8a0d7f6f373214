using System.Diagnostics;
using Tpwatch.Attach.Ports;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;

namespace Tpwatch.LiveTests.Launching;

/// <summary>Processes reached through a diagnostic port.</summary>
public sealed class DiagnosticPortTests : IDisposable
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
        (await ToolRun.Of("--dport", Port)).IsFailure(1, "no program listens at");
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
        Assert.Contains("is there already", run.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(Port));
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
