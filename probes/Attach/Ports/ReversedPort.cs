using System.Net.Sockets;
using System.Threading.Channels;
using Tpwatch.Attach.Ipc;
using Tpwatch.Basics;

namespace Tpwatch.Attach.Ports;

/// <summary>
/// Listens where a runtime connects, and makes a port out of it that is connected to as any other: each connection of ours to
/// <see cref="InnerPath"/> is joined with the next one of the runtime. The first runtime that comes is the one; others, above all children
/// that have inherited its environment, are let go on at once so that none of them waits for us.
/// </summary>
sealed class ReversedPort : IAsyncDisposable
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>A runtime that lives connects again within milliseconds.</summary>
    static readonly TimeSpan NextLimit = TimeSpan.FromSeconds(5);

    readonly PortAddress address;
    readonly DirectoryInfo folder = LeftPorts.NewFolder();
    readonly Socket outer;
    readonly Socket inner;
    readonly CancellationTokenSource end = new();
    readonly Channel<Socket> waiting = Channel.CreateUnbounded<Socket>();
    readonly TaskCompletionSource<(Advertisement Runtime, int? LocalPid)> first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly Channel<(Socket Connection, Advertisement Runtime)> greeted = Channel.CreateUnbounded<(Socket, Advertisement)>();
    readonly List<Task> greetings = [];
    readonly List<Task> joined = [];
    readonly List<Socket> others = [];
    readonly Task work;

    ReversedPort(PortAddress address, Socket outer)
    {
        this.address = address;
        this.outer = outer;
        inner = UnixSockets.Listen(InnerPath);
        work = Task.WhenAll(AcceptRuntimesAsync(), SortRuntimesAsync(), AcceptOursAsync());
    }

    /// <summary>In a folder that only its owner may enter.</summary>
    public string InnerPath => LeftPorts.SocketIn(folder.FullName);

    /// <summary>The first runtime, and its process id here when it is one of this machine's.</summary>
    public Task<(Advertisement Runtime, int? LocalPid)> First => first.Task;

    /// <summary>Begins to listen. <see cref="ForeseenException"/> (exit code 3) when that is not possible at this path.</summary>
    public static ReversedPort Listen(PortAddress address)
    {
        try
        {
            LeftPorts.Sweep(address.Path);
            var outer = UnixSockets.Listen(address.Path);
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(address.Path, OwnerOnly);
            }

            return new ReversedPort(address, outer);
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            throw new ForeseenException(
                $"'{address.Path}' is there already",
                $"to connect to it write {address.Path},connect; if no program listens there any more, remove it", ExitCode.Arguments, e);
        }
        catch (Exception e) when (e is SocketException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ForeseenException(
                $"no diagnostic port can be opened at '{address.Path}': {e.Message.TrimEnd('.')}",
                "give a path in a folder that exists and that you may write to", ExitCode.Arguments, e);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (end.IsCancellationRequested)
        {
            return;
        }

        await end.CancelAsync().ConfigureAwait(false);
        outer.Dispose();
        inner.Dispose();
        await work.ConfigureAwait(false);
        await Task.WhenAll(joined).ConfigureAwait(false);
        waiting.Writer.TryComplete();
        while (waiting.Reader.TryRead(out var left))
        {
            left.Dispose();
        }

        others.ForEach(o => o.Dispose());
        File.Delete(address.Path);
        folder.Delete(recursive: true);
        end.Dispose();
    }

    async Task AcceptRuntimesAsync()
    {
        await foreach (var connection in UnixSockets.AcceptAsync(outer, end.Token).ConfigureAwait(false))
        {
            greetings.RemoveAll(t => t.IsCompletedSuccessfully);
            greetings.Add(GreetAsync(connection));
        }

        await Task.WhenAll(greetings).ConfigureAwait(false);
        greeted.Writer.Complete();
    }

    // Beside one another: one that connects and says nothing keeps nobody waiting.
    async Task GreetAsync(Socket connection)
    {
        if (await Advertisement.ReadAsync(connection, end.Token).ConfigureAwait(false) is { } runtime)
        {
            greeted.Writer.TryWrite((connection, runtime));
        }
        else
        {
            connection.Dispose();
        }
    }

    // One after the other: who is the first, and who was let go on already.
    async Task SortRuntimesAsync()
    {
        HashSet<Guid> freed = [];
        List<Task> resumed = [];
        await foreach ((var connection, var runtime) in greeted.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            if (!First.IsCompleted && !address.Before.Contains(runtime.Cookie))
            {
                first.SetResult((runtime, PeerProcess.PidOf(connection)));
            }

            if (First.IsCompleted && (await First.ConfigureAwait(false)).Runtime.Cookie == runtime.Cookie)
            {
                waiting.Writer.TryWrite(connection);
            }
            // Whoever comes when the first has just died goes on waiting at its start, and connects to the port that is opened next.
            else if (First.IsCompleted && address.ResumeRuntime && freed.Add(runtime.Cookie)
                && !(address.Follows && PortTarget.IsGone((await First.ConfigureAwait(false)).LocalPid)))
            {
                resumed.RemoveAll(t => t.IsCompletedSuccessfully);
                resumed.Add(ResumeAsync(connection));
            }
            else
            {
                // Kept, for a runtime that is turned away comes again and again.
                others.Add(connection);
            }
        }

        await Task.WhenAll(resumed).ConfigureAwait(false);
    }

    async Task AcceptOursAsync()
    {
        await foreach (var ours in UnixSockets.AcceptAsync(inner, end.Token).ConfigureAwait(false))
        {
            joined.RemoveAll(t => t.IsCompletedSuccessfully);
            joined.Add(JoinAsync(ours));
        }
    }

    async Task ResumeAsync(Socket runtime)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(end.Token);
        limit.CancelAfter(NextLimit);
        try
        {
            await runtime.SendAsync(DiagnosticPort.ResumeCommand, limit.Token).ConfigureAwait(false);
            await runtime.ReceiveAsync(new byte[DiagnosticPort.MostReplyBytes], limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            // Gone, or stuck; it is not what is observed.
        }

        runtime.Dispose();
    }

    async Task JoinAsync(Socket ours)
    {
        using var mine = ours;
        try
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(end.Token);
            limit.CancelAfter(NextLimit);
            using var theirs = await waiting.Reader.ReadAsync(limit.Token).ConfigureAwait(false);
            await UnixSockets.JoinAsync(mine, theirs, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // No runtime, or we end: closing our end tells whoever asked.
        }
    }
}
