using System.Net.Sockets;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// Removes sockets and folders that a killed tpwatch has left behind: sockets of the same user on which no process listens.
/// </summary>
static class StalePorts
{
    const string Prefix = "tpwatch-port-";

    /// <summary>Minimum age of a folder to remove; a port that is being opened listens within milliseconds.</summary>
    static readonly TimeSpan Opened = TimeSpan.FromMinutes(1);

    /// <summary>Creates a private folder for a socket.</summary>
    public static DirectoryInfo NewFolder() => Directory.CreateTempSubdirectory(Prefix);

    /// <summary>The path of the socket in such a folder.</summary>
    public static string SocketIn(string folder) => Path.Combine(folder, "port");

    /// <summary>Removes the socket at <paramref name="path"/> and leftover folders, if no process listens there.</summary>
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
