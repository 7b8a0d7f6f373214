using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>One of several looks that go on beside each other.</summary>
/// <param name="Context">The run's surroundings; whatever is said begins with the process.</param>
/// <param name="Turn">Completes when those before have written what they had to write.</param>
/// <param name="Stop">Cancelled when all of them are to end.</param>
sealed record LookBeside(CommandContext Context, Task Turn, CancellationToken Stop);

/// <summary>Looks at several processes at once for as long as was asked; what becomes of one touches no other.</summary>
sealed class SeveralLooks(CommandContext context)
{
    /// <summary>Looks at all of them; the worst exit code.</summary>
    /// <exception cref="ForeseenException">They are too many.</exception>
    public async Task<int> RunAsync(IReadOnlyList<int> pids, Func<ProcessRow, LookBeside, Task<ExitCode>> look)
    {
        if (pids.Count > Together.AtOnce)
        {
            throw new ForeseenException(
                $"{Format.Plural(pids.Count, "process", "processes")} are too many to watch at once (at most {Together.AtOnce})",
                "name fewer with -p PID,PID; 'dotnet tpwatch ps --check 5s' checks them in turn", ExitCode.Arguments);
        }

        var shared = context with { Error = TextWriter.Synchronized(context.Error) };
        var codes = await Together.RunAsync(stop => Task.WhenAll(Begin(pids, look, shared, stop)), context);
        return WorstCode.Of([.. codes.Select(c => (int)c)]);
    }

    // Each writes after the one before it, so that what is written stands in the order that was asked for.
    static List<Task<ExitCode>> Begin(
        IReadOnlyList<int> pids, Func<ProcessRow, LookBeside, Task<ExitCode>> look, CommandContext context, CancellationToken stop)
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

    static async Task<ExitCode> LookAsync(int pid, Func<ProcessRow, LookBeside, Task<ExitCode>> look, LookBeside beside)
    {
        var named = beside.Context with { About = $"process {pid.ToString(CultureInfo.InvariantCulture)}" };
        try
        {
            var row = await named.Engine.ByPidAsync(pid, beside.Stop);
            named = named with { About = string.Create(CultureInfo.InvariantCulture, $"{row.Name} {pid}") };
            return await look(row, beside with { Context = named });
        }
        catch (ForeseenException e)
        {
            named.Note(e.Message, e.Hint);
            return e.ExitCode;
        }
        catch (OperationCanceledException) when (beside.Stop.IsCancellationRequested)
        {
            named.Note("stopped before a session was open");
            return ExitCode.NoSession;
        }
    }
}
