using System.Net;
using System.Net.Sockets;
using System.Text;
using Tpwatch.LiveTests.Attach;
using Tpwatch.LiveTests.CommandLine;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Fleet;

/// <summary>Garbage, crowds and dawdlers at the door, and ends of every kind: the others are served, and nobody gets in.</summary>
public sealed class HostileRequestTests(IdleServer idle) : IClassFixture<IdleServer>
{
    [Theory(Timeout = 60_000)]
    [InlineData("GET /metrics HTTP/1.1\r\nHost: rebound.example\r\n\r\n", "HTTP/1.1 403 ")]
    [InlineData("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET /report/%2e%2e/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET //x HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET /<script> HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\0\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", "HTTP/1.1 505 ")]
    [InlineData("\x16\x03\x01\x02garbage\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 405 ")]
    [InlineData("POST /record/x-1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 400 ")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\n", "HTTP/1.1 400 ")]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX", "HTTP/1.1 400 ")]
    [InlineData("GET /healthz HTTP/1.1\r\nHost: localhost\r\n", "HTTP/1.1 408 ")]
    [InlineData("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\n", "HTTP/1.1 200 ")]
    public async Task A_request_that_is_none_is_told_so(string request, string status)
    {
        var cancel = TestContext.Current.CancellationToken;
        var watcher = idle.Watcher;
        Assert.StartsWith(status, await SaidAsync(watcher, request, cancel), StringComparison.Ordinal);
        Assert.Equal("ok\n", await watcher.GetAsync("healthz", cancel));
    }

    [Fact(Timeout = 60_000)]
    public async Task A_head_without_end_is_cut_off()
    {
        var cancel = TestContext.Current.CancellationToken;
        var watcher = idle.Watcher;
        Assert.StartsWith("HTTP/1.1 431 ", await SaidAsync(watcher, "GET / HTTP/1.1\r\nX: " + new string('a', 10_000), cancel),
            StringComparison.Ordinal);
        Assert.StartsWith("HTTP/1.1 414 ", await SaidAsync(watcher, "GET /" + new string('a', 10_000), cancel), StringComparison.Ordinal);
        var many = string.Concat(Enumerable.Range(0, 100).Select(n => $"X{n}: 1\r\n"));
        Assert.StartsWith("HTTP/1.1 431 ", await SaidAsync(watcher, "GET / HTTP/1.1\r\n" + many, cancel), StringComparison.Ordinal);
    }

    /// <summary>Two requests at once: a proxy before us may see one where we see two.</summary>
    [Fact(Timeout = 60_000)]
    public async Task Of_several_requests_on_a_connection_one_is_answered()
    {
        var cancel = TestContext.Current.CancellationToken;
        var watcher = idle.Watcher;
        var said = await SaidAsync(
            watcher, string.Concat(Enumerable.Repeat("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 3)), cancel);
        Assert.Equal(2, said.Split("HTTP/1.1 200 ").Length);
        Assert.Contains("Connection: close\r\n", said, StringComparison.Ordinal);
    }

    /// <summary>The environment and files that configure a service of ASP.NET Core do not configure serve.</summary>
    [Fact(Timeout = 60_000)]
    public async Task What_configures_other_servers_does_not_configure_this_one()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var watcher = await Server.ToolAsync(
            new()
            {
                ["ASPNETCORE_URLS"] = "http://0.0.0.0:1", ["URLS"] = "http://0.0.0.0:1", ["HTTP_PORTS"] = "1",
                ["ASPNETCORE_HTTP_PORTS"] = "1", ["Kestrel__Limits__MaxConcurrentConnections"] = "0",
                ["Logging__LogLevel__Default"] = "Trace", ["OTEL_SDK_DISABLED"] = "true",
            },
            cancel, "-n", "no.such.program");
        Assert.Equal("ok\n", await watcher.GetAsync("healthz", cancel));
        Assert.Contains("tpwatch_build_info{", await watcher.GetAsync("metrics", cancel), StringComparison.Ordinal);
        Assert.All(watcher.Said.Split('\n'), line => Assert.Matches("^(tpwatch: |  )", line));
        Assert.Equal(0, await watcher.StopAsync(cancel));
    }

    /// <summary>More than may be open at once. Each says nothing; soon they are gone, and the next client is served.</summary>
    [Fact(Timeout = 120_000)]
    public async Task Thousands_of_connections_that_say_nothing_are_closed()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var watcher = await Nobody(cancel);
        var silent = await DawdleAsync(watcher, 2000, "", cancel);
        await watcher.UntilAsync(
            async () =>
            {
                try
                {
                    return await watcher.GetAsync("healthz", cancel) == "ok\n";
                }
                catch (HttpRequestException)
                {
                    return false;
                }
            },
            cancel);
        Array.ForEach(silent, socket => socket.Dispose());
        Assert.Equal(0, await watcher.StopAsync(cancel));
    }

    [Fact(Timeout = 120_000)]
    public async Task A_hundred_scrape_at_once_while_others_hold_connections_and_read_nothing()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var watcher = await Nobody(cancel);
        var dawdlers = await DawdleAsync(watcher, 40, "GET /metrics HTTP/1.1\r\n", cancel);
        var readNothing = await DawdleAsync(watcher, 20, "GET /metrics HTTP/1.0\r\n\r\n", cancel);
        var pages = await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => watcher.GetAsync("metrics", cancel)));
        Assert.All(pages, page => Assert.Contains("tpwatch_build_info", page, StringComparison.Ordinal));
        Array.ForEach([.. dawdlers, .. readNothing], socket => socket.Dispose());
        Assert.Equal(0, await watcher.StopAsync(cancel));
    }

    [Fact(Timeout = 60_000)]
    public async Task Beyond_loopback_only_who_knows_the_token_reads()
    {
        var cancel = TestContext.Current.CancellationToken;
        using var folder = new TempFolder();
        var file = folder["file"];
        await File.WriteAllTextAsync(file, "correct-horse-battery\n", cancel);
        await using var watcher = await Server.ToolAsync(cancel, "--token-file", file, "-n", "no.such.program");
        using HttpRequestMessage wrong = new(HttpMethod.Get, watcher.Address);
        wrong.Headers.Authorization = new("Bearer", "correct-horse-batterz");
        Assert.Equal(HttpStatusCode.Unauthorized, (await watcher.Client.SendAsync(wrong, cancel)).StatusCode);
        using HttpRequestMessage right = new(HttpMethod.Get, watcher.Address);
        right.Headers.Authorization = new("Bearer", "correct-horse-battery");
        Assert.Equal(HttpStatusCode.OK, (await watcher.Client.SendAsync(right, cancel)).StatusCode);

        (await ToolRun.Of("serve", "--listen", "0.0.0.0:0")).IsFailure(3, "token");
    }

    [Fact(Timeout = 120_000)]
    public async Task A_target_that_is_frozen_or_killed_and_a_watcher_that_is_killed_leave_nothing_behind()
    {
        var cancel = TestContext.Current.CancellationToken;
        await using var one = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "blocking-socket");
        await using var two = await FixtureTarget.StartAsync(TargetRuntime.Net10, cancel, "blocking-socket");
        string[] both = ["-p", $"{one.Pid}", "-p", $"{two.Pid}", "--older-than", "1s"];
        await using var watcher = await Server.ToolAsync(cancel, both);
        await HasAsync(watcher, "tpwatch_targets{state=\"watched\"} 2", cancel);

        await Signal.SendAsync("STOP", one.Pid, cancel);
        await HasAsync(watcher, "verdict=\"notThePool\"} 1", cancel);
        await Signal.SendAsync("CONT", one.Pid, cancel);
        await Signal.SendAsync("KILL", one.Pid, cancel);
        await HasAsync(watcher, "tpwatch_targets{state=\"watched\"} 1", cancel);
        await HasAsync(watcher, "tpwatch_targets_ended_total 1", cancel);

        watcher.Kill();
        Assert.True(await SessionsInTarget.BecomeAsync(two.Pid, 0, TimeSpan.FromSeconds(20)));
        await using var again = await Server.ToolAsync(cancel, both[2..]);
        await HasAsync(again, "tpwatch_targets{state=\"watched\"} 1", cancel);
        Assert.Equal(0, await again.StopAsync(cancel));
        Assert.True(await SessionsInTarget.BecomeAsync(two.Pid, 0, TimeSpan.FromSeconds(20)));
    }

    static Task HasAsync(Server watcher, string series, CancellationToken cancel) => watcher.UntilAsync(
        async () => (await watcher.GetAsync("metrics", cancel)).Contains(series + "\n", StringComparison.Ordinal), cancel);

    /// <summary>A watcher that attaches to no process: other tests run on this machine.</summary>
    internal static Task<Server> Nobody(CancellationToken cancel) => Server.ToolAsync(cancel, "-n", "no.such.program");

    static Task<Socket[]> DawdleAsync(Server watcher, int many, string begun, CancellationToken cancel) =>
        Task.WhenAll(Enumerable.Range(0, many).Select(_ => DawdleAsync(watcher, begun, cancel)));

    static async Task<Socket> DawdleAsync(Server watcher, string begun, CancellationToken cancel)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 1024 };
        await socket.ConnectAsync(IPAddress.Loopback, watcher.Address.Port, cancel);
        await socket.SendAsync(Encoding.ASCII.GetBytes(begun), cancel);
        return socket;
    }

    static async Task<string> SaidAsync(Server watcher, string request, CancellationToken cancel)
    {
        using Socket socket = new(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, watcher.Address.Port, cancel);
        await socket.SendAsync(Encoding.Latin1.GetBytes(request), cancel);
        using var stream = new NetworkStream(socket);
        using var reader = new StreamReader(stream);
        return await reader.ReadToEndAsync(cancel);
    }
}

/// <summary>A server that watches no process. One test after another asks it: what one sends spoils nothing for the next.</summary>
public sealed class IdleServer : IAsyncLifetime
{
    Server? watcher;

    internal Server Watcher => this.watcher!;

    public async ValueTask InitializeAsync() => this.watcher = await HostileRequestTests.Nobody(CancellationToken.None);

    public ValueTask DisposeAsync() => Watcher.DisposeAsync();
}
