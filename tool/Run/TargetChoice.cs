using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Sessions;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Finds the process that the user requests on the command line.</summary>
sealed class TargetChoice(CommandContext context)
{
    /// <summary>Callback that shows on the screen that tpwatch waits for a process; null if a note is written instead.</summary>
    public ShowWaiting? Screen { get; init; }

    /// <summary>Default of the maximum wait for a process.</summary>
    static readonly TimeSpan DefaultTimeout = TimeSpan.FromMinutes(5);

    /// <summary>Interval of process scans while tpwatch waits: short enough to see a service start, and cheap enough for minutes.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(250);

    /// <summary>Returns the process to attach to. <paramref name="look"/> styles the list of processes; null for no list.</summary>
    /// <exception cref="UserErrorException">No process or several were found, or tpwatch cannot attach to the process.</exception>
    public async Task<ITarget> ResolveAsync(TargetRequest request, ScreenAppearance? look) => request switch
    {
        { Command: { } command } => context.Engine.Launch(command),
        { Port: { } port } => await BehindPortAsync(port, request.Timeout ?? DefaultTimeout),
        { Pid: { } pid } => Running(await context.Engine.ByPidAsync(pid, context.Stop)),
        { Name: { } name, Wait: true } => Running(await AwaitAsync(name, request.Timeout ?? DefaultTimeout), awaited: true),
        { Name: { } name } => Running(await context.Engine.ByNameAsync(name, context.Stop)),
        _ => Running(await ChooseAsync(look)),
    };

    /// <summary>Returns the ids of all requested processes, including those that tpwatch cannot attach to.</summary>
    /// <exception cref="UserErrorException">No process has the requested name.</exception>
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

    /// <summary>Waits without a time limit for another process with the name of <paramref name="before"/> and returns it.</summary>
    public async Task<ITarget> AwaitNextAsync(ProcessRow before, CancellationToken cancel)
    {
        while (true)
        {
            try
            {
                if (await context.Engine.ByNameAsync(before.Name, cancel) is var row && !row.IsSameAs(before))
                {
                    return Running(row, awaited: true);
                }
            }
            catch (UserErrorException e) when (e.ExitCode == ExitCode.NoSession)
            {
                // The process has not started yet, or is not yet ready for attaching.
            }

            await Task.Delay(LookAgain, context.Time, cancel);
        }
    }

    async Task<ProcessRow> AwaitAsync(string name, TimeSpan timeout)
    {
        var what = new AwaitedProcess(name, timeout, LookAgain);
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

    async Task<ProcessRow> LookAsync(AwaitedProcess what, CancellationToken stop)
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
                // The process has not started yet, or is not yet ready for attaching.
                what.LastTry = e.Message;
                await Task.Delay(LookAgain, context.Time, stop);
            }
        }
    }

    async Task<ProcessRow> ChooseAsync(ScreenAppearance? look)
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

/// <summary>Shows a list of processes in the terminal, from which the user chooses one.</summary>
static class TerminalPicker
{
    /// <summary>Duration of the watch of each listed process: three or more counter samples show whether items wait.</summary>
    static readonly TimeSpan LookFor = TimeSpan.FromSeconds(5);

    /// <summary>Maximum wait for the end of a session, which must not delay the choice.</summary>
    static readonly TimeSpan EndPatience = TimeSpan.FromSeconds(2);

    /// <inheritdoc cref="PickTarget"/>
    public static async Task<ProcessRow?> PickAsync(IEngine engine, ScreenAppearance request, CancellationToken stop)
    {
        var look = AppearanceChoice.Of(request);
        using var chosen = CancellationTokenSource.CreateLinkedTokenSource(stop);
        using var turns = new SemaphoreSlim(ConcurrentObservations.AtOnce);
        List<Task> looking = [];
        PickerWindow? window = null;
        var links = new PickerCalls(() => Task.Run(() => engine.FindAsync(stop), stop), row =>
        {
            var one = LookAsync(engine, row, turns, chosen.Token);
            looking.Add(one);
            return one;
        });
        await ScreenHost.RunAsync(
            () => new((window = new(links, look, TimeProvider.System)), window.Tick), request.HostOptions(look), stop);
        await chosen.CancelAsync();
        await Task.WhenAny(Task.WhenAll(looking), Task.Delay(EndPatience, CancellationToken.None));
        return window?.Picked;
    }

    // Watches one listed process without stacks, because a list must not pause processes. Does not watch a process on .NET 8 or earlier. A
    // session would change its counter interval for good, although the user did not choose the process.
    static async Task<PickerCheck> LookAsync(IEngine engine, ProcessRow row, SemaphoreSlim turns, CancellationToken stop)
    {
        if (row.RuntimeMajor is <= AttachNotes.LastWithSharedInterval)
        {
            return new(null, $"Not checked: on .NET {row.RuntimeMajor} a check would change the counter interval for all tools. "
                + "Enter watches this process.");
        }

        try
        {
            using var turn = await turns.EnterAsync(stop);
            await using var watch = await engine.AttachAsync(row, new() { Depth = CaptureDepth.Basic, MayBeStarting = true }, stop);
            await Task.WhenAny(watch.Completion, Task.Delay(LookFor, stop));
            await watch.StopAsync(CancellationToken.None);
            await watch.Completion.WaitAsync(EndPatience, CancellationToken.None);
            return new(watch.Report(), null);
        }
        catch (Exception e) when (e is UserErrorException or OperationCanceledException or TimeoutException)
        {
            return new(null, e.Message);
        }
    }
}

/// <summary>Determines colours, theme and glyphs of the screen from the options and the terminal.</summary>
static class AppearanceChoice
{
    public static Look Of(ScreenAppearance request)
    {
        var depth = ColorChoice.Decide(Color(request.Color), Environment.GetEnvironmentVariable, isTerminal: true);
        var utf8 = Console.OutputEncoding.CodePage == 65001;
        return new(
            Theme.Decide(ThemeNamed(request.Theme), depth, Environment.GetEnvironmentVariable),
            GlyphChoice.Decide(Enum.Parse<GlyphMode>(request.Glyphs, ignoreCase: true), Environment.GetEnvironmentVariable, utf8))
        {
            Depth = depth,
        };
    }

    static ColorMode Color(string word) => word == "16" ? ColorMode.Sixteen : Enum.Parse<ColorMode>(word, ignoreCase: true);

    static ThemeMode ThemeNamed(string? word) => word switch
    {
        null => ThemeMode.Auto,
        "16" => ThemeMode.Sixteen,
        _ => Enum.Parse<ThemeMode>(word, ignoreCase: true),
    };
}

/// <summary>What the user requests to watch. Without id, name, port and command, the user chooses from a list.</summary>
sealed record TargetRequest(string? Name, bool Wait, TimeSpan? Timeout)
{
    /// <summary>All process ids that the user gave.</summary>
    public IReadOnlyList<int> Pids { get; init; } = [];

    /// <summary>The process id; null unless the user gave exactly one.</summary>
    public int? Pid => Pids is [var one] ? one : null;

    /// <summary>Whether the user requested all processes with <see cref="Name"/>.</summary>
    public bool All { get; init; }

    /// <summary>Whether the user requested several processes, each of which gets a file of its own.</summary>
    public bool IsSeveral => All || Pids.Count > 1;

    /// <summary>The diagnostic port of the process; null for none.</summary>
    public PortAddress? Port { get; init; }

    /// <summary>The program to launch; null for none.</summary>
    public LaunchRequest? Command { get; init; }

    /// <summary>Whether, after one process at the port has ended, tpwatch watches the next one.</summary>
    public bool Follows => Port is not null && Wait;

    /// <summary>Whether the user named a process, a port or a program to launch.</summary>
    public bool IsGiven => Pids.Count > 0 || Name is not null || Port is not null || Command is not null;
}
