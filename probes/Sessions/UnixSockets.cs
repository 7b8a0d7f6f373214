using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Tpwatch.Sessions;

/// <summary>Socket operations that all diagnostic ports share.</summary>
static class UnixSockets
{
    const int CopyBytes = 64 << 10;

    /// <summary>Listens at a path; throws the socket's exceptions.</summary>
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

    /// <summary>Accepts connections until <paramref name="end"/> is cancelled or the listener is closed.</summary>
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

    /// <summary>Copies data in both directions until one side closes its end.</summary>
    public static async Task JoinAsync(Socket mine, Socket theirs, CancellationToken end)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(end);
        var there = CopyAsync(mine, theirs, over.Token);
        var back = CopyAsync(theirs, mine, over.Token);

        // A side that closes its end wants no more data; everything written before has been copied.
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
