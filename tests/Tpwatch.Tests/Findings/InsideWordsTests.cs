using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Tests.Stacks;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Findings;

/// <summary>The sentences about a reading of the memory.</summary>
public sealed class InsideWordsTests
{
    static readonly InsideWait Wait = new("Baskets.Total", "Task.Result", 20) { Workers = 20, Chain = ["PriceAsync"] };

    public static TheoryData<WaitEnd, string> Ends => new()
    {
        { WaitEnd.InQueue, "PriceAsync, ready: its continuation waits for a worker thread" },
        { WaitEnd.DueTimer, "PriceAsync, due for 4.1 s: its callback waits for a worker thread" },
        { WaitEnd.Timer, "PriceAsync, not due yet" },
        { WaitEnd.Semaphore, "PriceAsync" },
        { WaitEnd.Promise, "PriceAsync, which no code has completed yet" },
        { WaitEnd.Running, "PriceAsync, which runs now" },
        { WaitEnd.Lock, "PriceAsync, held by thread 512, in Accounts.SlowAudit" },
        { WaitEnd.Unknown, "PriceAsync" },
    };

    [Theory]
    [MemberData(nameof(Ends))]
    public void A_wait_is_told_from_the_call_that_blocks_to_where_it_ends(WaitEnd end, string told) => Assert.Equal(
        $"20 worker threads: Baskets.Total > Task.Result waits for {told}",
        Of(Wait with { End = end, DueMs = 4100, Owner = "thread 512, in Accounts.SlowAudit" }));

    [Theory]
    [InlineData(20, 3, "20 worker threads: ")]
    [InlineData(61, 0, "20 worker threads: ")]
    [InlineData(61, 3, "at least 20 worker threads: ")]
    public void Threads_that_ran_may_wait_there_too(int working, int ran, string begins) =>
        Assert.StartsWith(begins, Of(Wait, working, ran), StringComparison.Ordinal);

    static string Of(InsideWait wait, int working = 0, int ran = 0) =>
        InsideWords.Of(wait, SomeInside.Starved() with { Waits = [wait], Limits = new(8, 100, working, 0), Running = ran });

    [Fact]
    public void What_is_not_known_is_said_and_long_paths_are_told_by_their_ends()
    {
        Assert.Equal(
            "3 threads (1 of the pool): Baskets.Total > Task.Result waits, for what is not known",
            Of(Wait with { Threads = 3, Workers = 1, Chain = [] }));
        Assert.Equal(
            "1 thread: Baskets.Total > Task.Result waits for A > B > C > ... > F > G > H",
            Of(Wait with { Threads = 1, Workers = 0, Chain = ["A", "B", "C", "D", "E", "F", "G", "H"] }));
        Assert.Equal("1 worker thread: Baskets.Total > Monitor.Enter waits for a lock",
            Of(new InsideWait("Baskets.Total", "Monitor.Enter", 1) { Workers = 1, End = WaitEnd.Lock }));
        Assert.Equal("owners of locks: The table of locks is of another version",
            InsideWords.Of(SomeInside.Starved().Unknown[0]));
    }

    [Fact]
    public void The_queue_is_told_by_kind_and_by_place()
    {
        var queue = SomeInside.Starved().Queue!;

        Assert.Equal("2 500 async OrderImporter.ImportAsync, 2 500 Stock.Recount, 2 other kinds", Plain(InsideWords.Kinds(queue, 2)));
        Assert.EndsWith("2 SocketAsyncEngine (38 inside)", InsideWords.Kinds(queue, 9), StringComparison.Ordinal);
        Assert.EndsWith(
            "; of 5 042 items, 20 were named", Plain(InsideWords.Kinds(queue with { Named = 20 }, 2)), StringComparison.Ordinal);
        Assert.Equal(
            "2 that run first, 5 000 in the global queue, 40 in the queues of worker threads", Plain(InsideWords.Places(queue)));
        Assert.Equal("empty", InsideWords.Places(new(0, 0, 0, 0, 0)));
        Assert.Null(InsideWords.Kinds(new(0, 0, 0, 0, 0), 3));
    }

    static string Plain(string? text) => text!.Replace('\u00a0', ' ');
}
