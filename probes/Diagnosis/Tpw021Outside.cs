using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>Finds the program's own code blocked on a thread outside the pool; such a hang does not depend on the pool.</summary>
sealed class Tpw021Outside : IFindingRule
{
    /// <summary>Maximum number of places that are shown as evidence.</summary>
    const int Told = 3;

    public string Id => LeadingFinding.OutsideId;
    public string Title => "Own code is blocked on a thread outside the pool";

    public FindingMeaning Text { get; } = new(
        "Some threads serve a whole program: a UI loop, the finalizer thread, a thread of sockets or libraries.",
        "While own code blocks such a thread, nothing else runs on it. Items and requests that need that thread hang as well.",
        "Stacks or the memory of the process show own code in a blocking call on such a thread. Threads that the program started count "
            + "only while they wait for a task or a lock.",
        "Do not block on these threads: await instead, or hand the work to the pool. In a finalizer, take no lock.",
        "A main thread that waits for the end of the program. A thread of a library that is meant to run long jobs.");

    public FindingCause Cause(PoolEvidence report) => new(CauseKind.Effect, "own code is blocked on a thread outside the pool");

    public FindingRuleAnswer Look(PoolEvidence report) =>
        report.Bursts is not { Taken.IsEmpty: false } bursts
            ? MissingEvidence.ClearUnlessHanging(report, "only stacks or the memory of the process show threads outside the pool")
        : bursts.Outside is [var first, ..] outside
            ? new FindingRuleAnswer.Found(new(
                Id, Title, outside.Any(IsWrong) ? Severity.Warning : Severity.Note, Confidence.Medium,
                outside.Select(o => o.Seen.From).Min(), first.Seen.To, Headline(first),
                [
                    .. outside.Take(Told).Select(o =>
                        new Evidence($"{Capital(Who(o))} in {o.Chain}", o.Threads, "threads", bursts.AreReadings ? "memory" : "stacks")),
                ],
                [Mend(first)]))
        : new FindingRuleAnswer.Clear();

    /// <summary>The thread in words: <c>the finalizer thread</c>, <c>a thread of RabbitMQ.Client</c>.</summary>
    public static string Who(OutsideThread thread) => thread.Home switch
    {
        ThreadOrigin.Finalizer => "the finalizer thread",
        ThreadOrigin.Main => "the main thread",
        ThreadOrigin.Sockets => "a .NET Sockets thread",
        ThreadOrigin.Library => $"a thread of {thread.Library}",
        _ => "a thread that the program started",
    };

    // Whether the blocking is certainly wrong: on the finalizer thread, on a socket thread, or at a lock. Other cases are uncertain.
    static bool IsWrong(OutsideThread thread) =>
        thread.Home is ThreadOrigin.Finalizer or ThreadOrigin.Sockets || thread.Kind == BlockKind.Lock;

    static string Headline(OutsideThread thread) =>
        $"{Capital(Who(thread))} {(thread.Seen.Ms > 0 ? $"was blocked for {Format.Duration(thread.Seen.Ms)} or more" : "was blocked")} "
            + $"in {thread.Chain}.";

    static Remedy Mend(OutsideThread thread) => new(thread.Home switch
    {
        ThreadOrigin.Finalizer => "Do not block in a finalizer: take no lock there, and wait for nothing. "
            + "Until it ends, no other finalizer runs.",
        ThreadOrigin.Sockets => "Do not block where a socket's data arrives: await, or hand the work to the pool. "
            + "This thread serves many sockets.",
        ThreadOrigin.Library => $"Do not block in code that {thread.Library} calls: await, or hand the work to the pool.",
        _ when thread.Kind == BlockKind.Lock => "Find which thread holds the lock, and what it waits for. "
            + "Never wait while you hold a lock.",
        _ => "Await the task. If the task needs this thread to go on (a UI or message loop), neither ever ends.",
    });

    static string Capital(string text) => char.ToUpperInvariant(text[0]) + text[1..];
}
