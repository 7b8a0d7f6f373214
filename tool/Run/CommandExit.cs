using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>Decides between the exit code of tpwatch and that of a launched command.</summary>
static class CommandExit
{
    /// <summary>The command's exit code if it ended by itself and <paramref name="ours"/> is 0; else <paramref name="ours"/>.</summary>
    public static async Task<int> ConcludeAsync(int ours, IWatch watch, ITarget target, CommandContext context)
    {
        var endedByItself = watch.Completion is { IsCompletedSuccessfully: true } end
            && await end is SessionEnd.TargetExited or SessionEnd.TargetKilled && !context.Stop.IsCancellationRequested;
        if (ours != (int)ExitCode.Done || !endedByItself || await target.ExitCodeAsync(context.Stop) is not { } code || code == 0)
        {
            return ours;
        }

        // The command's own output may not have been shown.
        context.Note($"{target.Row.Name} ended with code {code.ToString(CultureInfo.InvariantCulture)}, "
            + "and tpwatch exits with the same code");
        return code;
    }
}
