using System.Net.Sockets;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>The socket to which runtimes connect, and the handling of their connections.</summary>
static class OuterPort
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Begins to listen, with access for the socket's owner only. <see cref="UserErrorException"/> (exit code 3) when the path does not
    /// allow it.
    /// </summary>
    /// <param name="path">Path of the socket.</param>
    /// <param name="whenThere">The hint to show when the path already exists.</param>
    public static Socket Listen(string path, string whenThere)
    {
        try
        {
            StalePorts.Sweep(path);
            var socket = UnixSockets.Listen(path);
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
    /// Reads the introduction of each runtime that connects, all concurrently, so that a silent connection delays no other. Completes when
    /// all connections have been handled.
    /// </summary>
    /// <param name="outer">The listening socket.</param>
    /// <param name="take">Callback that takes a connection with its introduction, on any thread; false closes the connection.</param>
    /// <param name="end">Stops listening.</param>
    public static async Task GreetAsync(Socket outer, Func<Socket, Advertisement, bool> take, CancellationToken end)
    {
        List<Task> greetings = [];
        await foreach (var connection in UnixSockets.AcceptAsync(outer, end).ConfigureAwait(false))
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
        limit.CancelAfter(InnerPort.NextLimit);
        try
        {
            await runtime.SendAsync(DiagnosticPort.ResumeCommand, limit.Token).ConfigureAwait(false);
            await runtime.ReceiveAsync(new byte[DiagnosticPort.MostReplyBytes], limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            // The runtime is gone or stuck; it is not the observed runtime.
        }

        runtime.Dispose();
    }
}
