using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>Decides whether tpwatch exits with its own exit code or with that of a launched command.</summary>
static class CommandExit
{
    /// <summary>If <paramref name="ours"/> is 0: the exit code of a command that ended by itself; else <paramref name="ours"/>.</summary>
    public static async Task<int> ConcludeAsync(int ours, IWatch watch, ITarget target, CommandContext context)
    {
        var endedByItself = watch.Completion is { IsCompletedSuccessfully: true } end
            && await end is SessionEnd.TargetExited or SessionEnd.TargetKilled && !context.Stop.IsCancellationRequested;
        if (ours != (int)ExitCode.Done || !endedByItself || await target.ExitCodeAsync(context.Stop) is not { } code || code == 0)
        {
            return ours;
        }

        // The user may not have seen the command's own output.
        context.Note($"{target.Row.Name} ended with code {code.ToString(CultureInfo.InvariantCulture)}, "
            + "and tpwatch exits with the same code");
        return code;
    }
}
