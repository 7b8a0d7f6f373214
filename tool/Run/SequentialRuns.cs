using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>The end of the watch of one process.</summary>
/// <param name="Code">Its exit code.</param>
/// <param name="Ended">Whether the process or its stream ended; false if tpwatch ended the session.</param>
readonly record struct Turn(int Code, bool Ended)
{
    /// <summary>The end of a finished watch.</summary>
    public static async Task<Turn> OfAsync(IWatch watch, int code) =>
        new(code, watch.Completion.IsCompleted && await watch.Completion != SessionEnd.StoppedByUs);
}

/// <summary>Watches the processes that connect to one diagnostic port, one after another.</summary>
sealed class SequentialRuns(CommandContext context)
{
    /// <summary>
    /// Watches the process, and with <paramref name="follows"/> each next one, until a watch ends before its process, no process connects
    /// in time, or the user stops tpwatch. Returns the worst exit code; that no further process connected does not count.
    /// </summary>
    /// <param name="target">The first process; later the next one.</param>
    /// <param name="follows">Whether to wait for further processes.</param>
    /// <param name="watch">Watches the target; its argument counts the processes from 1.</param>
    public async Task<int> RunAsync(ITarget target, bool follows, Func<int, Task<Turn>> watch)
    {
        if (!follows)
        {
            return (await watch(1)).Code;
        }

        List<int> codes = [];
        bool goesOn;
        do
        {
            var turn = await WatchAsync(target, codes.Count + 1, watch);
            codes.Add(turn.Code);
            goesOn = turn.Ended && !context.Stop.IsCancellationRequested && await NextAsync(target);
        }
        while (goesOn);

        return WorstCode.Of(codes);
    }

    // A process that ended before it could be watched does not prevent the next one from being watched.
    async Task<Turn> WatchAsync(ITarget target, int number, Func<int, Task<Turn>> watch)
    {
        try
        {
            return await watch(number);
        }
        catch (UserErrorException e) when (e.ExitCode == ExitCode.NoSession)
        {
            context.Note(string.Create(CultureInfo.InvariantCulture, $"{target.Row.Name} {target.Row.Pid}: {e.Message}"), e.Hint);
            return new((int)e.ExitCode, Ended: true);
        }
    }

    async Task<bool> NextAsync(ITarget target)
    {
        context.Note($"{target.Row.Name} has ended; waiting for the next process; Ctrl+C stops");
        try
        {
            return await target.NextAsync(context.Stop);
        }
        catch (UserErrorException e) when (e.ExitCode == ExitCode.NoSession)
        {
            context.Note(e.Message);
            return false;
        }
        catch (OperationCanceledException) when (context.Stop.IsCancellationRequested)
        {
            return false;
        }
    }
}
