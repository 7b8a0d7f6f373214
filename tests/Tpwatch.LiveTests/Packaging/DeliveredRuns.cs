using System.Collections.Immutable;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Targets;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>
/// The tool as it is delivered, each way attached to an incident of its own, as soon as all is made: incidents sleep, so that four take no
/// longer than one. Beside it runs the README's command for a clone.
/// </summary>
public sealed class DeliveredRuns(PackedTool packed) : IAsyncLifetime
{
    const string LookFor = "6s";

    /// <summary>A burst of stacks is taken as soon as it starves, which takes the pool up to 1 s, and is named at the end.</summary>
    const string StacksFor = "4s";

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);
    static readonly TimeSpan IntoTheIncident = TimeSpan.FromSeconds(3);

    /// <summary>Programs that start all at once keep each other from starting.</summary>
    static readonly TimeSpan Apart = TimeSpan.FromSeconds(1);

    static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(50);

    /// <summary>
    /// Nothing ends while it is looked at: it goes on for longer than the slowest looks may take, and is ended as soon as they are over.
    /// </summary>
    static readonly string[] Incident = ["pool-burst", "--items", "200", "--hold", "300000", "--processors", "4", "--seconds", "240"];

    readonly CancellationTokenSource ends = new();
    ImmutableDictionary<Delivery, (string Program, string Root)> programs = ImmutableDictionary<Delivery, (string, string)>.Empty;
    ImmutableDictionary<Delivery, Task<DeliveredLook>> looks = ImmutableDictionary<Delivery, Task<DeliveredLook>>.Empty;
    Task<ToolRun>? report;

    /// <summary>What it saw of the incident.</summary>
    internal Task<DeliveredLook> LookAsync(Delivery delivery)
    {
        Assert.SkipUnless(looks.ContainsKey(delivery), PackedTool.NotMade);
        return looks[delivery];
    }

    /// <summary>The text that a recording gives where the tests run.</summary>
    internal Task<ToolRun> ReportAsync(string recording) => report ??= ToolRun.Of("report", recording);

    /// <inheritdoc cref="PackedTool.FirstCommand"/>
    internal (int Exit, string Output) FirstCommand => packed.FirstCommand;

    public async ValueTask InitializeAsync()
    {
        if (!PackedTool.IsMade)
        {
            return;
        }

        var runtimes = Directory.CreateDirectory(Path.Combine(packed.Folder, "runtimes")).FullName;
        programs = programs
            .Add(Delivery.Package, (packed.Program, ""))
            .Add(Delivery.AnyPackage, (packed.AnyProgram, ""))
            .Add(Delivery.PackageOnNet11, (packed.Program, await SingleRuntime.OfAsync(TargetRuntime.Net11, runtimes, ends.Token)));
        if (PackedTool.HasSingleFile)
        {
            programs = programs.Add(Delivery.SingleFile, (PackedTool.SingleFile, Path.Combine(runtimes, "none")));
        }

        looks = programs.Keys.ToImmutableDictionary(delivery => delivery, LookAtIncidentAsync);
    }

    public async ValueTask DisposeAsync()
    {
        await ends.CancelAsync();
        await Task.WhenAll(looks.Values).ContinueWith(_ => { }, TaskScheduler.Default);
        ends.Dispose();
    }

    /// <summary>The command that runs the tool.</summary>
    internal ProcessStartInfo Command(Delivery delivery, params string[] arguments)
    {
        Assert.SkipUnless(programs.ContainsKey(delivery), PackedTool.NotMade);
        var (program, root) = programs[delivery];
        var start = new ProcessStartInfo(program, arguments);
        if (root.Length > 0)
        {
            (start.Environment["DOTNET_ROOT"], start.Environment["DOTNET_ROOT_X64"]) = (root, root);
        }

        return start;
    }

    async Task<DeliveredLook> LookAtIncidentAsync(Delivery delivery)
    {
        await Task.Delay((int)delivery * Apart, ends.Token);
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, ends.Token, Incident);
        await target.BeginAsync();
        await Task.Delay(IntoTheIncident, ends.Token);
        var pid = target.Pid.ToString(CultureInfo.InvariantCulture);
        var started = new TaskCompletionSource<int>();
        var watching = ToolRun.Of(Command(delivery, "-p", pid, "--duration", LookFor), Limit, ends.Token, started.SetResult);
        var reporting = ToolRun.Of(Command(delivery, "report", "-p", pid, "--duration", LookFor, "--format", "json"), Limit, ends.Token);
        var runtime = await RuntimeOfAsync(await started.Task);
        var (watch, report) = (await watching, await reporting);
        var stacks = await ToolRun.Of(
            Command(delivery, "report", "-p", pid, "--duration", StacksFor, "--depth", "stacks", "--format", "json"), Limit, ends.Token);
        Assert.True((watch.Code, report.Code, stacks.Code) == (0, 0, 0), watch.Error + report.Error + stacks.Error);
        await Signal.SendAsync("TERM", target.Pid, ends.Token);
        return new(target.Pid, JsonElement.Parse(report.Out), JsonElement.Parse(stacks.Out), watch.Out.Split('\n'), runtime,
            await target.TruthAsync(ends.Token));
    }

    /// <summary>Asks the runtime itself, which answers as soon as it has begun.</summary>
    async Task<string> RuntimeOfAsync(int pid)
    {
        while (true)
        {
            if (ProcessPortrait.Of(SystemPaths.Local, pid)?.Socket.Path is { } socket
                && await new DiagnosticPortClient(socket,
                    TimeProvider.System).ProcessInfoAsync(ends.Token) is { RuntimeVersion: { } version })
            {
                return version;
            }

            await Task.Delay(Poll, ends.Token);
        }
    }
}
