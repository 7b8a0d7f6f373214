using Tpwatch.Assertions;

namespace Tpwatch.Run;

/// <summary>Turns the conditions of <c>--fail-on</c> into an exit code, and writes notes with the reasons.</summary>
static class FailOnExit
{
    /// <summary>
    /// Returns 10 if a condition is met, else 12 if a condition cannot be answered, else <paramref name="ours"/>. If
    /// <paramref name="ours"/> is a failure, it is returned unchanged, but 10 replaces the code of a broken stream.
    /// </summary>
    public static ExitCode Conclude(ExitCode ours, PoolReport report, ImmutableArray<Condition> failOn, CommandContext context)
    {
        if (ours is not (ExitCode.Done or ExitCode.Broken))
        {
            return ours;
        }

        var answers = failOn.Select(c => c.Look(report)).ToList();
        foreach (var answer in answers.Where(a => a.Outcome != ConditionOutcome.NotMet).OrderBy(a => a.Outcome))
        {
            context.Note($"--fail-on {answer.Condition.Text} {(answer.Outcome == ConditionOutcome.Met ? "is met" : "cannot be answered")}: "
                + answer.Reason);
        }

        return answers.Any(a => a.Outcome == ConditionOutcome.Met) ? ExitCode.Matched
            : ours == ExitCode.Done && answers.Any(a => a.Outcome == ConditionOutcome.Unanswered) ? ExitCode.Unanswered
            : ours;
    }
}

/// <summary>Decides whether tpwatch exits with its own exit code or with that of the program that it launched.</summary>
static class LaunchedExitCode
{
    /// <summary>Returns <paramref name="ours"/>, or the exit code of a program that ended by itself if ours is 0.</summary>
    public static async Task<int> ConcludeAsync(int ours, IWatch watch, ITarget target, CommandContext context)
    {
        var endedByItself = watch.Completion is { IsCompletedSuccessfully: true } end
            && (await end).IsOfTarget() && !context.Stop.IsCancellationRequested;
        if (ours != (int)ExitCode.Done || !endedByItself || await target.ExitCodeAsync(context.Stop) is not { } code || code == 0)
        {
            return ours;
        }

        // The user may not have seen the program's own output.
        context.Note($"{target.Row.Name} ended with code {code.ToString(CultureInfo.InvariantCulture)}, "
            + "and tpwatch exits with the same code");
        return code;
    }
}

/// <summary>Combines the exit codes for several processes into the worst one.</summary>
static class WorstExitCode
{
    /// <summary>All exit codes, the worst first. A condition that one process meets outranks a process that cannot be watched.</summary>
    static readonly int[] FromWorst =
    [
        (int)ExitCode.Bug, (int)ExitCode.Arguments, (int)ExitCode.Unsupported, (int)ExitCode.Matched, (int)ExitCode.NoSession,
        (int)ExitCode.Broken, (int)ExitCode.Unanswered, (int)ExitCode.Done,
    ];

    public static int Of(IReadOnlyCollection<int> codes) => FromWorst.First(codes.Contains);
}
