using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>How the watch of one process ended.</summary>
/// <param name="Code">Its exit code.</param>
/// <param name="Ended">Whether the process is gone; false where it was we who left it.</param>
readonly record struct Turn(int Code, bool Ended)
{
    /// <summary>Of a watch that is over.</summary>
    public static async Task<Turn> OfAsync(IWatch watch, int code) =>
        new(code, watch.Completion.IsCompleted && await watch.Completion != SessionEnd.StoppedByUs);
}

/// <summary>The processes that come to one diagnostic port, one after the other.</summary>
sealed class InTurn(CommandContext context)
{
    /// <summary>
    /// Watches the process, and with <paramref name="follows"/> whoever comes next, until one is left while it lives, nobody
    /// comes in time, or somebody stops us. The worst exit code; nobody coming is none once there was one.
    /// </summary>
    /// <param name="target">The first process; it is the next one later.</param>
    /// <param name="follows">Whether others are awaited.</param>
    /// <param name="watch">Watches the target; its argument counts from 1.</param>
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

    // One that has ended before it could be watched does not keep the next one from it.
    async Task<Turn> WatchAsync(ITarget target, int number, Func<int, Task<Turn>> watch)
    {
        try
        {
            return await watch(number);
        }
        catch (ForeseenException e) when (e.ExitCode == ExitCode.NoSession)
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
        catch (ForeseenException e) when (e.ExitCode == ExitCode.NoSession)
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
