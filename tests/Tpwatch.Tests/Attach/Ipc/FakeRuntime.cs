using System.Net.Sockets;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Attach.Ipc;

/// <summary>Listens on a socket as a runtime does, and answers each question as told: null is silence until the test ends.</summary>
sealed class FakeRuntime : IAsyncDisposable
{
    readonly TempFolder folder = new();
    readonly Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
    readonly CancellationTokenSource end = new();
    readonly Task serving;

    public FakeRuntime(Func<byte, byte[]?> answer)
    {
        socket.Bind(new UnixDomainSocketEndPoint(Path));
        socket.Listen();
        serving = ServeAsync(answer);
    }

    public string Path => folder["port"];

    /// <summary>The commands asked, in order, one a connection.</summary>
    public List<byte> Asked { get; } = [];

    public async ValueTask DisposeAsync()
    {
        await end.CancelAsync();
        await serving;
        socket.Dispose();
        end.Dispose();
        folder.Dispose();
    }

    async Task ServeAsync(Func<byte, byte[]?> answer)
    {
        try
        {
            while (true)
            {
                using var connection = await socket.AcceptAsync(end.Token);
                var question = new byte[20];
                await connection.ReceiveAsync(question, end.Token);
                Asked.Add(question[17]);
                if (answer(question[17]) is { } reply)
                {
                    await connection.SendAsync(reply, end.Token);
                }
                else
                {
                    await Task.Delay(Timeout.Infinite, end.Token);
                }
            }
        }
        catch (OperationCanceledException)
        {
        }
    }
}
