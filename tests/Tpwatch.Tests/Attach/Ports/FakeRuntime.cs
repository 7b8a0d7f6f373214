using System.Buffers.Binary;
using System.Net.Sockets;

namespace Tpwatch.Tests.Attach.Ports;

/// <summary>What a runtime does at a port that it connects to.</summary>
static class FakeRuntime
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public static byte[] Hello(Guid cookie, ulong pid)
    {
        var message = new byte[34];
        "ADVR_V1\0"u8.CopyTo(message);
        cookie.TryWriteBytes(message.AsSpan(8));
        BinaryPrimitives.WriteUInt64LittleEndian(message.AsSpan(24), pid);
        return message;
    }

    public static async Task<Socket> ConnectAsync(string path, byte[] first)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), Cancel);
        await socket.SendAsync(first, Cancel);
        return socket;
    }

    public static async Task<byte[]> ReadAsync(Socket socket, int count)
    {
        var buffer = new byte[count];
        var got = 0;
        while (got < count && await socket.ReceiveAsync(buffer.AsMemory(got), Cancel).AsTask().WaitAsync(Limit, Cancel) is > 0 and var more)
        {
            got += more;
        }

        return buffer[..got];
    }
}
