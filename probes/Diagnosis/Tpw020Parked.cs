using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Finds worker threads in loops that wait for work: nothing hangs, but fewer worker threads are left for other items.</summary>
sealed class Tpw020Parked : IFindingRule
{
    public string Id => "TPW020";
    public string Title => "Loops that wait for work keep worker threads";

    public FindingMeaning Text { get; } = new(
        "A loop runs as an item of the pool.",
        "It takes messages or connections with a call that blocks until there is one. Nothing hangs. But each such loop keeps a worker "
            + "thread for good, and MinThreads counts it.",
        "Stacks or the memory of the process show worker threads in calls that wait for work. Such calls are BlockingCollection.Take, "
            + "Socket.Accept, or Consume of a Kafka consumer.",
        "Run each loop on a thread of its own: Task.Factory.StartNew with LongRunning, or new Thread. Or take the work with await.",
        "A loop on a worker thread that the program can spare.");

    public FindingCause Cause(PoolEvidence report) => new(CauseKind.Effect, "loops that wait for work keep worker threads");

    public FindingRuleAnswer Look(PoolEvidence report)
    {
        if (!report.HasStacks)
        {
            // Stacks are needed only if worker threads may hang; otherwise it does not matter what the worker threads do.
            return MissingEvidence.ClearUnlessHanging(
                report, "only stacks or the memory of the process tell a loop that waits for work from a hang");
        }

        if (report.Blockers!.Value.FirstOrDefault(b => b.IsParked) is not { } first)
        {
            return new FindingRuleAnswer.Clear();
        }

        var threads = report.Bursts!.Parked;
        return new FindingRuleAnswer.Found(new(
            Id, Title, Severity.Note, Confidence.High, report.Bursts.Taken[0].At, report.Bursts.Taken[^1].At,
            $"{Format.Plural(threads, "worker thread")} wait{(threads == 1 ? "s" : "")} for work, most in {first.Chain}.",
            [new("Worker threads that wait for work", threads, "workers", "stacks")],
            [new("Run each of these loops on a thread of its own (TaskCreationOptions.LongRunning), or take the work with await.")]));
    }
}
