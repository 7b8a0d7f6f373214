using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Findings;

/// <summary>What one moment tells of a pool: never more than can be seen without a duration.</summary>
public sealed class MomentTests
{
    static readonly InsideWait Blocked = new("Baskets.Total", "Task.Result", 4) { Workers = 4, End = WaitEnd.Socket };

    [Fact]
    public void All_blocked_and_items_wait() => Told(Verdict.Starved, Reading(working: 4, queued: 9, Blocked),
        "9 work items waited, and all 4 worker threads were blocked.");

    [Fact]
    public void No_more_threads_are_allowed() => Told(Verdict.StarvedAtMax, Reading(working: 4, queued: 9, Blocked, max: 4),
        "9 work items waited, all 4 worker threads were blocked, and MaxThreads (4) allows no more.");

    [Fact]
    public void What_they_wait_for_is_in_the_queue() => Told(
        Verdict.Starved, Reading(working: 4, queued: 9, Blocked with { End = WaitEnd.InQueue }, max: 4),
        "9 work items waited, and all 4 worker threads were blocked on tasks that need a worker thread themselves.");

    [Fact]
    public void Some_work() => Told(Verdict.Undecided, Reading(working: 6, queued: 9, Blocked),
        "9 work items waited. 4 worker threads were blocked, 2 worked. One moment does not tell for how long.");

    [Fact]
    public void Blocked_and_nothing_waits() => Told(Verdict.Undecided, Reading(working: 4, queued: 0, Blocked),
        "No work item waited, and 4 worker threads were blocked. One moment does not tell for how long.");

    [Fact]
    public void Nothing_is_wrong() => Told(Verdict.Healthy, Reading(working: 1, queued: 0),
        "No work item waited, and no worker thread was blocked. One moment does not tell what came before.");

    [Fact]
    public void No_worker_for_what_waits() => Told(Verdict.Undecided, Reading(working: 0, queued: 1),
        "1 work item waited, and no worker thread worked. One moment does not tell for how long.");

    [Fact]
    public void The_queue_is_not_known() => Told(Verdict.Undecided, Reading(working: 4, queued: 0, Blocked) with { Queue = null },
        "4 worker threads were blocked. What waits in the queue is not known.");

    static void Told(Verdict verdict, InsideReading reading, string sentence) => Assert.Equal(new(verdict, sentence), Moment.Of(reading));

    static InsideReading Reading(int working, int queued, InsideWait? wait = null, int max = 32767) => new()
    {
        At = default,
        Limits = new(4, max, working, 0),
        Queue = new(queued, 0, 0, 0, 0) { Named = queued },
        Waits = wait is null ? [] : [wait],
    };
}
