using System.Net.Sockets;
using Tpwatch.Core;
using Tpwatch.Sessions;
using Tpwatch.Tests.Attach.Targets;
using static Tpwatch.Tests.Attach.Ports.FakeRuntime;

namespace Tpwatch.Tests.Attach.Ports;

/// <summary>A port for many: each is let go on at once and has a port of its own.</summary>
public sealed class MultiRuntimePortTests : IDisposable
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    string Path => folder["port"];

    [Fact]
    public async Task Each_is_let_go_on_and_joined_with_connections_to_its_own_port()
    {
        await using var port = MultiRuntimePort.Listen(Path);
        var (one, other) = (Guid.NewGuid(), Guid.NewGuid());
        using var first = await GreetAsync(one, 1);
        using var second = await GreetAsync(other, 1);
        await HasAsync(port, 2);

        using var ours = await ConnectAsync(port.Runtimes[other].Port.Path, [1, 2, 3]);
        Assert.Equal([1, 2, 3], await ReadAsync(second, 3));
        Assert.Equal(0, first.Available);
        await second.SendAsync(new byte[] { 4 }, Cancel);
        Assert.Equal([4], await ReadAsync(ours, 1));
    }

    [Fact]
    public async Task Who_says_nothing_or_is_no_runtime_keeps_nobody_waiting()
    {
        await using var port = MultiRuntimePort.Listen(Path);
        using Socket silent = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await silent.ConnectAsync(new UnixDomainSocketEndPoint(Path), Cancel);
        using var garbage = await ConnectAsync(Path, new byte[34]);
        using var stuck = await ConnectAsync(Path, Hello(Guid.NewGuid(), 1));
        using var runtime = await GreetAsync(Guid.NewGuid(), 2);
        await HasAsync(port, 2);
        Assert.False(silent.Poll(0, SelectMode.SelectRead));
        Assert.Empty(await ReadAsync(garbage, 1));
    }

    [Fact]
    public async Task Nothing_is_left_of_it_and_of_those_that_came()
    {
        var port = MultiRuntimePort.Listen(Path);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, OperatingSystem.IsWindows() ? default : File.GetUnixFileMode(Path));
        using var runtime = await GreetAsync(Guid.NewGuid(), 1);
        await HasAsync(port, 1);
        var inner = port.Runtimes.Values.Single().Port.Path;
        await UntilAsync(port.Runtimes.Values.Single().Port.IsHeld);
        await port.DisposeAsync();
        Assert.False(File.Exists(Path));
        Assert.False(Directory.Exists(System.IO.Path.GetDirectoryName(inner)));
        Assert.Empty(await ReadAsync(runtime, 1));
    }

    [Fact]
    public async Task A_path_that_is_there_already_is_left_alone()
    {
        await using var port = MultiRuntimePort.Listen(Path);
        Assert.Equal(ExitCode.Arguments, Assert.Throws<UserErrorException>(() => MultiRuntimePort.Listen(Path)).ExitCode);
        Assert.True(File.Exists(Path));
    }

    // It introduces itself, is let go on, and comes again.
    async Task<Socket> GreetAsync(Guid cookie, ulong pid)
    {
        using (var waits = await ConnectAsync(Path, Hello(cookie, pid)))
        {
            var command = await ReadAsync(waits, 20);
            Assert.Equal((0x04, 0x01), (command[16], command[17]));
            await waits.SendAsync(new byte[20], Cancel);
        }

        return await ConnectAsync(Path, Hello(cookie, pid));
    }

    static Task HasAsync(MultiRuntimePort port, int count) => UntilAsync(() => port.Runtimes.Count == count);

    static async Task UntilAsync(Func<bool> holds)
    {
        using CancellationTokenSource limit = new(Limit);
        while (!holds())
        {
            await Task.Delay(10, limit.Token);
        }
    }
}
