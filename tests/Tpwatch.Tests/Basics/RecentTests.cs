using Tpwatch.Core;

namespace Tpwatch.Tests.Basics;

public sealed class RecentTests
{
    [Fact]
    public void The_newest_are_kept_in_order_whatever_is_added_removed_or_replaced()
    {
        var random = new Random(7);
        for (var capacity = 1; capacity < 12; capacity++)
        {
            Recent<int> recent = new(capacity);
            List<int> expected = [];
            for (var step = 0; step < 500; step++)
            {
                Change(random, recent, expected, capacity, step);
                Assert.Equal(expected, recent);
                Assert.Equal(expected.Count == capacity, recent.IsFull);
                Assert.Equal(expected.Skip(1), recent.From(1));
            }
        }
    }

    [Fact]
    public void Nothing_outside_of_what_is_kept_can_be_asked_for()
    {
        Recent<int> recent = new(2);
        recent.Add(1);
        recent.Add(2);
        recent.Add(3);
        Assert.Equal(2, recent[0]);
        Assert.Throws<IndexOutOfRangeException>(() => recent[-1]);
        Assert.Throws<IndexOutOfRangeException>(() => recent[2]);
    }

    static void Change(Random random, Recent<int> recent, List<int> expected, int capacity, int step)
    {
        switch (random.Next(8))
        {
            case 0 when expected.Count > 0:
                recent.RemoveNewest();
                expected.RemoveAt(expected.Count - 1);
                break;
            case 1 when expected.Count > 0:
                recent[^1] = expected[^1] = -step;
                break;
            case 2 when random.Next(20) == 0:
                recent.Clear();
                expected.Clear();
                break;
            default:
                recent.Add(step);
                expected.Add(step);
                expected.RemoveRange(0, Math.Max(0, expected.Count - capacity));
                break;
        }
    }
}
