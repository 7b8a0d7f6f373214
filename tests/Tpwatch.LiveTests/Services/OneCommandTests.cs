using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json;
using Tpwatch.Fixtures.Services.Running;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Services;

/// <summary>
/// The one command that somebody on call types, on what tutorials have: it ends by itself with route and call. It finds its target by a
/// name, which no other service may have; so the host is called by one of the test's own.
/// </summary>
public sealed class OneCommandTests
{
    /// <summary>Somebody waits for it at night. Left alone it takes 7 s; the default would be the whole half minute.</summary>
    const double PromisedMs = 29_000;

    /// <summary>Requests pile up by then, and the pool is still far from having enough workers.</summary>
    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(5);

    [Fact(Timeout = 180_000)]
    public async Task A_report_without_an_option_ends_with_the_route_and_the_call()
    {
        var (report, said) = await ReportAsync();
        Assert.InRange(report.GetProperty("capture").GetProperty("duration").GetDouble(), 5_000, PromisedMs);
        Assert.Contains("tpwatch knows what holds the worker threads", said, StringComparison.Ordinal);
    }

    /// <summary>Who asks for stacks wants the culprit: the requests are looked at beside them.</summary>
    [Fact(Timeout = 180_000, Explicit = true)]
    public Task Stacks_asked_for_by_name_come_with_the_route() => ReportAsync("--depth", "stacks", "--duration", "12s");

    /// <summary>In a clone: the service that is built beside the tool.</summary>
    [Fact(Timeout = 180_000, Explicit = true)]
    public async Task The_demo_of_a_web_service_starves()
    {
        ProcessStartInfo demo = new(BuiltPrograms.Host,
        [
            "exec", BuiltPrograms.WholeTool, "demo", "web", "file-log", "--plain", "--duration", "20s",
        ]);
        var run = await ToolRun.Of(demo, TimeSpan.FromSeconds(90), TestContext.Current.CancellationToken);
        Assert.True(run.Code == 0, run.Error);
        Assert.Contains("STARVED", run.Out, StringComparison.Ordinal);
    }

    /// <summary>Runs it; route and call must be right.</summary>
    static async Task<(JsonElement Report, string Said)> ReportAsync(params string[] options)
    {
        var cancel = TestContext.Current.CancellationToken;
        using var folder = new TempFolder();
        var (host, json) = (Host(folder), folder["report.json"]);
        await using var target = await FixtureTarget.StartAsync(Command(host), cancel, "tutorial-result", "--seconds", "60");
        await target.BeginAsync();
        await Task.Delay(Unseen, cancel);
        var run = await ToolRun.Of(["report", "-n", Path.GetFileName(host), "-o", json, "--format", "json", .. options]);
        await Signal.SendAsync("TERM", target.Pid, cancel);
        var truth = await target.TruthAsync(cancel);
        TestContext.Current.TestOutputHelper!.WriteLine(run.Error);
        Assert.Equal(0, run.Code);
        using var report = JsonDocument.Parse(await File.ReadAllTextAsync(json, cancel));
        var first = report.RootElement.GetProperty("blockers")[0];
        var route = Suffering(truth);
        // On a crowded machine a request goes on elsewhere after its log line: a route may be likely only, and is right all the same.
        Assert.Equal(
            $"GET {route.Replace("{id}", "{n}", StringComparison.Ordinal)}",
            first.GetProperty("requests")[0].GetProperty("route").GetString());
        Assert.Equal("Task.Result", first.GetProperty("call").GetString());
        return (report.RootElement.Clone(), run.Error);
    }

    // The kernel calls a process by the link through which it was started, in 15 letters.
    static string Host(TempFolder folder)
    {
        var host = folder[$"one-{Guid.NewGuid():N}"[..12]];
        File.CreateSymbolicLink(host, Installed());
        return host;
    }

    static string Installed() => Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", "dotnet"));

    static ProcessStartInfo Command(string host)
    {
        var start = new ProcessStartInfo(host, ServiceBuild.Command(TargetRuntime.Net10).ArgumentList);
        start.Environment["DOTNET_PROCESSOR_COUNT"] = "8";
        return start;
    }

    // By the service's own record: whose requests had a worker and kept it for longest, in all. Most still have theirs at its end.
    static string Suffering(RunTruth truth)
    {
        var last = truth.Items.Max(item => item.Ended ?? item.Started ?? 0);
        return truth.Items.Where(item => item.Started is not null && item.Route != ServiceHost.Ping)
            .GroupBy(item => item.Route!).MaxBy(route => route.Sum(item => truth.Ms(item.Started!.Value, item.Ended ?? last)))!.Key;
    }
}
