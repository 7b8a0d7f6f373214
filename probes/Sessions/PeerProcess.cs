using System.Buffers.Binary;
using System.Net.Sockets;

namespace Tpwatch.Sessions;

/// <summary>Which process is at the other end of a Unix socket: the kernel says it, in our own process-id namespace.</summary>
static class PeerProcess
{
    // SO_PEERCRED of Linux; its answer is pid, user and group, four bytes each.
    const int SocketLevel = 1;
    const int PeerCredentials = 17;
    const int CredentialBytes = 12;

    /// <summary>Null outside Linux, and for a process that is not in our namespace.</summary>
    public static int? PidOf(Socket socket)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        Span<byte> credentials = stackalloc byte[CredentialBytes];
        var length = socket.GetRawSocketOption(SocketLevel, PeerCredentials, credentials);
        return length >= sizeof(int) && BinaryPrimitives.ReadInt32LittleEndian(credentials) is > 0 and var pid ? pid : null;
    }
}
