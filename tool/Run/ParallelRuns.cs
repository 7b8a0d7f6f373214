using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>One of several watches that run in parallel.</summary>
/// <param name="Context">Engine, streams and terminal of this run; notes begin with the name of the process.</param>
/// <param name="Turn">Completes when all earlier watches have written their documents.</param>
/// <param name="Stop">Cancelled when all watches must end.</param>
sealed record ParallelRun(CommandContext Context, Task Turn, CancellationToken Stop);

/// <summary>Watches several processes in parallel for the requested time; a failure of one does not affect the others.</summary>
sealed class ParallelRuns(CommandContext context)
{
    /// <summary>Watches all processes; returns the worst exit code.</summary>
    /// <exception cref="UserErrorException">There are too many processes.</exception>
    public async Task<int> RunAsync(IReadOnlyList<int> pids, Func<ProcessRow, ParallelRun, Task<ExitCode>> look)
    {
        if (pids.Count > Together.AtOnce)
        {
            throw new UserErrorException(
                $"{Format.Plural(pids.Count, "process", "processes")} are too many to watch at once (at most {Together.AtOnce})",
                "name fewer with -p PID,PID; 'dotnet tpwatch ps --check 5s' checks them in turn", ExitCode.Arguments);
        }

        var shared = context with { Error = TextWriter.Synchronized(context.Error) };
        var codes = await Together.RunAsync(stop => Task.WhenAll(Begin(pids, look, shared, stop)), context);
        return WorstCode.Of([.. codes.Select(c => (int)c)]);
    }

    // Each watch writes its document after the previous watch, so that the documents are in the requested order.
    static List<Task<ExitCode>> Begin(
        IReadOnlyList<int> pids, Func<ProcessRow, ParallelRun, Task<ExitCode>> look, CommandContext context, CancellationToken stop)
    {
        List<Task<ExitCode>> looks = [];
        var before = Task.CompletedTask;
        foreach (var pid in pids)
        {
            looks.Add(LookAsync(pid, look, new(context, before, stop)));
            before = Task.WhenAny(looks[^1]);
        }

        return looks;
    }

    static async Task<ExitCode> LookAsync(int pid, Func<ProcessRow, ParallelRun, Task<ExitCode>> look, ParallelRun side)
    {
        var named = side.Context with { About = $"process {pid.ToString(CultureInfo.InvariantCulture)}" };
        try
        {
            var row = await named.Engine.ByPidAsync(pid, side.Stop);
            named = named with { About = string.Create(CultureInfo.InvariantCulture, $"{row.Name} {pid}") };
            return await look(row, side with { Context = named });
        }
        catch (UserErrorException e)
        {
            named.Note(e.Message, e.Hint);
            return e.ExitCode;
        }
        catch (OperationCanceledException) when (side.Stop.IsCancellationRequested)
        {
            named.Note("stopped before a session was open");
            return ExitCode.NoSession;
        }
    }
}
