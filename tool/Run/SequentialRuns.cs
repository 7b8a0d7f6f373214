using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>How the watch of one process ended.</summary>
/// <param name="Code">The exit code of the watch.</param>
/// <param name="Ended">Whether the process or its stream ended; false if tpwatch ended the session.</param>
readonly record struct Turn(int Code, bool Ended)
{
    /// <summary>Returns how a finished watch ended.</summary>
    public static async Task<Turn> OfAsync(IWatch watch, int code) =>
        new(code, watch.Completion.IsCompleted && await watch.Completion != SessionEnd.StoppedByUs);
}

/// <summary>Watches the processes that connect to one diagnostic port, one after another.</summary>
sealed class SequentialRuns(CommandContext context)
{
    /// <summary>
    /// Watches the process, and with <paramref name="follows"/> each next one, until a watch ends before its process, no process connects
    /// in time, or the user stops tpwatch. Returns the worst exit code of the watches; a missing next process is no failure.
    /// </summary>
    /// <param name="target">The first process, and later the next process at the port.</param>
    /// <param name="follows">Whether to wait for further processes at the port.</param>
    /// <param name="watch">Watches the target; the argument is the number of the process, from 1.</param>
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

    // A process that ends before tpwatch can watch it does not prevent the watch of the next process.
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
