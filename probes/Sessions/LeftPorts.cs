using System.Net.Sockets;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>What a watcher that was killed has left of its ports; ours, and nobody listens there.</summary>
static class LeftPorts
{
    const string Prefix = "tpwatch-port-";

    /// <summary>One that is being opened listens within milliseconds.</summary>
    static readonly TimeSpan Opened = TimeSpan.FromMinutes(1);

    /// <summary>A folder of our own for the socket within.</summary>
    public static DirectoryInfo NewFolder() => Directory.CreateTempSubdirectory(Prefix);

    /// <summary>The socket in such a folder.</summary>
    public static string SocketIn(string folder) => Path.Combine(folder, "port");

    /// <summary>Takes away the socket at <paramref name="path"/> and the folders, where they are dead.</summary>
    public static void Sweep(string path)
    {
        if (IsDead(path))
        {
            File.Delete(path);
        }

        foreach (var left in Directory.GetDirectories(Path.GetTempPath(), Prefix + "*").Where(UnixFile.IsOurFolder)
            .Where(folder => TimeProvider.System.GetUtcNow() - Directory.GetLastWriteTimeUtc(folder) > Opened
                && (IsDead(SocketIn(folder)) || !Directory.EnumerateFileSystemEntries(folder).Any())))
        {
            Directory.Delete(left, recursive: true);
        }
    }

    static bool IsDead(string path)
    {
        if (!UnixFile.IsOurSocket(path))
        {
            return false;
        }

        try
        {
            using Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return false;
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            return e is SocketException { SocketErrorCode: SocketError.ConnectionRefused };
        }
    }
}
