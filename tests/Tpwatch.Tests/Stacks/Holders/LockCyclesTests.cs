using System.Collections.Immutable;
using System.Globalization;
using Tpwatch.Reports;
using Tpwatch.Stacks;

namespace Tpwatch.Tests.Stacks.Holders;

/// <summary>Threads that wait for each other's locks.</summary>
public sealed class LockCyclesTests
{
    /// <summary>Who waits for whom, as <c>waiter>owner</c>; the threads of the cycle, how many are blocked, of whom workers.</summary>
    public static TheoryData<string, string, int, int> Waits => new()
    {
        { "1>2 2>1", "1 2", 2, 2 },
        { "3>1 2>3 1>2", "1 2 3", 3, 3 },
        { "1>2 2>1 3>1 4>3", "1 2", 4, 4 },
        { "101>1 1>101 2>101", "1 101", 3, 2 },
        { "1>2 2>1 3>4 4>3 5>4", "3 4", 3, 3 },
    };

    [Theory]
    [MemberData(nameof(Waits))]
    public void A_cycle_is_found_with_all_that_it_blocks(string waits, string cycle, int blocked, int workers)
    {
        var found = Of(waits)!;

        Assert.Equal(cycle, string.Join(' ', found.Threads.Order()));
        Assert.Equal((blocked, workers), (found.Blocked, found.Workers));
        Assert.All(found.Places, place => Assert.Equal("Orders.Load > Monitor.Enter", place));
    }

    [Theory]
    [InlineData("")]
    [InlineData("1>2")]
    [InlineData("1>2 2>3 4>3")]
    [InlineData("1>1")]
    public void A_chain_of_owners_that_ends_is_none(string waits) => Assert.Null(Of(waits));

    [Fact]
    public void Who_has_no_stack_is_a_thread_that_waits_for_a_lock()
    {
        var found = LockCycles.Of(new Dictionary<int, int> { [1] = 2, [2] = 1 }, ImmutableDictionary<int, StackClassifier>.Empty)!;

        Assert.Equal(["a lock", "a lock"], found.Places);
        Assert.Equal(0, found.Workers);
    }

    static LockCycle? Of(string waits)
    {
        var owners = waits.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(pair => pair.Split('>'))
            .ToDictionary(pair => Number(pair[0]), pair => Number(pair[1]));
        return LockCycles.Of(owners, owners.Keys.ToDictionary(
            id => id, id => StackClassifier.Of(id > 100 ? Sampled.Started(id, Sampled.Lock) : Sampled.At(id, Sampled.Lock))));
    }

    static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
