using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Inside;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>A recording through the server, of a real process that is watched meanwhile.</summary>
public sealed class RecordTests
{
    const string Watched = "tpwatch_targets{state=\"watched\"} 1\n";

    static readonly TimeSpan Gone = TimeSpan.FromSeconds(20);

    /// <summary>A reading takes a second or two; without it the hang would be told by then.</summary>
    static readonly TimeSpan Later = TimeSpan.FromSeconds(6);

    [Fact(Timeout = 180_000)]
    public async Task What_is_sent_is_a_recording_and_the_watch_goes_on()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "blocking-socket", "--seconds", "60");
        await using var watcher = await WatchingAsync(target, cancel, "--allow-record");
        await target.BeginAsync();
        await watcher.StarvedAsync(cancel);
        var page = await PageAsync(watcher, target, cancel);
        using var reply = await watcher.Client.PostAsync(new Uri(watcher.Address, page + "?duration=6s"), null, cancel);
        Assert.Equal(HttpStatusCode.OK, reply.StatusCode);
        using var folder = new TempFolder();
        var file = folder["run.nettrace"];
        await File.WriteAllBytesAsync(file, await reply.Content.ReadAsByteArrayAsync(cancel), cancel);
        var report = await ToolRun.Of("report", file);
        Assert.Equal(0, report.Code);
        Assert.Contains("starved", report.Out, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("is incomplete", report.Out + report.Error, StringComparison.Ordinal);

        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 1, Gone));
        Assert.Contains(Watched, await watcher.GetAsync("metrics", cancel), StringComparison.Ordinal);
        Assert.Equal(0, await watcher.StopAsync(cancel));
        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 0, Gone));
    }

    [Fact(Timeout = 120_000)]
    public async Task Without_the_option_it_is_refused_and_the_process_is_not_touched()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "blocking-socket");
        await using var watcher = await WatchingAsync(target, cancel);
        var page = await PageAsync(watcher, target, cancel);
        using var reply = await watcher.Client.PostAsync(new Uri(watcher.Address, page), null, cancel);
        Assert.Equal(HttpStatusCode.Forbidden, reply.StatusCode);
        Assert.Contains("--allow-record", await reply.Content.ReadAsStringAsync(cancel), StringComparison.Ordinal);
        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 1, Gone));
    }

    [Fact(Timeout = 120_000)]
    public async Task Memory_is_read_on_request_and_the_watch_goes_on()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(
            TargetRuntime.Net10, cancel, "blocking-socket", "--hold", "60000", "--seconds", "60");
        await using var watcher = await WatchingAsync(target, cancel, "--allow-inside");
        await target.BeginAsync();
        // Items that do not end: a reading between two short ones meets workers on their way to the call.
        await watcher.StarvedAsync(cancel);
        var page = (await PageAsync(watcher, target, cancel)).Replace("record/", "inside/", StringComparison.Ordinal);
        var text = "";
        await watcher.UntilAsync(
            async () =>
            {
                using var reply = await watcher.Client.PostAsync(new Uri(watcher.Address, page), null, cancel);
                text = await reply.Content.ReadAsStringAsync(cancel);
                // Somebody waits for the reply, so on a busy machine it is given up.
                var isLate = reply.StatusCode == HttpStatusCode.ServiceUnavailable
                    && text.Contains("did not answer within", StringComparison.Ordinal);
                Assert.True(isLate || reply.StatusCode == HttpStatusCode.OK, text);
                return !isLate;
            },
            cancel);
        Assert.Contains("BlockingSocket", text, StringComparison.Ordinal);
        Assert.Contains("in queue", text, StringComparison.Ordinal);
        Assert.Contains(Watched, await watcher.GetAsync("metrics", cancel), StringComparison.Ordinal);
        Assert.Equal(0, await watcher.StopAsync(cancel));
    }

    /// <summary>Loops that wait for work: to the counters alone they hang.</summary>
    [Fact(Timeout = 120_000, Explicit = true)]
    public async Task A_waiting_loop_is_not_held_unless_reading_is_forbidden()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await InsideTarget.StartAsync(TargetRuntime.Net10, "parked", cancel, "--seconds", "110");
        await using var reads = await WatchingAsync(target.Pid, cancel);
        await using var counts = await WatchingAsync(target.Pid, cancel, "--no-inside");
        await counts.UntilAsync(() => Task.FromResult(counts.Said.Contains("HELD", StringComparison.Ordinal)), cancel);
        await Task.Delay(Later, cancel);
        Assert.DoesNotContain("HELD", reads.Said, StringComparison.Ordinal);
        var metrics = await reads.GetAsync("metrics", cancel);
        Assert.Contains("verdict=\"healthy\"} 1\n", metrics, StringComparison.Ordinal);
        Assert.Equal(0, await reads.StopAsync(cancel));
    }

    /// <summary>Two seconds are the promise; a machine that is out of breath gets ten times as long for it.</summary>
    [Theory(Timeout = 120_000)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Who_goes_away_leaves_no_session_behind(bool abruptly)
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "blocking-socket");
        await using var watcher = await WatchingAsync(target, cancel, "--allow-record");
        var page = await PageAsync(watcher, target, cancel);
        using (Socket socket = new(SocketType.Stream, ProtocolType.Tcp))
        {
            await socket.ConnectAsync(IPAddress.Loopback, watcher.Address.Port, cancel);
            var request = $"POST /{page}?duration=5m HTTP/1.1\r\nHost: localhost\r\n\r\n";
            await socket.SendAsync(Encoding.ASCII.GetBytes(request), cancel);
            Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 2, Gone));
            using var again = await watcher.Client.PostAsync(new Uri(watcher.Address, page), null, cancel);
            Assert.Equal(HttpStatusCode.TooManyRequests, again.StatusCode);
            socket.LingerState = new(abruptly, 0);
        }

        var left = Stopwatch.GetTimestamp();
        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 1, Gone));
        TestContext.Current.TestOutputHelper?.WriteLine(
            FormattableString.Invariant($"ended after {Stopwatch.GetElapsedTime(left).TotalMilliseconds:0} ms"));
        // The session has ended in the target before the watcher has done so, and counts it no more.
        await watcher.UntilAsync(
            async () =>
            {
                using var next = await watcher.Client.PostAsync(new Uri(watcher.Address, page + "?duration=1s"), null, cancel);
                return next.StatusCode == HttpStatusCode.OK;
            },
            cancel);
        Assert.Equal(0, await watcher.StopAsync(cancel));
        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 0, Gone));
    }

    [Fact(Timeout = 120_000)]
    public async Task A_watcher_that_is_stopped_ends_what_it_records()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var target = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "blocking-socket");
        await using var watcher = await WatchingAsync(target, cancel, "--allow-record");
        var page = await PageAsync(watcher, target, cancel);
        using HttpRequestMessage request = new(HttpMethod.Post, new Uri(watcher.Address, page + "?duration=5m"));
        using var reply = await watcher.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancel);
        Assert.Equal(0, await watcher.StopAsync(cancel));
        Assert.True(await SessionsInTarget.BecomeAsync(target.Pid, 0, Gone));
    }

    static Task<Server> WatchingAsync(FixtureTarget target, CancellationToken cancel, params string[] more) =>
        WatchingAsync(target.Pid, cancel, more);

    static async Task<Server> WatchingAsync(int pid, CancellationToken cancel, params string[] more)
    {
        string[] one = ["-p", pid.ToString(CultureInfo.InvariantCulture), "--older-than", "1s"];
        var watcher = await Server.ToolAsync(cancel, [.. one, .. more]);
        await watcher.UntilAsync(
            async () => (await watcher.GetAsync("metrics", cancel)).Contains(Watched, StringComparison.Ordinal), cancel);
        return watcher;
    }

    /// <summary>By the name on the first page.</summary>
    static async Task<string> PageAsync(Server watcher, FixtureTarget target, CancellationToken cancel)
    {
        var text = await watcher.GetAsync("", cancel);
        var end = string.Create(CultureInfo.InvariantCulture, $"-{target.Pid}");
        var whole = text.Split("/report/")[1].Split('"')[0];
        Assert.EndsWith(end, whole, StringComparison.Ordinal);
        return "record/" + whole;
    }
}
