namespace Tpwatch.Scoring.Scores;

/// <summary>
/// The goals of one measuring command: each is said with what was measured, and one that is missed makes the command end with 1. What could
/// not be measured is missed, too, since a measurement that yields nothing proves nothing.
/// </summary>
sealed class Goals
{
    readonly List<string> missed = [];

    /// <summary>0 when all are met.</summary>
    public int ExitCode => missed.Count > 0 ? 1 : 0;

    /// <summary>The missed ones, a line each.</summary>
    public IEnumerable<string> Missed => missed.Select(what => $"missed: {what}");

    /// <summary>A goal whose measure is a sentence of its own.</summary>
    public Goals Add(string what, bool met)
    {
        if (!met)
        {
            missed.Add(what);
        }

        return this;
    }

    public Goals AtMost(string what, double measured, double targetThreads) =>
        Add(FormattableString.Invariant($"{what}: {measured:0.###}, at most {targetThreads:0.###}"), measured <= targetThreads);

    public Goals AtLeast(string what, double measured, double targetThreads) =>
        Add(FormattableString.Invariant($"{what}: {measured:0.###}, at least {targetThreads:0.###}"), measured >= targetThreads);

    /// <summary>Says what was missed; the exit code.</summary>
    public int Conclude()
    {
        foreach (var line in Missed)
        {
            Console.WriteLine(line);
        }

        return ExitCode;
    }
}
