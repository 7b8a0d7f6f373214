using Tpwatch.Sessions;
using Tpwatch.Tests.Attach.Processes;

namespace Tpwatch.Tests.Attach.Running;

public sealed class ControlGroupTests : IDisposable
{
    const int Pid = 77;

    // What version 1 says where there is no limit.
    const string NoLimit = "9223372036854771712\n";

    readonly FakeMachine fake = new();

    public ControlGroupTests()
    {
        fake.Add(Pid, "dotnet");
        fake.Folder.Write("proc/meminfo", "MemTotal:  1000 kB\nMemFree: 10 kB\nMemAvailable:  600 kB\n");
    }

    ControlGroup Group => ControlGroup.Of(fake.Machine, Pid);

    double? Load => new MemoryLoadReader(fake.Machine, Group).Load();

    public void Dispose() => fake.Dispose();

    [Fact]
    public void Of_version_2_the_collector_reckons_its_own_use_of_the_lowest_limit()
    {
        Two("/app.slice/a.scope");
        fake.Folder.Write("two/app.slice/memory.max", "1000\n");
        fake.Folder.Write("two/app.slice/memory.current", "990\n");
        fake.Folder.Write("two/app.slice/a.scope/memory.max", "max\n");
        fake.Folder.Write("two/app.slice/a.scope/memory.current", "550\n");
        fake.Folder.Write("two/app.slice/a.scope/memory.stat", "anon 1\ninactive_file 50\n");

        Assert.Equal(0.5, Load);
    }

    [Fact]
    public void Of_version_1_too()
    {
        One("/docker/a", root: "/docker/a");
        fake.Folder.Write("one/memory/memory.limit_in_bytes", "400000\n");
        fake.Folder.Write("one/memory/memory.usage_in_bytes", "340000\n");
        fake.Folder.Write("one/memory/memory.stat", "inactive_file 7\nhierarchical_memory_limit 400000\ntotal_inactive_file 20000\n");

        Assert.Equal(0.8, Load);
    }

    [Fact]
    public void Of_version_1_a_limit_above_stands_in_its_statistics()
    {
        One("/pod/a", root: "/pod/a");
        fake.Folder.Write("one/memory/memory.limit_in_bytes", NoLimit);
        fake.Folder.Write("one/memory/memory.usage_in_bytes", "300000\n");
        fake.Folder.Write("one/memory/memory.stat", "hierarchical_memory_limit 400000\n");

        Assert.Equal(0.75, Load);
    }

    [Fact]
    public void Below_a_group_of_version_1_its_own_is_read()
    {
        One("/a/b", root: "/");
        fake.Folder.Write("one/memory/memory.limit_in_bytes", NoLimit);
        fake.Folder.Write("one/memory/a/b/memory.limit_in_bytes", "400000\n");
        fake.Folder.Write("one/memory/a/b/memory.usage_in_bytes", "100000\n");

        Assert.Equal(0.25, Load);
    }

    [Fact]
    public void A_limit_above_the_machines_memory_counts_as_much_as_that()
    {
        One("/a", root: "/a");
        fake.Folder.Write("one/memory/memory.limit_in_bytes", "2048000\n");
        fake.Folder.Write("one/memory/memory.usage_in_bytes", "512000\n");

        Assert.Equal(0.5, Load);
    }

    [Fact]
    public void Without_a_limit_memory_is_the_machines()
    {
        One("/a", root: "/a");
        fake.Folder.Write("one/memory/memory.limit_in_bytes", NoLimit);
        Assert.Equal(0.4, Load);

        Two("/");
        fake.Folder.Write("two/cgroup.procs", "");
        Assert.Equal(0.4, Load);
    }

    [Theory]
    [InlineData("4:memory:/docker/b\n2:cpu:/docker/b\n0::/\n")]
    [InlineData("4:memory:/../b\n")]
    [InlineData("")]
    public void A_group_that_is_not_visible_leaves_the_load_unknown(string cgroup)
    {
        One("/docker/a", root: "/docker/a");
        fake.Folder.Write("one/memory/memory.limit_in_bytes", NoLimit);
        fake.Write(Pid, "cgroup", cgroup);

        Assert.Null(Load);
    }

    [Fact]
    public void A_limit_whose_use_cannot_be_read_leaves_it_unknown()
    {
        Two("/a");
        fake.Folder.Write("two/a/memory.max", "1000\n");

        Assert.Null(Load);
    }

    [Fact]
    public void A_system_of_both_versions_has_each_controller_in_one()
    {
        Two("/");
        fake.Folder.Write("two/cgroup.procs", "");
        One("/a", root: "/a", "0::/\n");
        fake.Folder.Write("one/memory/memory.limit_in_bytes", "400000\n");
        fake.Folder.Write("one/memory/memory.usage_in_bytes", "100000\n");

        Assert.Equal(0.25, Load);
    }

    [Fact]
    public void Version_1_tells_of_its_quota_in_nanoseconds()
    {
        One("/a", root: "/");
        fake.Folder.Write("one/cpu/a/cpu.cfs_period_us", "100000\n");
        fake.Folder.Write("one/cpu/a/cpu.stat", "nr_periods 9\nnr_throttled 3\nthrottled_time 7000000\n");

        Assert.Equal(new QuotaUse(7, 3, 100), Group.Quotas()[0]);
    }

    [Fact]
    public void Version_1_tells_of_a_paused_container()
    {
        One("/a", root: "/a");
        fake.Folder.Write("one/freezer/freezer.state", "THAWED\n");
        Assert.False(Group.IsFrozen());
        fake.Folder.Write("one/freezer/freezer.state", "FROZEN\n");
        Assert.True(Group.IsFrozen());
    }

    void Two(string path)
    {
        fake.Write(Pid, "cgroup", $"0::{path}\n");
        fake.Write(FakeMachine.Self, "mountinfo", Mount("/", "two", "cgroup2", "rw"));
    }

    void One(string path, string root, string more = "")
    {
        fake.Write(Pid, "cgroup", $"5:freezer:{path}\n4:memory:{path}\n2:cpu,cpuacct:{path}\n{more}");
        fake.Write(
            FakeMachine.Self, "mountinfo",
            "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + Mount("/", "two", "cgroup2", "rw")
                + Mount(root, "one/freezer", "cgroup", "rw,freezer") + Mount(root, "one/memory", "cgroup", "rw,memory")
                + Mount(root, "one/cpu", "cgroup", "rw,cpu,cpuacct"));
    }

    string Mount(string root, string folder, string type, string options) =>
        $"30 22 0:27 {root} {fake.Folder[folder]} rw,relatime shared:9 - {type} cgroup {options}\n";
}
