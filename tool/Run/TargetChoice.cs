using Tpwatch.Options;
using Tpwatch.Screen.State;
using Tpwatch.Sessions;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Finds the requested process.</summary>
sealed class TargetChoice(CommandContext context)
{
    /// <summary>Shows on the screen that tpwatch waits for a name; null to write a note instead.</summary>
    public ShowWaiting? Screen { get; init; }

    /// <summary>How long to wait for a process by default.</summary>
    static readonly TimeSpan DefaultTimeout = TimeSpan.FromMinutes(5);

    /// <summary>How often to scan the processes while waiting: fast enough for a service's start, cheap enough for minutes.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(250);

    /// <summary>The process to attach to. If the user must choose, <paramref name="look"/> styles the picker; null for no picker.</summary>
    /// <exception cref="UserErrorException">There is none, there are several, or tpwatch cannot attach to it.</exception>
    public async Task<ITarget> ResolveAsync(TargetRequest request, ScreenRequest? look) => request switch
    {
        { Command: { } command } => context.Engine.Launch(command),
        { Port: { } port } => await BehindPortAsync(port, request.Timeout ?? DefaultTimeout),
        { Pid: { } pid } => Running(await context.Engine.ByPidAsync(pid, context.Stop)),
        { Name: { } name, Wait: true } => Running(await AwaitAsync(name, request.Timeout ?? DefaultTimeout), awaited: true),
        { Name: { } name } => Running(await context.Engine.ByNameAsync(name, context.Stop)),
        _ => Running(await ChooseAsync(look)),
    };

    /// <summary>The ids of all requested processes, including processes that tpwatch cannot attach to.</summary>
    /// <exception cref="UserErrorException">There is no process of that name.</exception>
    public async Task<IReadOnlyList<int>> AllAsync(TargetRequest request) =>
        request is { Name: { } name } ? await context.Engine.AllByNameAsync(name, context.Stop) : request.Pids;

    RunningTarget Running(ProcessRow row, bool awaited = false) => new(row, context.Engine, awaited);

    Task<ITarget> BehindPortAsync(PortAddress port, TimeSpan timeout)
    {
        if (port.Mode == PortMode.Listen)
        {
            context.Note(
                $"waiting up to {Format.Duration(timeout.TotalMilliseconds)} for a runtime with DOTNET_DiagnosticPorts={port.Path}");
        }

        return context.Engine.BehindPortAsync(port, timeout, context.Stop);
    }

    /// <summary>Waits without limit for another process of that name than <paramref name="before"/>.</summary>
    public async Task<ITarget> AwaitNextAsync(ProcessRow before, CancellationToken cancel)
    {
        while (true)
        {
            try
            {
                if (await context.Engine.ByNameAsync(before.Name, cancel) is var row && row.Pid != before.Pid)
                {
                    return Running(row, awaited: true);
                }
            }
            catch (UserErrorException e) when (e.ExitCode == ExitCode.NoSession)
            {
                // Not started yet, or not yet ready for attaching.
            }

            await Task.Delay(LookAgain, context.Time, cancel);
        }
    }

    async Task<ProcessRow> AwaitAsync(string name, TimeSpan timeout)
    {
        var what = new WaitingFor(name, timeout, LookAgain);
        if (Screen is not { } show)
        {
            context.Note($"waiting up to {Format.Duration(timeout.TotalMilliseconds)} for a process called '{name}'");
            return await LookAsync(what, context.Stop);
        }

        using var found = CancellationTokenSource.CreateLinkedTokenSource(context.Stop);
        using var left = CancellationTokenSource.CreateLinkedTokenSource(context.Stop);
        var showing = show(what, found.Token);
        try
        {
            var looking = LookAsync(what, left.Token);
            if (await Task.WhenAny(looking, showing) == showing)
            {
                await left.CancelAsync();
            }

            return await looking;
        }
        catch (OperationCanceledException) when (left.IsCancellationRequested && !context.Stop.IsCancellationRequested)
        {
            throw new UserErrorException(
                $"no process called '{name}' started in time", "tpwatch changed no process", ExitCode.NoSession);
        }
        finally
        {
            await found.CancelAsync();
            await showing;
        }
    }

    async Task<ProcessRow> LookAsync(WaitingFor what, CancellationToken stop)
    {
        var started = context.Time.GetTimestamp();
        while (true)
        {
            try
            {
                return await context.Engine.ByNameAsync(what.Name, stop);
            }
            catch (UserErrorException e) when (e.ExitCode == ExitCode.NoSession && context.Time.GetElapsedTime(started) < what.Limit)
            {
                // Not started yet, or not yet ready for attaching.
                what.LastTry = e.Message;
                await Task.Delay(LookAgain, context.Time, stop);
            }
        }
    }

    async Task<ProcessRow> ChooseAsync(ScreenRequest? look)
    {
        if (context is { Terminal.IsInteractive: true, Picker: { } pick } && look is not null)
        {
            var chosen = await pick(context.Engine, look, context.Stop);
            context.Stop.ThrowIfCancellationRequested();
            return chosen is null
                ? throw new UserErrorException("no process was chosen", "name one with -p PID or -n NAME", ExitCode.Arguments)
                : await context.Engine.ByPidAsync(chosen.Pid, context.Stop);
        }

        var rows = (await context.Engine.FindAsync(context.Stop)).Where(r => r.WhyNot is null).ToList();
        var hint = rows.Count == 0
            ? "give -p PID or -n NAME; this user can see no .NET process at the moment"
            : "give -p PID or -n NAME; you can attach to:\n" + Table(rows);
        throw new UserErrorException("no process was named", hint, ExitCode.Arguments);
    }

    static string Table(IReadOnlyList<ProcessRow> rows) =>
        ProcessTableRenderer.Render(rows, showCommandLine: false, width: null).TrimEnd('\n');
}
