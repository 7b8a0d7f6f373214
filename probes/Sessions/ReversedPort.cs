using System.Net.Sockets;
using System.Threading.Channels;

namespace Tpwatch.Sessions;

/// <summary>
/// Listens where a runtime connects, and makes a port out of it that is connected to as any other: each connection of ours to
/// <see cref="InnerPath"/> is joined with the next one of the runtime. The first runtime that comes is the one; others, above all children
/// that have inherited its environment, are let go on at once so that none of them waits for us.
/// </summary>
sealed class ReversedPort : IAsyncDisposable
{
    readonly PortAddress address;
    readonly Socket outer;
    readonly InnerPort inner;
    readonly CancellationTokenSource end = new();
    readonly TaskCompletionSource<(Advertisement Runtime, int? LocalPid)> first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly Channel<(Socket Connection, Advertisement Runtime)> greeted = Channel.CreateUnbounded<(Socket, Advertisement)>();
    readonly List<Socket> others = [];
    readonly Task work;

    ReversedPort(PortAddress address, Socket outer, InnerPort inner)
    {
        (this.address, this.outer, this.inner) = (address, outer, inner);
        work = Task.WhenAll(AcceptRuntimesAsync(), SortRuntimesAsync());
    }

    /// <summary>In a folder that only its owner may enter.</summary>
    public string InnerPath => inner.Path;

    /// <summary>The first runtime, and its process id here when it is one of this machine's.</summary>
    public Task<(Advertisement Runtime, int? LocalPid)> First => first.Task;

    /// <summary>Begins to listen. <see cref="ForeseenException"/> (exit code 3) when that is not possible at this path.</summary>
    public static ReversedPort Listen(PortAddress address)
    {
        var outer = OuterPort.Listen(
            address.Path, $"to connect to it, write {address.Path},connect; if no program listens there anymore, remove the file");
        try
        {
            return new(address, outer, InnerPort.Open());
        }
        catch
        {
            outer.Dispose();
            File.Delete(address.Path);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (end.IsCancellationRequested)
        {
            return;
        }

        await end.CancelAsync().ConfigureAwait(false);
        outer.Dispose();
        await work.ConfigureAwait(false);
        await inner.DisposeAsync().ConfigureAwait(false);
        others.ForEach(o => o.Dispose());
        File.Delete(address.Path);
        end.Dispose();
    }

    async Task AcceptRuntimesAsync()
    {
        await OuterPort.GreetAsync(outer, (connection, runtime) => greeted.Writer.TryWrite((connection, runtime)), end.Token)
            .ConfigureAwait(false);
        greeted.Writer.Complete();
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
                inner.Put(connection);
            }
            // Whoever comes when the first has just died goes on waiting at its start, and connects to the port that is opened next.
            else if (First.IsCompleted && address.ResumeRuntime && freed.Add(runtime.Cookie)
                && !(address.Follows && PortTarget.IsGone((await First.ConfigureAwait(false)).LocalPid)))
            {
                resumed.RemoveAll(t => t.IsCompletedSuccessfully);
                resumed.Add(OuterPort.ResumeAsync(connection, end.Token));
            }
            else
            {
                // Kept, for a runtime that is turned away comes again and again.
                others.Add(connection);
            }
        }

        await Task.WhenAll(resumed).ConfigureAwait(false);
    }
}
