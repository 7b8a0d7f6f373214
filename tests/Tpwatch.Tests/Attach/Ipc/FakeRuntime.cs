using System.Net.Sockets;

namespace Tpwatch.Tests.Attach.Ipc;

/// <summary>Listens on a socket as a runtime does, and answers each question as told: null is silence until the test ends.</summary>
internal sealed class FakeRuntime : IAsyncDisposable
{
    readonly TempFolder _folder = new();
    readonly Socket _socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    readonly CancellationTokenSource _end = new();
    readonly Task _serving;

    public FakeRuntime(Func<byte, byte[]?> answer)
    {
        _socket.Bind(new UnixDomainSocketEndPoint(Path));
        _socket.Listen();
        _serving = ServeAsync(answer);
    }

    public string Path => _folder["port"];

    /// <summary>The commands asked, in order, one a connection.</summary>
    public List<byte> Asked { get; } = [];

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _serving;
        _socket.Dispose();
        _end.Dispose();
        _folder.Dispose();
    }

    async Task ServeAsync(Func<byte, byte[]?> answer)
    {
        try
        {
            while (true)
            {
                using Socket connection = await _socket.AcceptAsync(_end.Token);
                byte[] question = new byte[20];
                await connection.ReceiveAsync(question, _end.Token);
                Asked.Add(question[17]);
                if (answer(question[17]) is { } reply)
                {
                    await connection.SendAsync(reply, _end.Token);
                }
                else
                {
                    await Task.Delay(Timeout.Infinite, _end.Token);
                }
            }
        }
        catch (OperationCanceledException)
        {
        }
    }
}
