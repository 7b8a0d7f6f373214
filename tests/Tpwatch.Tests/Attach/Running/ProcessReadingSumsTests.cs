using Tpwatch.Core;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Targets;
using Tpwatch.Tests.Attach.Processes;

namespace Tpwatch.Tests.Attach.Running;

public sealed class ProcessReadingSumsTests : IDisposable
{
    const int Pid = 77;
    const int GateThread = 80;

    readonly FakeMachine fake = new();

    public ProcessReadingSumsTests()
    {
        fake.Add(Pid, "dotnet");
        Wait(Pid, 5, "dotnet");
        Wait(GateThread, 3, ".NET TP Gate");
        fake.Write(Pid, "cgroup", "0::/app.slice/a.scope\n");
        fake.Write(FakeMachine.Self, "mountinfo", $"30 22 0:27 / {fake.Folder["cgroup"]} rw,relatime - cgroup2 cgroup2 rw\n");
        fake.Folder.Write("cgroup/app.slice/a.scope/memory.max", "max\n");
        fake.Folder.Write("proc/meminfo", "MemTotal:  1000 kB\nMemFree: 10 kB\nMemAvailable:  600 kB\n");
    }

    SystemPaths Machine => fake.Machine;

    public void Dispose() => fake.Dispose();

    [Fact]
    public void Waits_are_those_since_the_reading_before_and_the_gate_is_known_by_its_name()
    {
        var sums = Sums();
        sums.Take(At(0));
        sums.Reading(At(0), default);
        Wait(Pid, 45, "dotnet");
        Wait(GateThread, 10, ".NET TP Gate");
        sums.Take(At(1000));

        Assert.True(sums.SaysSomethingNew);
        var reading = sums.Reading(At(1000), default);
        Assert.Equal((40.0, 7.0, 1000.0), (reading.WaitMs, reading.GateWaitMs, reading.IntervalMs));
        Assert.Equal(0.4, reading.MemoryLoad);
        Assert.Null(reading.ThrottledMs);
    }

    [Fact]
    public void Crowded_is_when_a_thread_waited_for_a_quarter_of_the_time()
    {
        var sums = Sums();
        sums.Take(At(0));
        Assert.False(sums.IsCrowded);
        sums.Reading(At(0), default);
        Wait(Pid, 245, "dotnet");
        sums.Take(At(1000));
        Assert.False(sums.IsCrowded);
        Wait(Pid, 265, "dotnet");
        sums.Take(At(1000));
        Assert.True(sums.IsCrowded);
    }

    [Fact]
    public void Small_sums_grow_until_they_are_worth_a_reading()
    {
        var sums = Sums();
        sums.Take(At(0));
        sums.Reading(At(0), default);
        Wait(Pid, 11, "dotnet");
        sums.Take(At(1000));
        Assert.False(sums.SaysSomethingNew);
        Wait(Pid, 17, "dotnet");
        sums.Take(At(2000));

        Assert.True(sums.SaysSomethingNew);
        Assert.Equal((12.0, 2000.0), (sums.Reading(At(2000), default).WaitMs, 2000.0));
    }

    [Fact]
    public void A_quiet_process_is_told_of_every_ten_seconds()
    {
        var sums = Sums();
        sums.Take(At(0));
        sums.Reading(At(0), default);
        sums.Take(At(9_000));
        Assert.False(sums.SaysSomethingNew);
        sums.Take(At(10_000));
        Assert.True(sums.SaysSomethingNew);
    }

    [Fact]
    public void A_kernel_without_scheduler_statistics_is_unknown_and_not_zero()
    {
        fake.Add(78, "other");
        var sums = new ProcessReadingSums(
            new ProcessorWaits(Machine.Tree, 78), ControlGroup.Of(Machine, 78),
            new MemoryLoadReader(Machine, ControlGroup.Of(Machine, 78)));
        sums.Take(At(0));

        Assert.Equal((null, null), (sums.Reading(At(0), default).WaitMs, sums.Reading(At(0), default).GateWaitMs));
    }

    [Fact]
    public void Throttling_is_that_of_the_tightest_group_above()
    {
        fake.Folder.Write("cgroup/cpu.stat", "usage_usec 1\n");
        fake.Folder.Write("cgroup/app.slice/cpu.stat", "usage_usec 1\nnr_throttled 4\nthrottled_usec 200000\n");
        fake.Folder.Write("cgroup/app.slice/a.scope/cpu.stat", "usage_usec 1\nthrottled_usec 0\n");
        var sums = Sums();
        sums.Take(At(0));
        sums.Reading(At(0), default);
        fake.Folder.Write("cgroup/app.slice/cpu.stat", "usage_usec 1\nnr_throttled 9\nthrottled_usec 450000\n");
        sums.Take(At(1000));

        Assert.Equal(250, sums.Reading(At(1000), default).ThrottledMs);
    }

    [Fact]
    public void A_group_above_that_was_throttled_for_long_before_hides_nothing()
    {
        fake.Folder.Write("cgroup/app.slice/cpu.stat", "throttled_usec 900000000\n");
        fake.Folder.Write("cgroup/app.slice/a.scope/cpu.stat", "throttled_usec 0\n");
        var sums = Sums();
        sums.Take(At(0));
        sums.Reading(At(0), default);
        fake.Folder.Write("cgroup/app.slice/a.scope/cpu.stat", "throttled_usec 800000\n");
        sums.Take(At(1000));

        Assert.Equal(800, sums.Reading(At(1000), default).ThrottledMs);
    }

    [Fact]
    public void Throttled_on_many_processors_is_no_longer_than_the_periods_in_which_it_was()
    {
        fake.Folder.Write("cgroup/app.slice/a.scope/cpu.max", "1600000 100000\n");
        fake.Folder.Write("cgroup/app.slice/a.scope/cpu.stat", "nr_periods 100\nnr_throttled 4\nthrottled_usec 0\n");
        var sums = Sums();
        sums.Take(At(0));
        sums.Reading(At(0), default);
        fake.Folder.Write("cgroup/app.slice/a.scope/cpu.stat", "nr_periods 150\nnr_throttled 9\nthrottled_usec 8000000\n");
        sums.Take(At(5000));

        Assert.Equal(600, sums.Reading(At(5000), default).ThrottledMs);
    }

    // Row 9: sums were taken every four seconds while nothing waits, and a look of five seconds saw what fell into them.
    [Theory]
    [InlineData(1000)]
    [InlineData(4000)]
    [InlineData(6000)]
    public void A_look_knows_what_was_throttled_from_its_begin_to_its_end_however_often_it_took_the_sums(double betweenSumsMs)
    {
        Throttled(ms: 70_000);
        using var look = new ProcessSampler(Machine, Pid, new Neighbours(Machine));
        for (var ms = 0; ms < 5000; ms += 100)
        {
            Throttled(70_000 + 0.88 * ms);
            look.Look(() => At(ms), betweenSumsMs);
        }

        Throttled(70_000 + 0.88 * 5000);
        look.Conclude(() => At(5000));

        List<ProcessReading> all = [];
        while (look.TryTake(At(5000), out var reading))
        {
            all.Add(reading);
        }

        Assert.Equal((4400.0, 5000.0), (all.Sum(r => r.ThrottledMs ?? 0), all.Sum(r => r.IntervalMs)));
    }

    [Fact]
    public void A_session_that_ends_takes_a_last_look()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Sampling is for Linux.");
        Throttled(ms: 10);
        using var sampling = new DedicatedProcessSampling(Machine, Pid);
        sampling.ItemsWait(now: false);
        ProcessReading reading = default;
        bool Taken() => sampling.TryTake(new EventTime(long.MaxValue), out reading);
        Assert.True(SpinWait.SpinUntil(Taken, 10_000));
        Throttled(ms: 10_000);
        sampling.Conclude();

        // The thread may get no processor for longer than Conclude waits for it.
        Assert.True(SpinWait.SpinUntil(Taken, 10_000));
        Assert.True(reading.ThrottledMs > 0);
    }

    [Fact]
    public void A_stop_is_told_from_its_first_look_to_its_last()
    {
        var state = new ProcessRunState(Machine.Tree, Pid, ControlGroup.Of(Machine, Pid));
        Assert.Equal(new ProcessStopState(false, null, null, false), state.Look(At(0)));
        Process('T');
        Assert.Equal(new ProcessStopState(true, At(100), At(100), true), state.Look(At(100)));
        Assert.Equal(new ProcessStopState(true, At(100), At(200), false), state.Look(At(200)));
        Process('S');
        Assert.Equal(new ProcessStopState(false, At(100), At(200), true), state.Look(At(300)));
        Assert.Equal(new ProcessStopState(false, null, null, false), state.Look(At(400)));
    }

    [Fact]
    public void A_paused_container_is_stopped_too()
    {
        fake.Folder.Write("cgroup/app.slice/a.scope/cgroup.events", "populated 1\nfrozen 1\n");

        Assert.True(new ProcessRunState(Machine.Tree, Pid, ControlGroup.Of(Machine, Pid)).Look(At(0)).Stopped);
    }

    [Fact]
    public void A_process_that_is_gone_is_not_stopped_and_waits_for_nothing()
    {
        var state = new ProcessRunState(Machine.Tree, 99, ControlGroup.Of(Machine, 99));
        var sums = new ProcessReadingSums(
            new ProcessorWaits(Machine.Tree, 99), ControlGroup.Of(Machine, 99),
            new MemoryLoadReader(Machine, ControlGroup.Of(Machine, 99)));
        sums.Take(At(0));

        Assert.False(state.Look(At(0)).Stopped);
        Assert.Null(sums.Reading(At(0), default).WaitMs);
    }

    ProcessReadingSums Sums()
    {
        var group = ControlGroup.Of(Machine, Pid);
        return new(new ProcessorWaits(Machine.Tree, Pid), group, new MemoryLoadReader(Machine, group));
    }

    void Throttled(double ms) =>
        fake.Folder.Write("cgroup/app.slice/a.scope/cpu.stat", FormattableString.Invariant($"throttled_usec {ms * 1000:0}\n"));

    void Wait(int thread, double ms, string name)
    {
        fake.Write(Pid, FormattableString.Invariant($"task/{thread}/schedstat"), FormattableString.Invariant($"123456 {ms * 1e6:0} 7\n"));
        fake.Write(Pid, FormattableString.Invariant($"task/{thread}/comm"), name + "\n");
    }

    void Process(char state) => fake.Write(Pid, "stat", $"77 (dotnet) {state} 1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 100 0 0\n");

    static EventTime At(double ms) => new EventTime(1_000_000_000).PlusMs(ms);
}
