using System.Net.Sockets;
using System.Threading.Channels;

namespace Tpwatch.Sessions;

/// <summary>
/// A port of our own for one runtime that connects to us, which is connected to as any other: each connection of ours is joined with the
/// next one of the runtime.
/// </summary>
sealed class InnerPort : IAsyncDisposable
{
    /// <summary>A runtime that lives connects again within milliseconds.</summary>
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

    /// <summary>In a folder that only its owner may enter.</summary>
    public string Path => LeftPorts.SocketIn(folder.FullName);

    /// <summary>
    /// Begins to listen. <see cref="ForeseenException"/> (exit code 3) when that is not possible in the temporary folder.
    /// </summary>
    public static InnerPort Open()
    {
        var folder = LeftPorts.NewFolder();
        try
        {
            return new(folder, UnixSockets.Listen(LeftPorts.SocketIn(folder.FullName)));
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            folder.Delete(recursive: true);
            throw new ForeseenException(
                $"could not open a socket in '{folder.FullName}': {e.Message.TrimEnd('.')}",
                "set TMPDIR to a folder with a shorter path", ExitCode.Arguments, e);
        }
    }

    /// <summary>A connection of the runtime, for the next of ours.</summary>
    public void Put(Socket runtime)
    {
        if (!waiting.Writer.TryWrite(runtime))
        {
            runtime.Dispose();
        }
    }

    /// <summary>Whether the runtime holds a connection for us; those that it has closed are let go.</summary>
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
            // No runtime, or we end: closing our end tells whoever asked.
        }
    }
}
