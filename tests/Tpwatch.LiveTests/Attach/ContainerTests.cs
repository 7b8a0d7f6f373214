using System.Text.Json;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.Sessions;
using Tpwatch.Stacks;
using Tpwatch.Targets;

namespace Tpwatch.LiveTests.Attach;

/// <summary>Targets in containers, watched from outside, from beside and from within.</summary>
public sealed class ContainerTests : IAsyncLifetime
{
    const int TestLimit = 120_000;

    /// <summary>The call that holds the workers of <see cref="LiveContainer.Starved"/>.</summary>
    const string Blocker = "Tpwatch.Fixtures.Scenarios.PoolBurst.Run";

    /// <summary>What a container runtime has nobody for, and neither has this machine.</summary>
    const string Stranger = "1234";

    static readonly string[] Look = ["report", "--duration", "8s", "--depth", "stacks", "--format", "json"];

    readonly DirectoryInfo share = Directory.CreateTempSubdirectory("tpwatch-test-");

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync() => Assert.SkipUnless(
        (await ToolRun.Program("unshare", "--mount", "--pid", "--fork", "--mount-proc", "true")).Code == 0,
        "needs the right to make namespaces");

    public ValueTask DisposeAsync()
    {
        share.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_container_with_users_of_its_own_is_watched_from_outside_from_a_sidecar_and_from_within()
    {
        await using var target = await LiveContainer.StartAsync(ContainerShape.OwnUsers, share.FullName, LiveContainer.Starved);

        var listed = await ToolRun.Of("ps");
        Assert.Contains($"{target.Id}  Tpwatch.Fixtures  ", listed.Out, StringComparison.Ordinal);
        var side = await target.FromSidecarAsync("ps");
        Assert.Contains("\n  1  Tpwatch.Fixtures  ", side.Out, StringComparison.Ordinal);

        var outside = ToolRun.Of([.. Look, "-p", target.Id]);
        var sidecar = target.FromSidecarAsync([.. Look, "-p", "1"]);
        var within = target.InsideAsync([.. LiveContainer.ToolInside, .. Look, "-p", "1"]);
        Assert.All(await Task.WhenAll(outside, sidecar, within), IsExplained);
    }

    [Fact(Timeout = TestLimit)]
    public async Task In_a_read_only_root_another_user_with_a_temporary_folder_of_its_own_is_watched_by_root_and_by_itself_alone()
    {
        await using var target = await LiveContainer.StartAsync(ContainerShape.ReadOnly, share.FullName,
            ["env", "TMPDIR=/mnt/temp", .. As(Stranger), .. LiveContainer.Starved]);
        Assert.StartsWith($"/proc/{target.Id}/root/mnt/temp/", TargetFinder.ByPid(target.Pid).SocketPath, StringComparison.Ordinal);

        var root = ToolRun.Of([.. Look, "-p", target.Id]);
        var itself = target.InsideAsync(["env", "TMPDIR=/mnt/temp", .. As(Stranger), .. LiveContainer.ToolInside, .. Look, "-p", "1"]);
        Assert.All(await Task.WhenAll(root, itself), IsExplained);

        var nobody = await target.InsideAsync([.. As("65534"), .. LiveContainer.ToolInside, "report", "-p", "1"]);
        nobody.IsFailure(1, $"runs as user id {Stranger}, but tpwatch runs as nobody");
        Assert.Contains($"sudo -u '#{Stranger}'", nobody.Error, StringComparison.Ordinal);
        var list = await target.InsideAsync([.. As("65534"), .. LiveContainer.ToolInside, "ps"]);
        Assert.DoesNotContain("Tpwatch.Fixtures", list.Out, StringComparison.Ordinal);
        Assert.Contains(
            $"Cannot watch 1 (Tpwatch.Fixtures): Process 1 (Tpwatch.Fixtures) runs as user id {Stranger}", list.Error,
            StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Whoever_shares_a_folder_alone_reaches_the_target_through_the_socket_in_it()
    {
        await using var target = await LiveContainer.StartAsync(ContainerShape.Plain, share.FullName,
            ["env", "TMPDIR=/mnt/share", .. LiveContainer.Starved]);
        var socket = Assert.Single(share.GetFiles("dotnet-diagnostic-1-*-socket")).Name;

        string[] there = ["--dport", "/mnt/" + socket];
        var looking = LiveContainer.BesideFolderAsync(share.FullName, [.. Look, .. there]);
        var basic = LiveContainer.BesideFolderAsync(share.FullName, ["report", "--duration", "4s", "--depth", "basic", .. there]);
        IsExplained(await looking);

        // Its process id leads nowhere here.
        Assert.Contains("report --dport PORT --depth stacks", string.Join(' ', (await basic).Out.Split((char[])[' ', '\n'],
            StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_target_connects_to_a_port_in_a_folder_that_is_shared()
    {
        // It is there before the runtime starts, so it ends when the call is known, not after a time that may be that of the start.
        var listening = LiveContainer.BesideFolderAsync(share.FullName, "report", "--format", "json", "--dport", "/mnt/port,listen");
        while (share.GetFiles("port").Length == 0)
        {
            Assert.False(listening.IsCompleted, "the tool has ended");
            await Task.Delay(TimeSpan.FromMilliseconds(20), Cancel);
        }

        await using var target = await LiveContainer.BeginAsync(ContainerShape.Plain, share.FullName,
            ["env", "DOTNET_DiagnosticPorts=/mnt/share/port,suspend", .. LiveContainer.Starved]);
        IsExplained(await listening);
        Assert.Empty(share.GetFileSystemInfos("port"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_worker_whose_stack_is_cut_is_known_in_a_container_too()
    {
        await using var target = await LiveContainer.StartAsync(ContainerShape.Plain, share.FullName,
            "dotnet", "exec", "/mnt/build/" + Path.GetFileName(typeof(ContainerTests).Assembly.Location), "odd-stacks");
        SessionPlan plan =
            new([new PlannedProvider("Microsoft-Windows-DotNETRuntime", System.Diagnostics.Tracing.EventLevel.Informational, 0x10000)]);
        await using var session = await LiveSession.OpenAsync(TargetFinder.ByPid(target.Pid), _ => plan, Cancel);
        var outcome = await new StackBurst(TimeProvider.System, share.FullName).TakeAsync(session, Cancel);
        Assert.True(outcome.Samples is not null, outcome.Failure);
        Assert.Contains("Tpwatch.LiveTests.Deep.OddStacks.Recursive",
            outcome.Samples.Stacks.Select(s => StackClassifier.Of(s)).Where(s => s.IsAtWork).Select(s => s.Frame));
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_container_is_known_by_the_name_of_its_control_group()
    {
        await using var target = await LiveContainer.StartAsync(ContainerShape.Plain, share.FullName, LiveContainer.Starved);
        using var group = NamedGroup.Of(target.Pid, share.FullName);
        var run = await group.RunAsync("ps", "--format", "json");
        using var list = JsonDocument.Parse(run.Out);
        var process = list.RootElement.GetProperty("processes").EnumerateArray().Single(p => p.GetProperty("pid").GetInt32() == target.Pid);
        Assert.Equal(group.Id[..12], process.GetProperty("container").GetString());
    }

    static string[] As(string user) => ["setpriv", $"--reuid={user}", $"--regid={user}", "--clear-groups"];

    static void IsExplained(ToolRun run)
    {
        Assert.True(run.Code == 0, run.Error);
        using var report = JsonDocument.Parse(run.Out);
        Assert.Equal("starved", report.RootElement.GetProperty("summary").GetProperty("verdict").GetString());
        Assert.Contains(Blocker, report.RootElement.GetProperty("blockers").ToString(), StringComparison.Ordinal);
    }
}
