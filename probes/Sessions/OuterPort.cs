using System.Net.Sockets;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>The socket to which runtimes connect, and what everybody does who listens there.</summary>
static class OuterPort
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Begins to listen, for its owner alone. <see cref="ForeseenException"/> (exit code 3) when that is not possible at this path.
    /// </summary>
    /// <param name="path">Where.</param>
    /// <param name="whenThere">What to do where something is there already.</param>
    public static Socket Listen(string path, string whenThere)
    {
        try
        {
            LeftPorts.Sweep(path);
            var socket = UnixSockets.Listen(path);
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(path, OwnerOnly);
            }

            return socket;
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            throw new ForeseenException($"'{path}' exists already", whenThere, ExitCode.Arguments, e);
        }
        catch (Exception e) when (e is SocketException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ForeseenException(
                $"could not open a diagnostic port at '{path}': {e.Message.TrimEnd('.')}",
                "give a path in a folder that exists and that you may write to", ExitCode.Arguments, e);
        }
    }

    /// <summary>
    /// Hears who connects, beside one another: one that connects and says nothing keeps nobody waiting. Ends when everybody was heard.
    /// </summary>
    /// <param name="outer">Where they connect.</param>
    /// <param name="take">Takes a connection and who it is; called from any thread. Where it does not, the connection is closed.</param>
    /// <param name="end">Stops it.</param>
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

    /// <summary>Lets a runtime go on that may wait at its start, and closes the connection; bounded in time.</summary>
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
            // Gone, or stuck; it is not what is observed.
        }

        runtime.Dispose();
    }
}
