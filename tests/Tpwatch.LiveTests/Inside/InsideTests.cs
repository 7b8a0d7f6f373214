using System.Collections.Immutable;
using Tpwatch.Fixtures.Inside.Truth;

namespace Tpwatch.LiveTests.Inside;

/// <summary>What the memory of a process says, against what the process itself says, on every runtime.</summary>
[Collection(InsideCollection.Name)]
public sealed class InsideTests(InsideRuns runs)
{
    const int LimitMs = 6 * 60 * 1000;

    /// <summary>A search of the heap begins that long after the reading's start at most, which a busy machine may exceed.</summary>
    const double SearchesWithinMs = 1500;

    public static TheoryData<TargetRuntime> Runtimes { get; } = [.. InsideRuns.Runtimes];

    public static TheoryData<TargetRuntime, string> Blocked()
    {
        var data = new TheoryData<TargetRuntime, string>();
        foreach (var (runtime, mode) in InsideRuns.Runtimes.SelectMany(
            _ => (string[])["waits", "ready", "due", "locks"], (runtime, mode) => (runtime, mode)))
        {
            data.Add(runtime, mode);
        }

        return data;
    }

    public static TheoryData<TargetRuntime, string> Queues()
    {
        var data = new TheoryData<TargetRuntime, string>();
        foreach (var (runtime, mode) in InsideRuns.Runtimes.SelectMany(
            _ => (string[])["queue", "timers", "local", "ready"], (runtime, mode) => (runtime, mode)))
        {
            data.Add(runtime, mode);
        }

        return data;
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Runtimes))]
    public async Task The_limits_that_a_call_has_set(TargetRuntime runtime)
    {
        var (truth, seen) = await runs.OfAsync(runtime, "limits");
        Assert.Equal(new LimitsTruth(13, 77), truth.Limits);
        Assert.Equal((13, 77), (seen.Limit("minThreads"), seen.Limit("maxThreads")));
        Assert.Equal(0, seen.Limit("working"));
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Blocked))]
    public async Task The_limits_and_the_working_threads_of_a_pool_that_is_blocked(TargetRuntime runtime, string mode)
    {
        var (truth, seen) = await runs.OfAsync(runtime, mode);
        Assert.Equal(truth.Limits, new(seen.Limit("minThreads"), seen.Limit("maxThreads")));
        // Waiting for a task lets the pool have more of them; none of those has anything to do here.
        Assert.Equal(truth.Waits.Sum(wait => wait.Workers), seen.Limit("working"));
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Queues))]
    public async Task Every_item_of_the_queues_is_counted_and_named(TargetRuntime runtime, string mode)
    {
        var (truth, seen) = await runs.OfAsync(runtime, mode);
        var queue = truth.Queue!;
        Assert.Equal((queue.Global, queue.Local), (seen.Queued("global") + seen.Queued("assignable"), seen.Queued("local")));
        Assert.Equal((queue.Global + queue.Local, queue.Global + queue.Local), (seen.Queued("total"), seen.Queued("named")));
        Assert.All(queue.Kinds, kind => Assert.True(
            seen.Kind(kind.Key) == kind.Value, $"{kind.Key}: {seen.Kind(kind.Key)} instead of {kind.Value}\n{seen.Line}"));
        Assert.Equal(queue.Kinds.Keys.Where(IsAsync).Sum(kind => queue.Kinds[kind]), seen.Resumed());
        Assert.Equal(queue.Kinds.Count, seen.Kinds().Count);
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Blocked))]
    public async Task Every_thread_that_waits_is_there_with_the_method_that_blocks(TargetRuntime runtime, string mode)
    {
        var (truth, seen) = await runs.OfAsync(runtime, mode);
        Assert.All(truth.Waits, wait =>
        {
            var found = seen.In(wait.Frame);
            Assert.True(found.Sum(one => one.Threads) == wait.Threads, $"{wait.Frame}: {Told(found)}\n{seen.Line}");
            Assert.Equal(wait.Workers, found.Sum(one => one.Workers));
            Assert.All(found, one => Assert.NotEmpty(one.Call));
        });
        Assert.True(seen.Threads >= truth.Waits.Sum(wait => wait.Threads), seen.Line);
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Blocked))]
    public async Task Each_wait_is_followed_to_its_end_by_what_is_awaited(TargetRuntime runtime, string mode)
    {
        var (truth, seen) = await runs.OfAsync(runtime, mode);
        Assert.All(truth.Waits, wait => Assert.True(
            seen.Right(wait) == wait.Threads, $"{wait}: {Told(seen.In(wait.Frame))}\n{seen.Line}"));
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Runtimes))]
    public async Task A_timer_that_no_worker_serves_tells_since_when_it_is_due(TargetRuntime runtime)
    {
        var (truth, seen) = await runs.OfAsync(runtime, "due");
        // 500 ms of pause, a second of rest; how long the reader took to start is the machine's affair.
        Assert.InRange(seen.In(truth.Waits[0].Frame).Max(wait => wait.DueMs) ?? -1, 400, 30_000);
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Runtimes))]
    public async Task Nothing_that_is_due_is_told_where_nothing_is(TargetRuntime runtime)
    {
        var (_, seen) = await runs.OfAsync(runtime, "waits");
        Assert.DoesNotContain(seen.Waits, wait => wait.End is "inQueue" or "dueTimer" || wait.DueMs is not null);
        Assert.Equal(0, seen.Queued("total"));
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Runtimes))]
    public async Task The_owner_of_a_lock_is_named_by_what_it_does(TargetRuntime runtime)
    {
        var (truth, seen) = await runs.OfAsync(runtime, "locks");
        Assert.Equal(runtime == TargetRuntime.Net8 ? 2 : 3, truth.Waits.Length);
        Assert.All(truth.Waits, wait => Assert.All(seen.In(wait.Frame), one =>
        {
            Assert.Contains(wait.Owner!, one.Owner, StringComparison.Ordinal);
            Assert.Matches(@"\bthread \d+", one.Owner);
        }));
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Runtimes))]
    public async Task A_search_of_the_heap_names_the_field_that_keeps_a_promise(TargetRuntime runtime)
    {
        await using var target = await InsideTarget.AtRestAsync(runtime, "waits", TestContext.Current.CancellationToken);
        var wait = Assert.Single(target.Truth.Waits, wait => wait.Holder is not null);
        SeenInside seen;
        do
        {
            seen = await InsideCommand.ReadAsync(target.Pid, TestContext.Current.CancellationToken, "--scan");
        }
        while (seen.Ms > SearchesWithinMs && !seen.In(wait.Frame).Any(one => one.Chain[^1].Contains(" in ", StringComparison.Ordinal)));

        var found = Assert.Single(seen.In(wait.Frame));
        Assert.EndsWith(" in " + wait.Holder, found.Chain[^1], StringComparison.Ordinal);
        Assert.Equal(wait.Threads, seen.Right(wait));
    }

    static bool IsAsync(string kind) => kind.StartsWith("async ", StringComparison.Ordinal);

    static string Told(ImmutableArray<SeenWait> found) => string.Join(
        "; ", found.Select(wait => $"{wait.Threads} in {wait.Call} for {string.Join(" > ", wait.Chain)}, end {wait.End}"));
}
