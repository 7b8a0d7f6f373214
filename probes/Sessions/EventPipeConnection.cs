using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Net.Sockets;
using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A diagnostic connection to one target, and the EventPipe session started on it.</summary>
sealed class EventPipeConnection(
    DiagnosticsClientConnector? connector, DiagnosticsClient client, EventPipeSession session, bool withoutStacks)
{
    // Time limit for a target's answer to a stop request. If a target answers at all, the answer takes 130 ms or less.
    static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(1);

    /// <summary>The session's nettrace bytes; a broken connection counts as the end of the stream.</summary>
    public Stream Events { get; } = new ConnectionStream(session.EventStream);

    public bool WithoutStacks => withoutStacks;

    public static async Task<EventPipeConnection> StartAsync(Target target, SessionPlan plan, CancellationToken cancel)
    {
        var connector = await ConnectAsync(target, cancel).ConfigureAwait(false);
        try
        {
            var client = connector?.Instance ?? new DiagnosticsClient(target.Pid);
            return await StartAsync(connector, client, plan, cancel).ConfigureAwait(false);
        }
        catch
        {
            await DisposeAsync(connector).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Sets environment variables in a runtime that is suspended at its start, and resumes the runtime. The client library blocks a thread
    /// meanwhile; if the target does not answer, the thread is blocked until the socket is closed.
    /// </summary>
    public Task ResumeAsync(IReadOnlyDictionary<string, string> environment, CancellationToken cancel) => Task.Run(
        () =>
        {
            foreach ((var name, var value) in environment)
            {
                client.SetEnvironmentVariable(name, value);
            }

            client.ResumeRuntime();
        },
        cancel).WaitAsync(cancel);

    /// <summary>Asks the target to end the session; waits up to <paramref name="most"/> for the answer.</summary>
    public async Task StopAsync(TimeSpan most, TimeProvider time, CancellationToken cancel)
    {
        using CancellationTokenSource limit = new(most, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            await session.StopAsync(either.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e))
        {
            // The target is gone or does not answer. Closing the stream ends the reader's wait, and the runtime ends the session at its
            // next write.
            session.Dispose();
        }
    }

    /// <summary>
    /// Closes the session. First closes the stream, which ends the session at the target's next write, then sends a stop request with a
    /// time limit. The client library's Dispose alone would send a stop request and wait for the answer without limit.
    /// </summary>
    public async ValueTask CloseAsync(TimeProvider time)
    {
        using CancellationTokenSource limit = new(CloseLimit, time);
        try
        {
            await session.EventStream.DisposeAsync().ConfigureAwait(false);
            await session.StopAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e))
        {
            // The target is gone, hung, or has ended the session: nothing to do.
        }

        session.Dispose();
        await DisposeAsync(connector).ConfigureAwait(false);
    }

    // Uses the socket that the target search has verified: the client library alone would search again, and only by pid. The client library
    // does not accept a path with a comma.
    static async Task<DiagnosticsClientConnector?> ConnectAsync(Target target, CancellationToken cancel) =>
        target.SocketPath is { } path && !path.Contains(',', StringComparison.Ordinal)
            ? await DiagnosticsClientConnector.FromDiagnosticPort(path + ",connect", cancel).ConfigureAwait(false)
            : null;

    // .NET 8 and earlier cannot omit stacks, and reject the command that requests a session without stacks.
    static async Task<EventPipeConnection> StartAsync(
        DiagnosticsClientConnector? connector, DiagnosticsClient client, SessionPlan plan, CancellationToken cancel)
    {
        if (plan.WithoutStacks)
        {
            try
            {
                var session = await client.StartEventPipeSessionAsync(Configuration(plan, stacks: false), cancel).ConfigureAwait(false);
                return new EventPipeConnection(connector, client, session, withoutStacks: true);
            }
            catch (UnsupportedCommandException)
            {
            }
        }

        return new EventPipeConnection(
            connector, client,
            await client.StartEventPipeSessionAsync(Configuration(plan, stacks: true), cancel).ConfigureAwait(false), withoutStacks: false);
    }

    static EventPipeSessionConfiguration Configuration(SessionPlan plan, bool stacks) => new(
        plan.Providers.Select(p => new EventPipeProvider(p.Name, p.Level, p.Keywords, p.Arguments?.ToDictionary(a => a.Key, a => a.Value))),
        plan.BufferMb, plan.Rundown, requestStackwalk: stacks);

    static ValueTask DisposeAsync(DiagnosticsClientConnector? connector) => connector?.DisposeAsync() ?? ValueTask.CompletedTask;
}

/// <summary>
/// The event stream of a target. If the target is killed, or tpwatch closes the connection, the reader gets the end of the stream and no
/// exception.
/// </summary>
sealed class ConnectionStream(Stream inner) : ForwardOnlyStream
{
    public override int Read(Span<byte> buffer)
    {
        try
        {
            // Arriving bytes wake a thread in Poll directly. A thread that waits in Read is woken by .NET's socket thread, which is slower.
            (inner as NetworkStream)?.Socket.Poll(Timeout.InfiniteTimeSpan, SelectMode.SelectRead);
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

/// <summary>An event provider to enable in the target.</summary>
/// <param name="Name">Name of the provider.</param>
/// <param name="Level">The level up to which the provider writes events.</param>
/// <param name="Keywords">Mask of the groups of events that the provider writes.</param>
/// <param name="Arguments">Filter arguments, name to value; null for none.</param>
sealed record PlannedProvider(string Name, EventLevel Level, long Keywords, ImmutableSortedDictionary<string, string>? Arguments = null);

/// <summary>The event providers and options of a session to be opened.</summary>
sealed record SessionPlan(ImmutableArray<PlannedProvider> Providers)
{
    /// <summary>The maximum size of the target's event buffer, megabytes; the runtime allocates only what it needs.</summary>
    public int BufferMb { get; init; } = 64;

    /// <summary>
    /// Whether to request events without stacks where the runtime supports that (.NET 9 and later). An event with a stack costs nine times
    /// as much.
    /// </summary>
    public bool WithoutStacks { get; init; } = true;

    /// <summary>
    /// Whether the runtime reports the names of all compiled methods at the end of the session. The larger the target, the longer this
    /// takes.
    /// </summary>
    public bool Rundown { get; init; }

    public CaptureDepth Depth { get; init; }

    /// <summary>A second session, opened before a suspended target is resumed, so that it misses no event; null for none.</summary>
    public SessionPlan? Side { get; init; }

    /// <summary>This plan without counters, for a process that may still be starting; null if the plan has no counters.</summary>
    public SessionPlan? AtStart { get; init; }
}

/// <summary>Turns an exception of the client library at the start of a session into a sentence for the user.</summary>
static class SessionErrors
{
    /// <summary>Maximum number of sessions of a runtime, from .NET 5 on; a runtime refuses the 65th session.</summary>
    const int MostSessions = 64;

    /// <summary>
    /// Whether the client library throws this exception when the target refuses, cannot be reached or is gone; any other exception is a bug
    /// of tpwatch.
    /// </summary>
    public static bool IsForeseen(Exception e) => e
        is DiagnosticsClientException or TimeoutException or IOException or SocketException or UnauthorizedAccessException
        or PlatformNotSupportedException or ObjectDisposedException or OperationCanceledException or ArgumentException or FormatException;

    public static UserErrorException OfStart(SystemPaths machine, Target target, Exception e) => e switch
    {
        _ when HasGone(machine, target) => No(
            $"Process {Called(target)} ended while tpwatch was attaching.",
            "`dotnet tpwatch ps` lists the processes that you can watch.", e),
        UnsupportedCommandException or UnsupportedProtocolException => new(
            $"The runtime of process {Called(target)} is too old to be watched.",
            "The process must run on .NET 6 or later.", ExitCode.Unsupported, e),
        PlatformNotSupportedException => new(
            $"Attaching to process {Called(target)} is not supported on this system: {e.Message}",
            "Run tpwatch on the system on which the process runs.", ExitCode.Unsupported, e),
        ServerErrorException => Refused(machine, target, e),
        OperationCanceledException or TimeoutException => NoAnswer(machine, target, e),
        _ when IsDenied(e) => No(
            $"The diagnostic socket of process {Called(target)} denied access.", "Run tpwatch as the target's user or as root.", e),
        _ when IsRefused(e) => No(
            $"Process {Called(target)} no longer listens at its diagnostic socket: "
                + "it runs another program now (exec), or has closed that socket.",
            "Restart the process: its runtime then opens the socket again.", e),
        _ => No(
            $"Could not open a session with process {Called(target)}: {e.Message.TrimEnd('.')}.",
            "Try again. If that fails too, the process is ending, or its diagnostic port is broken until it restarts.", e),
    };

    /// <summary>
    /// Whether the target's process is gone: its pid is free or belongs to another process, or the process is a zombie.
    /// </summary>
    public static bool HasGone(SystemPaths machine, Target target) => target.IsElsewhere
        ? target.SocketPath is { } path && !DiagnosticPortClient.IsHeld(path)
        : machine.IsLinux
            ? machine.Tree.Stat(target.Pid) is not { HasEnded: false } stat || (target.StartTime is { } start && start != stat.StartTime)
            : HasGoneWithoutProc(target.Pid);

    // A runtime returns the same error code when it is ending and when it has the maximum number of sessions. The number of its
    // session threads, which have a known name, distinguishes the two cases.
    static UserErrorException Refused(SystemPaths machine, Target target, Exception e)
    {
        var sessions = machine.IsLinux && !target.IsElsewhere ? ThreadNames.Sessions(machine.Tree, target.Pid) : 0;
        return sessions >= MostSessions
            ? No($"Process {Called(target)} has {MostSessions} event sessions already, and its runtime allows no more.",
                "End other diagnostics tools (dotnet-trace, dotnet-counters, monitoring agents), or restart the process.", e)
            : No($"The runtime of process {Called(target)} refused the session: {e.Message.TrimEnd('.')}.",
                $"The process is ending, or it has {MostSessions} event sessions already. Wait, or end other diagnostics tools.", e);
    }

    static UserErrorException NoAnswer(SystemPaths machine, Target target, Exception e)
    {
        var state = machine.IsLinux && !target.IsElsewhere ? machine.Tree.Stat(target.Pid)?.State : null;
        (var because, var hint) = TargetErrors.ProcessStandstill(state, target.Pid) ?? state switch
        {
            'D' => ("it hangs in the kernel (state D, usually waiting for a disk or a network file system)",
                "Check its disk or network file system; attach again when the process runs."),
            { } other => ($"its diagnostic port is stuck (process state {other})",
                "Another tool's session may block the port: end other diagnostics tools, "
                    + "or wait if the processors are overloaded. Then attach again."),
            null => ("it is stopped, in a debugger, or blocked by another tool's session", "Let the process continue, then attach again."),
        };
        return No($"Process {Called(target)} does not answer: {because}.", hint, e);
    }

    static bool HasGoneWithoutProc(int pid)
    {
        try
        {
            using var process = Process.GetProcessById(pid);
            return process.HasExited;
        }
        catch (ArgumentException)
        {
            return true;
        }
        catch (Exception e) when (e is InvalidOperationException or Win32Exception or NotSupportedException)
        {
            // The process exists, but does not allow more access.
            return false;
        }
    }

    static bool IsDenied(Exception? e) =>
        e is UnauthorizedAccessException or SocketException { SocketErrorCode: SocketError.AccessDenied }
        || (e?.InnerException is { } inner && IsDenied(inner));

    static bool IsRefused(Exception? e) =>
        e is SocketException { SocketErrorCode: SocketError.ConnectionRefused } || (e?.InnerException is { } inner && IsRefused(inner));

    static UserErrorException No(string sentence, string hint, Exception cause) => new(sentence, hint, ExitCode.NoSession, cause);

    static string Called(Target target) => $"{target.Pid.ToString(CultureInfo.InvariantCulture)} ({target.Name})";
}
