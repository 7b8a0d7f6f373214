using Tpwatch.Assertions;
using Tpwatch.Options;

namespace Tpwatch.Run;

/// <summary>From what <c>--fail-on</c> asked to an exit code, with the reason said.</summary>
static class Gate
{
    /// <summary>
    /// 10 where a condition is met, which a stream that broke later does not undo; 12 where none
    /// is and one cannot be answered; ours otherwise.
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
