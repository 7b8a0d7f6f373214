using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>Several real processes that come to one port of <c>serve</c>.</summary>
public sealed class PortTests : IDisposable
{
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-test-");

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    string Port => Path.Combine(folder.FullName, "port");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact(Timeout = 240_000)]
    public async Task Two_at_once_are_watched_one_restarts_one_is_killed_and_a_silent_client_blocks_neither()
    {
        await using var watcher = await WatchingAsync();
        using Socket silent = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await silent.ConnectAsync(new UnixDomainSocketEndPoint(Port), Cancel);
        using var first = await StartAsync("suspend");
        using var second = await StartAsync("nosuspend");
        await HasAsync(watcher, first.Id, second.Id);
        Assert.True(await SessionsInTarget.BecomeAsync(first.Id, 1, Patience));
        Assert.True(await SessionsInTarget.BecomeAsync(second.Id, 1, Patience));

        await first.StandardInput.WriteLineAsync();
        await watcher.StarvedAsync(Cancel);

        await EndAsync(second);
        await HasAsync(watcher, first.Id);
        using var restarted = await StartAsync("suspend");
        await HasAsync(watcher, first.Id, restarted.Id);
        Assert.True(File.Exists(Port));

        Assert.Equal(0, await watcher.StopAsync(Cancel));
        Assert.False(File.Exists(Port));
        Assert.True(await SessionsInTarget.BecomeAsync(first.Id, 0, Patience));
        await EndAsync(first);
        await EndAsync(restarted);
    }

    [Fact(Timeout = 240_000)]
    public async Task A_watcher_that_was_killed_leaves_nothing_that_keeps_the_next_one_away()
    {
        using var target = await StartAsync("nosuspend");
        await using (var killed = await WatchingAsync())
        {
            await HasAsync(killed, target.Id);
            killed.Kill();
        }

        await using var next = await WatchingAsync();
        await HasAsync(next, target.Id);
        Assert.Equal(0, await next.StopAsync(Cancel));
        Assert.False(File.Exists(Port));
        await EndAsync(target);
    }

    [Fact(Timeout = 240_000)]
    public async Task One_that_is_found_here_too_is_watched_once()
    {
        using var target = await StartAsync("nosuspend");
        var pid = target.Id.ToString(CultureInfo.InvariantCulture);
        await using var watcher = await Server.ToolAsync(Cancel, "--dport", Port, "-p", pid, "--older-than", "1s");
        await HasAsync(watcher, target.Id);
        // A round is a second, and a runtime tries the port again within half of one.
        await Task.Delay(TimeSpan.FromSeconds(5), Cancel);
        await HasAsync(watcher, target.Id);
        Assert.Equal(1, SessionsInTarget.Count(target.Id));
        Assert.Equal(0, await watcher.StopAsync(Cancel));
        await EndAsync(target);
    }

    Task<Server> WatchingAsync() => Server.ToolAsync(Cancel, "--dport", Port, "--older-than", "1s");

    // Those and no others.
    static Task HasAsync(Server watcher, params int[] pids) => watcher.UntilAsync(
        async () =>
        {
            var info = (await watcher.GetAsync("metrics", Cancel)).Split('\n')
                .Where(line => line.StartsWith("tpwatch_target_info{", StringComparison.Ordinal)).ToArray();
            return info.Length == pids.Length
                && pids.Select(pid => string.Create(CultureInfo.InvariantCulture, $"pid=\"{pid}\""))
                    .All(pid => info.Any(line => line.Contains(pid, StringComparison.Ordinal)));
        },
        Cancel);

    // A runtime that waits at its start must be let go on before it says anything.
    async Task<Process> StartAsync(string mode)
    {
        var start = FixtureBuild.Command(TargetRuntime.Net10);
        (start.RedirectStandardInput, start.RedirectStandardOutput) = (true, true);
        start.Environment["DOTNET_DiagnosticPorts"] = $"{Port},{mode}";
        start.Environment["DOTNET_PROCESSOR_COUNT"] = "2";
        foreach (var argument in (string[])["blocking-socket", "--seconds", "60", "--wait-for-enter"])
        {
            start.ArgumentList.Add(argument);
        }

        var process = Process.Start(start)!;
        Assert.NotNull(await process.StandardOutput.ReadLineAsync(Cancel).AsTask().WaitAsync(Patience, Cancel));
        return process;
    }

    static async Task EndAsync(Process process)
    {
        process.Kill();
        await process.WaitForExitAsync(Cancel);
    }
}
