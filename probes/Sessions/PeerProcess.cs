using System.Buffers.Binary;
using System.Net.Sockets;

namespace Tpwatch.Sessions;

/// <summary>Finds the process at the other end of a Unix socket: the kernel reports it, in tpwatch's process-id namespace.</summary>
static class PeerProcess
{
    // SO_PEERCRED of Linux; it returns pid, user and group, four bytes each.
    const int SocketLevel = 1;
    const int PeerCredentials = 17;
    const int CredentialBytes = 12;

    /// <summary>The process id; null outside Linux, and for a process outside tpwatch's namespace.</summary>
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
