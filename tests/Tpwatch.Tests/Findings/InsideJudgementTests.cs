using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Findings;

/// <summary>
/// What one moment tells of a pool: never more than can be seen without a duration. The catalogue of sentences holds what is said.
/// </summary>
public sealed class InsideJudgementTests
{
    [Theory]
    [InlineData(4, 9, WaitEnd.Socket, 32767, Verdict.Starved)]
    [InlineData(4, 9, WaitEnd.Socket, 4, Verdict.StarvedAtMax)]
    [InlineData(4, 9, WaitEnd.InQueue, 4, Verdict.Starved)]
    [InlineData(6, 9, WaitEnd.Socket, 32767, Verdict.Undecided)]
    [InlineData(4, 0, WaitEnd.Socket, 32767, Verdict.Undecided)]
    [InlineData(4, null, WaitEnd.Socket, 32767, Verdict.Undecided)]
    [InlineData(1, 0, null, 32767, Verdict.Healthy)]
    [InlineData(0, 1, null, 32767, Verdict.Undecided)]
    public void The_verdict_is_that_of_queue_and_threads(int working, int? queued, WaitEnd? blocked, int max, Verdict verdict) =>
        Assert.Equal(verdict, InsideJudgement.Of(new()
        {
            At = default,
            Limits = new(4, max, working, 0),
            Queue = queued is { } items ? new(items, 0, 0, 0, 0) { Named = items } : null,
            Waits = blocked is { } end ? [new("Baskets.Total", "Task.Result", 4) { Workers = 4, End = end }] : [],
        }).Verdict);

    [Theory]
    [InlineData(20, 3, false)]
    [InlineData(61, 0, false)]
    [InlineData(61, 3, true)]
    public void Threads_that_ran_may_wait_there_too(int working, int ran, bool missed) => Assert.Equal(missed, new InsideReading
    {
        At = default, Limits = new(8, 100, working, 0), Running = ran,
        Waits = [new("Baskets.Total", "Task.Result", 20) { Workers = 20 }],
    }.MissesWorkers);
}
