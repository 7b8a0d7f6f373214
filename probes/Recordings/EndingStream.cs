using System.Net.Sockets;

namespace Tpwatch.Recordings;

/// <summary>
/// The connection to a target, for which being cut off is one way to end: whether the target was killed or our end was closed, the reader
/// sees the end of the stream, never an error of the socket.
/// </summary>
sealed class EndingStream(Stream inner) : PassingStream
{
    public override int Read(Span<byte> buffer)
    {
        try
        {
            return inner.Read(buffer);
        }
        catch (Exception e) when (IsCutOff(e))
        {
            return 0;
        }
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            return await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (IsCutOff(e))
        {
            return 0;
        }
    }

    static bool IsCutOff(Exception e) => e is IOException or SocketException or ObjectDisposedException;
}
