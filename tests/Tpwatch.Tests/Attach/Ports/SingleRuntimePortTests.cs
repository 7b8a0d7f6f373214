using System.Net.Sockets;
using Tpwatch.Core;
using Tpwatch.Sessions;
using Tpwatch.Tests.Attach.Targets;
using static Tpwatch.Tests.Attach.Ports.FakeRuntime;

namespace Tpwatch.Tests.Attach.Ports;

public sealed class SingleRuntimePortTests : IDisposable
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    string Path => folder["port"];

    [Fact]
    public async Task The_first_runtime_is_the_one_and_our_connections_are_joined_with_its()
    {
        await using var port = SingleRuntimePort.Listen(new PortAddress(Path, PortMode.Listen));
        var cookie = Guid.NewGuid();
        using var runtime = await ConnectAsync(Path, Hello(cookie, 77));
        var first = await port.First.WaitAsync(Limit, Cancel);
        Assert.Equal(new Advertisement(cookie, 77), first.Runtime);
        Assert.Equal(OperatingSystem.IsLinux() ? Environment.ProcessId : null, first.LocalPid);

        using var ours = await ConnectAsync(port.InnerPath, [1, 2, 3]);
        Assert.Equal([1, 2, 3], await ReadAsync(runtime, 3));
        await runtime.SendAsync(new byte[] { 4, 5 }, Cancel);
        Assert.Equal([4, 5], await ReadAsync(ours, 2));
        runtime.Dispose();
        Assert.Empty(await ReadAsync(ours, 1));
    }

    [Fact]
    public async Task Another_runtime_is_let_go_on_once_and_never_joined()
    {
        await using var port = SingleRuntimePort.Listen(new PortAddress(Path, PortMode.Listen));
        using var first = await ConnectAsync(Path, Hello(Guid.NewGuid(), 1));
        await port.First.WaitAsync(Limit, Cancel);
        var child = Guid.NewGuid();
        using var second = await ConnectAsync(Path, Hello(child, 2));
        var command = await ReadAsync(second, 20);
        Assert.Equal((0x04, 0x01), (command[16], command[17]));
        await second.SendAsync(new byte[20], Cancel);

        using var again = await ConnectAsync(Path, Hello(child, 2));
        using var ours = await ConnectAsync(port.InnerPath, [9]);
        Assert.Equal([9], await ReadAsync(first, 1));
        Assert.Equal(0, again.Available);
    }

    [Fact]
    public async Task One_that_was_observed_before_and_is_ending_is_not_the_next_one()
    {
        var before = Guid.NewGuid();
        await using var port = SingleRuntimePort.Listen(new PortAddress(Path, PortMode.Listen) { Follows = true, Before = [before] });
        using var ending = await ConnectAsync(Path, Hello(before, 1));
        using var next = await ConnectAsync(Path, Hello(Guid.NewGuid(), 2));
        Assert.Equal(2, (await port.First.WaitAsync(Limit, Cancel)).Runtime.Pid);
        Assert.Equal(0, ending.Available);
    }

    [Fact]
    public async Task What_is_no_runtime_is_turned_away()
    {
        await using var port = SingleRuntimePort.Listen(new PortAddress(Path, PortMode.Listen));
        using var other = await ConnectAsync(Path, new byte[34]);
        Assert.Empty(await ReadAsync(other, 1));
        Assert.False(port.First.IsCompleted);
    }

    [Fact]
    public async Task One_that_connects_and_says_nothing_keeps_nobody_waiting_and_leaves_no_socket_behind()
    {
        var port = SingleRuntimePort.Listen(new PortAddress(Path, PortMode.Listen));
        using var silent = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await silent.ConnectAsync(new UnixDomainSocketEndPoint(Path), Cancel);
        using var runtime = await ConnectAsync(Path, Hello(Guid.NewGuid(), 77));
        await port.First.WaitAsync(Limit, Cancel);

        // Nobody has turned the silent one away yet: its limit has not passed while the runtime's greeting was read.
        Assert.False(silent.Poll(0, SelectMode.SelectRead));
        await port.DisposeAsync();
        Assert.Equal(PortMode.Listen, PortAddress.Parse(Path).Mode);
    }

    [Fact]
    public async Task Only_its_owner_may_use_it_and_it_is_gone_afterwards()
    {
        var port = SingleRuntimePort.Listen(new PortAddress(Path, PortMode.Listen));
        Assert.Equal(OperatingSystem.IsWindows() ? null : UnixFileMode.UserRead | UnixFileMode.UserWrite, ModeOf(Path));
        var inner = port.InnerPath;
        await port.DisposeAsync();
        Assert.False(File.Exists(Path));
        Assert.False(Directory.Exists(System.IO.Path.GetDirectoryName(inner)));
    }

    [Fact]
    public async Task A_path_that_is_there_already_is_left_alone()
    {
        await using var port = SingleRuntimePort.Listen(new PortAddress(Path, PortMode.Listen));
        var e = Assert.Throws<UserErrorException>(() => SingleRuntimePort.Listen(new PortAddress(Path, PortMode.Listen)));
        Assert.Equal((ExitCode.Arguments, true), (e.ExitCode, File.Exists(Path)));
    }

    [Fact]
    public void A_folder_that_is_not_there_is_code_3() => Assert.Equal(
        ExitCode.Arguments,
        Assert.Throws<UserErrorException>(() => SingleRuntimePort.Listen(new PortAddress(folder["none/port"], PortMode.Listen))).ExitCode);

    static UnixFileMode? ModeOf(string path) => OperatingSystem.IsWindows() ? null : File.GetUnixFileMode(path);
}
