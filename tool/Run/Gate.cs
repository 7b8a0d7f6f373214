using Tpwatch.Assertions;
using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>Turns the conditions of <c>--fail-on</c> into an exit code, and writes notes with the reasons.</summary>
static class Gate
{
    /// <summary>
    /// Returns 10 if a condition is met, and 12 if no condition is met and one cannot be answered. An earlier failure, which is a nonzero
    /// <paramref name="ours"/>, has precedence, except that a broken stream does not prevent 10.
    /// </summary>
    public static ExitCode Conclude(ExitCode ours, PoolReport report, ImmutableArray<Condition> failOn, CommandContext context)
    {
        if (ours is not (ExitCode.Done or ExitCode.Broken))
        {
            return ours;
        }

        var answers = failOn.Select(c => c.Look(report)).ToList();
        foreach (var answer in answers.Where(a => a.Outcome == Outcome.Met))
        {
            context.Note($"--fail-on {answer.Condition.Text} is met: {answer.Reason}");
        }

        foreach (var answer in answers.Where(a => a.Outcome == Outcome.Unanswered))
        {
            context.Note($"--fail-on {answer.Condition.Text} cannot be answered: {answer.Reason}");
        }

        return answers.Any(a => a.Outcome == Outcome.Met) ? ExitCode.Matched
            : ours == ExitCode.Done && answers.Any(a => a.Outcome == Outcome.Unanswered) ? ExitCode.Unanswered
            : ours;
    }
}
