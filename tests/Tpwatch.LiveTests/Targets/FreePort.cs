using System.Net;
using System.Net.Sockets;

namespace Tpwatch.LiveTests.Targets;

/// <summary>A port for a program that must be told one.</summary>
static class FreePort
{
    /// <summary>From here to 32 768, where on Linux the ports begin that connections and others who ask for any port get.</summary>
    const int First = 20_000;

    const int End = 32_768;

    /// <summary>One at which nobody listens; somebody else may take it until it is used, which chance makes rare.</summary>
    public static int Find()
    {
        for (; ; )
        {
            using TcpListener listener = new(IPAddress.Loopback, Random.Shared.Next(First, End));
            try
            {
                listener.Start();
                return ((IPEndPoint)listener.LocalEndpoint).Port;
            }
            catch (SocketException)
            {
                // Taken.
            }
        }
    }
}
