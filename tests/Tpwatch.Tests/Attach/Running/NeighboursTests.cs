using System.Globalization;
using Tpwatch.Core;
using Tpwatch.Sessions;
using Tpwatch.Tests.Attach.Processes;

namespace Tpwatch.Tests.Attach.Running;

public sealed class NeighboursTests : IDisposable
{
    readonly FakeMachine fake = new();
    readonly Neighbours neighbours;

    public NeighboursTests()
    {
        fake.Folder.Write("proc/stat", "cpu  9 9 9 9\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 3\n");
        Used(77, "target", 0);
        Used(90, "builder", 1000);
        Used(91, "idle (sd)", 500);
        neighbours = new(fake.Machine);
    }

    public void Dispose() => fake.Dispose();

    [Fact]
    public void Two_looks_tell_who_uses_the_processors_and_the_target_is_none_of_them()
    {
        Assert.Empty(neighbours.Look(At(0), asks: 77));
        Used(77, "target", 2000);
        Used(90, "builder", 4000);
        Used(91, "idle (sd)", 600);
        Used(92, "newcomer", 1000);

        Assert.Equal([("builder", 90, 0.5), ("newcomer", 92, 0.167)],
            neighbours.Look(At(3000), asks: 77).Select(user => (user.Name, user.Pid, Math.Round(user.Share, 3))));
        Assert.Equal("target", neighbours.Look(At(3000), asks: 90)[0].Name);
    }

    [Fact]
    public void It_does_not_look_again_before_three_seconds_are_over()
    {
        neighbours.Look(At(0), asks: 77);
        Used(90, "builder", 3000);
        Assert.Empty(neighbours.Look(At(2900), asks: 77));
        Assert.Single(neighbours.Look(At(3000), asks: 77));
    }

    [Fact]
    public void What_was_used_while_nobody_looked_is_not_told()
    {
        neighbours.Look(At(0), asks: 77);
        Used(90, "builder", 60_000);
        Assert.Empty(neighbours.Look(At(60_000), asks: 77));
    }

    // User time in hundredths of a second, as the kernel tells it.
    void Used(int pid, string name, int ms) => fake.Write(pid, "stat", string.Create(CultureInfo.InvariantCulture,
        $"{pid} ({name}) S 1 1 1 0 -1 4194560 1 0 0 0 {ms / 10} 0 0 0 20 0 1 0 100 0 0\n"));

    static EventTime At(double ms) => new EventTime(1_000_000_000).PlusMs(ms);
}
