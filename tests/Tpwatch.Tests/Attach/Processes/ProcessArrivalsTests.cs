using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Processes;

/// <summary>Processes are told once, when they are old enough, and again when somebody asks for it.</summary>
public sealed class ProcessArrivalsTests : IDisposable
{
    // Started at 1 s after boot.
    readonly FakeMachine fake = new();

    public void Dispose() => fake.Dispose();

    [Fact]
    public void A_process_is_told_once_and_not_before_it_is_old_enough()
    {
        var arrivals = At(seconds: 5);
        Add(10);
        Assert.Empty(arrivals.Look());
        Uptime(11.5);
        var found = Assert.Single(arrivals.Look());
        Assert.Equal((10, "Orders", "dotnet"), (found.Pid, found.Name, found.Executable));
        Assert.Empty(arrivals.Look());
    }

    [Fact]
    public void We_are_none_of_them_and_neither_is_a_program_of_another_kind()
    {
        var arrivals = At(seconds: 100);
        fake.Add(11, "bash");
        fake.Write(FakeMachine.Self, "maps", FakeMachine.RuntimeMap);
        Assert.Empty(arrivals.Look());
    }

    [Fact]
    public void A_script_that_becomes_a_program_of_ours_is_found_within_a_minute()
    {
        var arrivals = At(seconds: 100);
        fake.Add(11, "bash");
        Assert.Empty(arrivals.Look());
        fake.AddSocket(11);
        Uptime(130);
        Assert.Empty(arrivals.Look());
        Uptime(161);
        Assert.Equal(11, Assert.Single(arrivals.Look()).Pid);
    }

    [Fact]
    public void Who_cannot_be_watched_is_told_once_and_again_when_it_can()
    {
        var arrivals = At(seconds: 100);
        fake.AddDotnet(10, "Orders");
        Assert.NotNull(Assert.Single(arrivals.Look()).WhyNot);
        Uptime(161);
        Assert.Empty(arrivals.Look());
        fake.AddSocket(10);
        Uptime(222);
        Assert.Null(Assert.Single(arrivals.Look()).WhyNot);
    }

    [Fact]
    public void Who_was_left_comes_again_after_so_long()
    {
        var arrivals = At(seconds: 100);
        Add(10);
        Assert.Single(arrivals.Look());
        arrivals.Forget(10, afterMs: 10_000);
        Uptime(105);
        Assert.Empty(arrivals.Look());
        Uptime(111);
        Assert.Single(arrivals.Look());
    }

    [Fact]
    public void A_number_that_is_used_again_is_another_process()
    {
        var arrivals = At(seconds: 100);
        Add(10);
        Assert.Single(arrivals.Look());
        Directory.Delete(fake.Folder["proc/10"], recursive: true);
        Assert.Empty(arrivals.Look());
        Add(10);
        Assert.Single(arrivals.Look());
    }

    [Theory]
    [InlineData("0::/system.slice/docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope\n", "0123456789ab")]
    [InlineData("12:cpu:/kubepods/besteffort/pod1/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n", "0123456789ab")]
    [InlineData("0::/user.slice/user-1000.slice\n", null)]
    [InlineData("0::/\n", null)]
    [InlineData(null, null)]
    public void A_container_is_known_by_its_group(string? groups, string? id) => Assert.Equal(id, ContainerId.Of(groups));

    ProcessArrivals At(double seconds)
    {
        Uptime(seconds);
        return new(fake.Machine, oldEnoughMs: 10_000);
    }

    void Uptime(double seconds) => fake.Folder.Write("proc/uptime", FormattableString.Invariant($"{seconds:0.00} 1.00\n"));

    void Add(int pid)
    {
        fake.AddDotnet(pid, "Orders");
        fake.AddSocket(pid);
    }
}
