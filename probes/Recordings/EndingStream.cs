using System.Net.Sockets;

namespace Tpwatch.Recordings;

/// <summary>
/// The connection to a target. A broken connection counts as the end of the stream: whether the target was killed or tpwatch closed its
/// end, the reader sees the end of the stream, never a socket error.
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
