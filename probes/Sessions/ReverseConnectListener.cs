using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>Opens the socket to which runtimes connect, and handles their connections.</summary>
static class ReverseConnectListener
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Opens a socket that only its owner can access, and begins to listen. Throws <see cref="UserErrorException"/> (exit code 3) if no
    /// socket can be created at the path.
    /// </summary>
    /// <param name="path">Path of the socket.</param>
    /// <param name="whenThere">The hint to show when the path already exists.</param>
    public static Socket Listen(string path, string whenThere)
    {
        try
        {
            StalePorts.Sweep(path);
            var socket = PortSockets.Listen(path);
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(path, OwnerOnly);
            }

            return socket;
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            throw new UserErrorException($"'{path}' exists already", whenThere, ExitCode.Arguments, e);
        }
        catch (Exception e) when (e is SocketException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UserErrorException(
                $"could not open a diagnostic port at '{path}': {e.Message.TrimEnd('.')}",
                "give a path in a folder that exists and that you may write to", ExitCode.Arguments, e);
        }
    }

    /// <summary>
    /// Reads the <see cref="Advertisement"/> of each runtime that connects, concurrently, so that a silent connection delays no other.
    /// Completes when listening has stopped and all connections have been handled.
    /// </summary>
    /// <param name="outer">The listening socket.</param>
    /// <param name="take">Callback that takes a connection with its advertisement, on any thread; false closes the connection.</param>
    /// <param name="end">Stops listening.</param>
    public static async Task GreetAsync(Socket outer, Func<Socket, Advertisement, bool> take, CancellationToken end)
    {
        List<Task> greetings = [];
        await foreach (var connection in PortSockets.AcceptAsync(outer, end).ConfigureAwait(false))
        {
            greetings.RemoveAll(t => t.IsCompletedSuccessfully);
            greetings.Add(HearAsync(connection, take, end));
        }

        await Task.WhenAll(greetings).ConfigureAwait(false);
    }

    static async Task HearAsync(Socket connection, Func<Socket, Advertisement, bool> take, CancellationToken end)
    {
        if (await Advertisement.ReadAsync(connection, end).ConfigureAwait(false) is not { } runtime || !take(connection, runtime))
        {
            connection.Dispose();
        }
    }

    /// <summary>Resumes a runtime that may wait at its start, and closes the connection; takes 5 s or less.</summary>
    public static async Task ResumeAsync(Socket runtime, CancellationToken end)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(end);
        limit.CancelAfter(RelayPort.NextLimit);
        try
        {
            await runtime.SendAsync(DiagnosticPortClient.ResumeCommand, limit.Token).ConfigureAwait(false);
            await runtime.ReceiveAsync(new byte[DiagnosticPortClient.MostReplyBytes], limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            // The runtime is gone or stuck: nothing more can be done for it.
        }

        runtime.Dispose();
    }
}

/// <summary>
/// A local port for one runtime that connects to tpwatch; clients connect to the port as to any other runtime. Each client connection is
/// joined with the runtime's next connection.
/// </summary>
sealed class RelayPort : IAsyncDisposable
{
    /// <summary>Time limit for the runtime's next connection; a live runtime connects again within milliseconds.</summary>
    public static readonly TimeSpan NextLimit = TimeSpan.FromSeconds(5);

    readonly DirectoryInfo folder;
    readonly Socket inner;
    readonly CancellationTokenSource end = new();
    readonly Channel<Socket> waiting = Channel.CreateUnbounded<Socket>();
    readonly List<Task> joined = [];
    readonly Task work;

    RelayPort(DirectoryInfo folder, Socket inner)
    {
        (this.folder, this.inner) = (folder, inner);
        work = AcceptAsync();
    }

    /// <summary>Path of the socket, in a folder that only its owner may enter.</summary>
    public string Path => StalePorts.SocketIn(folder.FullName);

    /// <summary>
    /// Opens a socket in a new folder and begins to listen. Throws <see cref="UserErrorException"/> (exit code 3) if that fails.
    /// </summary>
    public static RelayPort Open()
    {
        var folder = StalePorts.NewFolder();
        try
        {
            return new(folder, PortSockets.Listen(StalePorts.SocketIn(folder.FullName)));
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            folder.Delete(recursive: true);
            throw new UserErrorException(
                $"could not open a socket in '{folder.FullName}': {e.Message.TrimEnd('.')}",
                "set TMPDIR to a folder with a shorter path", ExitCode.Arguments, e);
        }
    }

    /// <summary>Adds a connection of the runtime, to be joined with the next client connection.</summary>
    public void Put(Socket runtime)
    {
        if (!waiting.Writer.TryWrite(runtime))
        {
            runtime.Dispose();
        }
    }

    /// <summary>Whether an open connection of the runtime waits for a client; disposes connections that the runtime has closed.</summary>
    public bool IsHeld()
    {
        for (var count = waiting.Reader.Count; count > 0 && waiting.Reader.TryRead(out var next); count--)
        {
            if (!next.Poll(0, SelectMode.SelectRead) || next.Available > 0)
            {
                Put(next);
                return true;
            }

            next.Dispose();
        }

        return false;
    }

    public async ValueTask DisposeAsync()
    {
        if (end.IsCancellationRequested)
        {
            return;
        }

        await end.CancelAsync().ConfigureAwait(false);
        inner.Dispose();
        await work.ConfigureAwait(false);
        await Task.WhenAll(joined).ConfigureAwait(false);
        waiting.Writer.TryComplete();
        while (waiting.Reader.TryRead(out var left))
        {
            left.Dispose();
        }

        folder.Delete(recursive: true);
        end.Dispose();
    }

    async Task AcceptAsync()
    {
        await foreach (var ours in PortSockets.AcceptAsync(inner, end.Token).ConfigureAwait(false))
        {
            joined.RemoveAll(t => t.IsCompletedSuccessfully);
            joined.Add(JoinAsync(ours));
        }
    }

    async Task JoinAsync(Socket ours)
    {
        using var mine = ours;
        try
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(end.Token);
            limit.CancelAfter(NextLimit);
            using var theirs = await waiting.Reader.ReadAsync(limit.Token).ConfigureAwait(false);
            await PortSockets.JoinAsync(mine, theirs, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The runtime did not connect in time, or this port is closing: closing the client's connection ends the client's request.
        }
    }
}

/// <summary>Socket operations that all diagnostic ports share.</summary>
static class PortSockets
{
    const int CopyBytes = 64 << 10;

    /// <summary>Listens at a path; throws <see cref="SocketException"/> or <see cref="ArgumentException"/> if that fails.</summary>
    public static Socket Listen(string path)
    {
        Socket socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Bind(new UnixDomainSocketEndPoint(path));
            socket.Listen();
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Accepts connections until <paramref name="end"/> is cancelled or the listener is closed.</summary>
    public static async IAsyncEnumerable<Socket> AcceptAsync(Socket listener, [EnumeratorCancellation] CancellationToken end)
    {
        while (true)
        {
            Socket connection;
            try
            {
                connection = await listener.AcceptAsync(end).ConfigureAwait(false);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
            {
                yield break;
            }

            yield return connection;
        }
    }

    /// <summary>Copies data in both directions until one side closes its end.</summary>
    public static async Task JoinAsync(Socket mine, Socket theirs, CancellationToken end)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(end);
        var there = CopyAsync(mine, theirs, over.Token);
        var back = CopyAsync(theirs, mine, over.Token);

        // Ends when one side closes its end: that side wants no more data, and everything it wrote before has been copied.
        await Task.WhenAny(there, back).ConfigureAwait(false);
        await over.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(there, back).ConfigureAwait(false);
    }

    static async Task CopyAsync(Socket from, Socket to, CancellationToken cancel)
    {
        var buffer = new byte[CopyBytes];
        try
        {
            while (await from.ReceiveAsync(buffer, cancel).ConfigureAwait(false) is > 0 and var count)
            {
                for (var sent = 0; sent < count;)
                {
                    sent += await to.SendAsync(buffer.AsMemory(sent, count - sent), cancel).ConfigureAwait(false);
                }
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException or ObjectDisposedException)
        {
        }
    }
}

/// <summary>
/// Removes sockets and folders that a killed tpwatch has left behind: sockets of the same user on which no process listens.
/// </summary>
static class StalePorts
{
    const string Prefix = "tpwatch-port-";

    /// <summary>Minimum age of a folder to remove: a younger folder may belong to a port that is just being opened.</summary>
    static readonly TimeSpan Opened = TimeSpan.FromMinutes(1);

    public static DirectoryInfo NewFolder() => Directory.CreateTempSubdirectory(Prefix);

    /// <summary>Returns the path of the socket in a folder that <see cref="NewFolder"/> created.</summary>
    public static string SocketIn(string folder) => Path.Combine(folder, "port");

    /// <summary>Removes the socket at <paramref name="path"/> and old folders of tpwatch, each only if no process listens there.</summary>
    public static void Sweep(string path)
    {
        if (IsDead(path))
        {
            File.Delete(path);
        }

        foreach (var left in Directory.GetDirectories(Path.GetTempPath(), Prefix + "*").Where(UnixFile.IsOurFolder)
            .Where(folder => TimeProvider.System.GetUtcNow() - Directory.GetLastWriteTimeUtc(folder) > Opened))
        {
            RemoveIfUnused(left);
        }
    }

    static void RemoveIfUnused(string folder)
    {
        try
        {
            if (IsDead(SocketIn(folder)) || !Directory.EnumerateFileSystemEntries(folder).Any())
            {
                Directory.Delete(folder, recursive: true);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another tpwatch removes the same folder at this moment.
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
