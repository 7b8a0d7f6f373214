using Tpwatch.Core;
using Tpwatch.Events;
using Tpwatch.Items;

namespace Tpwatch.Tests.Hostile;

/// <summary>A target that sends more items than its watching is worth.</summary>
public sealed class FloodTests
{
    const int ItemsASecond = 100_000;

    [Fact]
    public void A_flood_of_items_ends_their_session_with_a_sentence() =>
        Assert.Contains("no longer watched", SaidOf(withStacks: true), StringComparison.Ordinal);

    /// <summary>Without stacks an event costs a ninth.</summary>
    [Fact]
    public void What_can_be_taken_away_is_no_flood() => Assert.Null(SaidOf(withStacks: false));

    [Fact]
    public void Items_that_were_lost_end_it_at_once()
    {
        var tracker = new SideStreamTracker();
        tracker.On(new EventsLost(new EventTime(1), 1));
        Assert.Contains("were lost", new EventRateLimit(withStacks: false).Look(tracker), StringComparison.Ordinal);
    }

    static string? SaidOf(bool withStacks)
    {
        var (tracker, guard) = (new SideStreamTracker(), new EventRateLimit(withStacks));
        string? said = null;
        for (var item = 1; item <= 2 * ItemsASecond && said is null; item++)
        {
            tracker.On(new ItemQueued(new EventTime(item * (1_000_000_000L / ItemsASecond)), ThreadId: 1, item));
            said = item % 1000 == 0 ? guard.Look(tracker) : null;
        }

        return said;
    }
}
