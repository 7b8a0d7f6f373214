using Tpwatch.Render;
using Tpwatch.Render.Text;

namespace Tpwatch.Commands;

/// <summary>From what was asked for to one process.</summary>
internal sealed class TargetChoice(CommandContext context)
{
    /// <summary>How long a name may take to appear when nothing else was said.</summary>
    static readonly TimeSpan DefaultTimeout = TimeSpan.FromMinutes(5);

    /// <summary>How often the processes are looked through while waiting: quick enough for a service's start, cheap enough for minutes.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(250);

    /// <summary>The process to attach to.</summary>
    /// <exception cref="ForeseenException">None, or several.</exception>
    public async Task<ProcessRow> ResolveAsync(TargetRequest request) => request switch
    {
        { Pid: { } pid } when pid == Environment.ProcessId => throw new ForeseenException(
            $"process {Invariant(pid)} is tpwatch itself", "choose another process; 'dotnet tpwatch ps' lists them", ExitCode.NoSession),
        { Pid: { } pid } => await context.Engine.DescribeAsync(pid, context.Stop) ?? new(pid, $"process {Invariant(pid)}", null, null, null, null),
        { Name: { } name, Wait: true } => await AwaitAsync(name, request.Timeout ?? DefaultTimeout),
        { Name: { } name } => Only(await context.Engine.FindAsync(context.Stop), name)
            ?? throw NotThere($"no .NET process is called '{name}'"),
        _ => await ChooseAsync(),
    };

    async Task<ProcessRow> AwaitAsync(string name, TimeSpan timeout)
    {
        context.Note($"waiting up to {Format.Duration(timeout.TotalMilliseconds)} for a process called '{name}'");
        var started = context.Time.GetTimestamp();
        while (true)
        {
            if (Only(await context.Engine.FindAsync(context.Stop), name) is { } row)
            {
                return row;
            }

            if (context.Time.GetElapsedTime(started) >= timeout)
            {
                throw NotThere($"no .NET process called '{name}' appeared within {Format.Duration(timeout.TotalMilliseconds)}");
            }

            await Task.Delay(LookAgain, context.Time, context.Stop);
        }
    }

    static ProcessRow? Only(IReadOnlyList<ProcessRow> rows, string name)
    {
        var called = rows.Where(r => r.IsCalled(name)).ToList();
        return called.Count <= 1 ? called.SingleOrDefault() : throw new ForeseenException(
            $"{called.Count} processes are called '{name}'", "choose one of them with -p:\n" + Table(called), ExitCode.Arguments);
    }

    async Task<ProcessRow> ChooseAsync()
    {
        var rows = await context.Engine.FindAsync(context.Stop);
        if (context is { Terminal.IsInteractive: true, Picker: { } pick } && rows.Count > 0)
        {
            return await pick(rows, context.Stop) ?? throw new ForeseenException(
                "no process was chosen", "name one with -p PID or -n NAME", ExitCode.Arguments);
        }

        var hint = rows.Count == 0
            ? "give -p PID or -n NAME; no .NET process can be seen at the moment by this user"
            : "give -p PID or -n NAME; one can attach to:\n" + Table(rows);
        throw new ForeseenException("no process was named", hint, ExitCode.Arguments);
    }

    static string Table(IReadOnlyList<ProcessRow> rows) => ProcessTableRenderer.Render(rows, showCommandLine: false, width: null).TrimEnd('\n');

    static ForeseenException NotThere(string sentence) =>
        new(sentence, "'dotnet tpwatch ps' lists the processes that this user can attach to", ExitCode.NoSession);

    static string Invariant(int pid) => pid.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
