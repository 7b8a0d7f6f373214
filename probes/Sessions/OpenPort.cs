using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>The client library's way to one target, and the session that was started on it.</summary>
sealed class OpenPort
{
    // A target that answers at all does so in 130 ms.
    static readonly TimeSpan CloseLimit = TimeSpan.FromSeconds(1);

    readonly DiagnosticsClientConnector? connector;
    readonly DiagnosticsClient client;

    OpenPort(DiagnosticsClientConnector? connector, DiagnosticsClient client, EventPipeSession session, bool withoutStacks)
    {
        (this.connector, this.client) = (connector, client);
        (Session, WithoutStacks) = (session, withoutStacks);
    }

    public EventPipeSession Session { get; }
    public bool WithoutStacks { get; }

    public static async Task<OpenPort> StartAsync(Target target, SessionPlan plan, CancellationToken cancel)
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
    /// Sets variables in a runtime that waits at its start, and lets it go on. The library blocks for both; a target that does not answer
    /// leaves a thread waiting until its socket is closed.
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

    /// <summary>Asks the target to end the session, and takes no longer than <paramref name="most"/>.</summary>
    public async Task StopAsync(TimeSpan most, TimeProvider time, CancellationToken cancel)
    {
        using CancellationTokenSource limit = new(most, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            await Session.StopAsync(either.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e))
        {
            // Gone, hung or torn down: closing our end frees the reader, and the runtime ends the session at its next write.
            Session.Dispose();
        }
    }

    /// <summary>
    /// Closes our end. The library's own way out asks the target to stop when nobody has, and waits for the answer without a limit: so the
    /// stream goes first, which ends the session in the target at its next write, and the question is asked with a limit.
    /// </summary>
    public async ValueTask CloseAsync(TimeProvider time)
    {
        using CancellationTokenSource limit = new(CloseLimit, time);
        try
        {
            await Session.EventStream.DisposeAsync().ConfigureAwait(false);
            await Session.StopAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (SessionErrors.IsForeseen(e))
        {
            // Gone, hung, or ended already: nothing more to ask.
        }

        Session.Dispose();
        await DisposeAsync(connector).ConfigureAwait(false);
    }

    // The socket that our own search has proved to be the target's; the library would look for it again, and only by pid.
    // It cannot be told a path with a comma.
    static async Task<DiagnosticsClientConnector?> ConnectAsync(Target target, CancellationToken cancel) =>
        target.SocketPath is { } path && !path.Contains(',', StringComparison.Ordinal)
            ? await DiagnosticsClientConnector.FromDiagnosticPort(path + ",connect", cancel).ConfigureAwait(false)
            : null;

    // .NET 8 and earlier cannot be asked to leave the stacks out, and say so by not knowing the command.
    static async Task<OpenPort> StartAsync(
        DiagnosticsClientConnector? connector, DiagnosticsClient client, SessionPlan plan, CancellationToken cancel)
    {
        if (plan.WithoutStacks)
        {
            try
            {
                var session = await client.StartEventPipeSessionAsync(Configuration(plan, stacks: false), cancel).ConfigureAwait(false);
                return new OpenPort(connector, client, session, withoutStacks: true);
            }
            catch (UnsupportedCommandException)
            {
            }
        }

        return new OpenPort(
            connector, client,
            await client.StartEventPipeSessionAsync(Configuration(plan, stacks: true), cancel).ConfigureAwait(false), withoutStacks: false);
    }

    static EventPipeSessionConfiguration Configuration(SessionPlan plan, bool stacks) => new(
        plan.Providers.Select(p => new EventPipeProvider(p.Name, p.Level, p.Keywords, p.Arguments?.ToDictionary(a => a.Key, a => a.Value))),
        plan.BufferMb, plan.Rundown, requestStackwalk: stacks);

    static ValueTask DisposeAsync(DiagnosticsClientConnector? connector) => connector?.DisposeAsync() ?? ValueTask.CompletedTask;
}
