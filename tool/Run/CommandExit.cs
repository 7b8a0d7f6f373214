using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>Whose exit code is ours.</summary>
static class CommandExit
{
    /// <summary>The one of a command that ended by itself, where ours would be 0; ours otherwise.</summary>
    public static async Task<int> ConcludeAsync(int ours, IWatch watch, ITarget target, CommandContext context)
    {
        var endedByItself = watch.Completion is { IsCompletedSuccessfully: true } end
            && await end is SessionEnd.TargetExited or SessionEnd.TargetKilled && !context.Stop.IsCancellationRequested;
        if (ours != (int)ExitCode.Done || !endedByItself || await target.ExitCodeAsync(context.Stop) is not { } code || code == 0)
        {
            return ours;
        }

        // What it said about it was perhaps not shown.
        context.Note($"{target.Row.Name} ended with code {code.ToString(CultureInfo.InvariantCulture)}, "
            + "and tpwatch exits with the same code");
        return code;
    }
}
