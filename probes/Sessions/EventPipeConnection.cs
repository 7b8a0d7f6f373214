using System.Net.Sockets;
using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Recordings;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>A diagnostic connection to one target, and the EventPipe session started on it.</summary>
sealed class EventPipeConnection
{
    // Time limit for a target's answer, which takes 130 ms or less if it comes at all.
    static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(1);

    readonly DiagnosticsClientConnector? connector;
    readonly DiagnosticsClient client;
    readonly EventPipeSession session;

    EventPipeConnection(DiagnosticsClientConnector? connector, DiagnosticsClient client, EventPipeSession session, bool withoutStacks)
    {
        (this.connector, this.client, this.session, WithoutStacks) = (connector, client, session, withoutStacks);
        Events = new EndingStream(session.EventStream);
    }

    /// <summary>The nettrace bytes; a broken connection is their end.</summary>
    public Stream Events { get; }

    public bool WithoutStacks { get; }

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
    /// Sets environment variables in a runtime that is suspended at its start, and resumes it. The client library blocks during both; a
    /// target that does not answer leaves a thread waiting until its socket is closed.
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
            // The target is gone, hung or torn down: closing the stream frees the reader, and the runtime ends the session at its next
            // write.
            session.Dispose();
        }
    }

    /// <summary>
    /// Closes the session. The library's Dispose asks the target to stop, if that was not done, and waits for the answer without limit. So
    /// the stream is closed first, which ends the session in the target at its next write, and the stop request is sent with a limit.
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

    // Uses the socket that the target search has verified; the library would search again, and only by pid. The library does not accept a
    // path with a comma.
    static async Task<DiagnosticsClientConnector?> ConnectAsync(Target target, CancellationToken cancel) =>
        target.SocketPath is { } path && !path.Contains(',', StringComparison.Ordinal)
            ? await DiagnosticsClientConnector.FromDiagnosticPort(path + ",connect", cancel).ConfigureAwait(false)
            : null;

    // .NET 8 and earlier cannot leave the stacks out, and reject the request without stacks as unknown.
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
