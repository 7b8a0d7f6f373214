using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Tpwatch.Sessions;

/// <summary>What a port does with its sockets, whoever is at their other ends.</summary>
static class UnixSockets
{
    const int CopyBytes = 64 << 10;

    /// <summary>Listens at a path; throws as the socket does.</summary>
    public static Socket Listen(string path)
    {
        Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Bind(new UnixDomainSocketEndPoint(path));
            socket.Listen();
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Whoever connects, until the end.</summary>
    public static async IAsyncEnumerable<Socket> AcceptAsync(Socket listener, [EnumeratorCancellation] CancellationToken end)
    {
        while (true)
        {
            Socket connection;
            try
            {
                connection = await listener.AcceptAsync(end).ConfigureAwait(false);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
            {
                yield break;
            }

            yield return connection;
        }
    }

    /// <summary>Copies both ways until one of the two closes its end.</summary>
    public static async Task JoinAsync(Socket mine, Socket theirs, CancellationToken end)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(end);
        var there = CopyAsync(mine, theirs, over.Token);
        var back = CopyAsync(theirs, mine, over.Token);

        // Whoever closes its end wants nothing more to be read; what was written before has been copied.
        await Task.WhenAny(there, back).ConfigureAwait(false);
        await over.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(there, back).ConfigureAwait(false);
    }

    static async Task CopyAsync(Socket from, Socket to, CancellationToken cancel)
    {
        var buffer = new byte[CopyBytes];
        try
        {
            while (await from.ReceiveAsync(buffer, cancel).ConfigureAwait(false) is > 0 and var count)
            {
                for (var sent = 0; sent < count;)
                {
                    sent += await to.SendAsync(buffer.AsMemory(sent, count - sent), cancel).ConfigureAwait(false);
                }
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException or ObjectDisposedException)
        {
        }
    }
}
