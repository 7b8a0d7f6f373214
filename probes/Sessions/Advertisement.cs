using System.Buffers.Binary;
using System.Net.Sockets;

namespace Tpwatch.Sessions;

/// <summary>The message with which a runtime introduces itself on each connection to a port that tpwatch opened.</summary>
/// <param name="Cookie">Identifies this run of the runtime.</param>
/// <param name="Pid">Process id, in the process's own namespace.</param>
sealed record Advertisement(Guid Cookie, int Pid)
{
    // Magic, cookie, u64 pid, u16 unused.
    const int Bytes = 34;
    const int CookieAt = 8;
    const int PidAt = 24;

    /// <summary>Time limit for the message, which a runtime sends as soon as it is connected.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);

    static ReadOnlySpan<byte> Magic => "ADVR_V1\0"u8;

    /// <summary>Reads the message; null when the peer is not a runtime, or when the connection or the time limit ends first.</summary>
    public static async Task<Advertisement?> ReadAsync(Socket connection, CancellationToken cancel)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(Limit);
        var message = new byte[Bytes];
        try
        {
            for (var got = 0; got < Bytes;)
            {
                var count = await connection.ReceiveAsync(message.AsMemory(got), limit.Token).ConfigureAwait(false);
                if (count == 0)
                {
                    return null;
                }

                got += count;
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            return null;
        }

        return Parse(message);
    }

    internal static Advertisement? Parse(ReadOnlySpan<byte> message) => message.Length == Bytes && message.StartsWith(Magic)
        ? new Advertisement(
            new Guid(message[CookieAt..PidAt]), (int)Math.Min(int.MaxValue, BinaryPrimitives.ReadUInt64LittleEndian(message[PidAt..])))
        : null;
}
