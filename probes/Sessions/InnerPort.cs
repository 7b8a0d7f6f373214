using System.Net.Sockets;
using System.Threading.Channels;

namespace Tpwatch.Sessions;

/// <summary>
/// A local port for one runtime that connects to tpwatch, so that clients can connect as to any other runtime: each client connection is
/// joined with the runtime's next connection.
/// </summary>
sealed class InnerPort : IAsyncDisposable
{
    /// <summary>Time limit for the runtime's next connection; a live runtime connects again within milliseconds.</summary>
    public static readonly TimeSpan NextLimit = TimeSpan.FromSeconds(5);

    readonly DirectoryInfo folder;
    readonly Socket inner;
    readonly CancellationTokenSource end = new();
    readonly Channel<Socket> waiting = Channel.CreateUnbounded<Socket>();
    readonly List<Task> joined = [];
    readonly Task work;

    InnerPort(DirectoryInfo folder, Socket inner)
    {
        (this.folder, this.inner) = (folder, inner);
        work = AcceptAsync();
    }

    /// <summary>Path of the socket, in a folder that only its owner may enter.</summary>
    public string Path => StalePorts.SocketIn(folder.FullName);

    /// <summary>
    /// Begins to listen. <see cref="UserErrorException"/> (exit code 3) when the temporary folder does not allow a socket.
    /// </summary>
    public static InnerPort Open()
    {
        var folder = StalePorts.NewFolder();
        try
        {
            return new(folder, UnixSockets.Listen(StalePorts.SocketIn(folder.FullName)));
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            folder.Delete(recursive: true);
            throw new UserErrorException(
                $"could not open a socket in '{folder.FullName}': {e.Message.TrimEnd('.')}",
                "set TMPDIR to a folder with a shorter path", ExitCode.Arguments, e);
        }
    }

    /// <summary>Adds a connection of the runtime, to be joined with the next client connection.</summary>
    public void Put(Socket runtime)
    {
        if (!waiting.Writer.TryWrite(runtime))
        {
            runtime.Dispose();
        }
    }

    /// <summary>Whether the runtime holds an open connection here; connections that it has closed are disposed.</summary>
    public bool IsHeld()
    {
        for (var count = waiting.Reader.Count; count > 0 && waiting.Reader.TryRead(out var next); count--)
        {
            if (!next.Poll(0, SelectMode.SelectRead) || next.Available > 0)
            {
                Put(next);
                return true;
            }

            next.Dispose();
        }

        return false;
    }

    public async ValueTask DisposeAsync()
    {
        if (end.IsCancellationRequested)
        {
            return;
        }

        await end.CancelAsync().ConfigureAwait(false);
        inner.Dispose();
        await work.ConfigureAwait(false);
        await Task.WhenAll(joined).ConfigureAwait(false);
        waiting.Writer.TryComplete();
        while (waiting.Reader.TryRead(out var left))
        {
            left.Dispose();
        }

        folder.Delete(recursive: true);
        end.Dispose();
    }

    async Task AcceptAsync()
    {
        await foreach (var ours in UnixSockets.AcceptAsync(inner, end.Token).ConfigureAwait(false))
        {
            joined.RemoveAll(t => t.IsCompletedSuccessfully);
            joined.Add(JoinAsync(ours));
        }
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
            // No runtime connected, or this port is closing: closing the client's connection ends its request.
        }
    }
}
