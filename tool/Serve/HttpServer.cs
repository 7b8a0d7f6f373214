using System.Net;
using System.Net.Sockets;

namespace Tpwatch.Serve;

/// <summary>
/// A small server of small pages: one request a connection, no bodies, no encodings. So many connections are held at once; further ones
/// wait in the kernel's queue.
/// </summary>
sealed class HttpServer : IDisposable
{
    /// <summary>Each holds a buffer of 8 kB while somebody is there.</summary>
    const int AtOnce = 128;

    const int Queue = 512;

    /// <summary>Where no further connection can be had (no descriptor is left), it is tried again after so long.</summary>
    static readonly TimeSpan TryAgain = TimeSpan.FromMilliseconds(100);

    readonly Socket listener;

    HttpServer(Socket listener) => this.listener = listener;

    /// <summary>Where it listens; the port is the real one where none was asked for.</summary>
    public IPEndPoint Address => (IPEndPoint)listener.LocalEndPoint!;

    /// <summary>Begins to listen.</summary>
    /// <exception cref="UserErrorException">The address is taken, or not ours.</exception>
    public static HttpServer Listen(IPEndPoint address)
    {
        Socket socket = new(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(address);
            socket.Listen(Queue);
            return new(socket);
        }
        catch (SocketException e)
        {
            socket.Dispose();
            throw new UserErrorException(e.SocketErrorCode switch
            {
                SocketError.AddressAlreadyInUse => $"{address} is in use by another program",
                SocketError.AccessDenied => $"this user may not listen on {address}",
                SocketError.AddressNotAvailable => $"{address} is not an address of this machine",
                _ => $"tpwatch cannot listen on {address}: {e.Message}",
            }, "name another address: --listen 127.0.0.1:9465", ExitCode.Arguments, e);
        }
    }

    /// <summary>Answers until it is told to stop.</summary>
    public Task RunAsync(Answer answer, TimeProvider time, CancellationToken cancel) =>
        Task.WhenAll(Enumerable.Range(0, AtOnce).Select(_ => OneAfterAnotherAsync(answer, time, cancel)));

    async Task OneAfterAnotherAsync(Answer answer, TimeProvider time, CancellationToken cancel)
    {
        while (!cancel.IsCancellationRequested)
        {
            try
            {
                using var socket = await listener.AcceptAsync(cancel);
                await new Exchange(socket, answer, time).RunAsync(cancel);
            }
            catch (SocketException)
            {
                await Task.WhenAny(Task.Delay(TryAgain, time, cancel));
            }
            catch (OperationCanceledException) when (cancel.IsCancellationRequested)
            {
                return;
            }
        }
    }

    public void Dispose() => listener.Dispose();
}
