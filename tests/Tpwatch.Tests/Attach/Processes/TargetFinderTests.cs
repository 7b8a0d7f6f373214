using Tpwatch.Core;
using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Processes;

public sealed class TargetFinderTests : IDisposable
{
    readonly FakeMachine fake = new();

    public void Dispose() => this.fake.Dispose();

    [Fact]
    public void A_socket_in_our_temporary_folder_is_found()
    {
        this.fake.AddDotnet(10, "Shop");
        var path = this.fake.AddSocket(10);
        Assert.Equal(new Target { Pid = 10, Name = "Shop", SocketPath = path, StartTime = 100 }, TargetFinder.ByPid(this.fake.Machine, 10));
    }

    [Fact]
    public void Another_process_that_got_the_number_meanwhile_is_not_the_one()
    {
        this.fake.AddDotnet(10, "Shop");
        this.fake.AddSocket(10);
        Assert.Equal("Shop", TargetFinder.Again(this.fake.Machine, 10, 100).Name);
        Assert.Equal("Shop", TargetFinder.Again(this.fake.Machine, 10, null).Name);
        var e = Assert.Throws<UserErrorException>(() => TargetFinder.Again(this.fake.Machine, 10, 99));
        Assert.Equal(ExitCode.NoSession, e.ExitCode);
        Assert.Equal("Process 11 has ended.",
            Assert.Throws<UserErrorException>(() => TargetFinder.Again(this.fake.Machine, 11, 1)).Message);
    }

    [Fact]
    public void A_socket_in_the_targets_own_temporary_folder_is_found()
    {
        this.fake.AddDotnet(10, "Shop", environment: $"TMPDIR={this.fake.Folder["elsewhere"]}/");
        var path = this.fake.AddSocket(10, "elsewhere");
        Assert.Equal(path, TargetFinder.ByPid(this.fake.Machine, 10).SocketPath);
    }

    [Fact]
    public void A_socket_in_a_container_is_found_through_its_root_under_the_pid_it_has_there()
    {
        this.fake.AddDotnet(10, "Shop");
        this.fake.Write(10, "status", "Tgid:\t10\nNSpid:\t10\t1\nUid:\t1000\t1000\t1000\t1000\n");
        Directory.Delete(this.fake.Folder["proc/10/root"]);
        this.fake.AddSocket(1, "proc/10/root/tmp");
        Assert.Equal(
            this.fake.Folder["proc/10/root/tmp/dotnet-diagnostic-1-100-socket"], TargetFinder.ByPid(this.fake.Machine, 10).SocketPath);
    }

    [Fact]
    public void A_socket_of_an_earlier_process_with_the_same_pid_is_told_apart()
    {
        this.fake.AddDotnet(10, "Shop");
        var stale = this.fake.AddSocket(10, startTime: 99);
        var e = Refused(10);
        Assert.StartsWith("The diagnostic socket of process 10 (Shop), user alice, was not found. Tried: "
            + this.fake.Folder["tmp/dotnet-diagnostic-10-100-socket"], e.Message, StringComparison.Ordinal);
        Assert.Contains("/proc/10/root/tmp/dotnet-diagnostic-10-100-socket", e.Message, StringComparison.Ordinal);
        Assert.Equal(
            $"An earlier process with the same id left {stale} behind. If the process has only just started, try again.", e.Hint);
    }

    /// <summary>A file, a pipe or a link (null), or a socket of bob's, in the folder that is ours and not the target's.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData(1001)]
    public void What_somebody_else_has_put_in_its_place_is_not_taken(int? owner)
    {
        this.fake.AddDotnet(10, "Shop", environment: $"TMPDIR={this.fake.Folder["elsewhere"]}");
        this.fake.Owners[this.fake.AddSocket(10)] = owner;
        Assert.StartsWith("The diagnostic socket of process 10 (Shop), user alice, was not found.", Refused(10).Message,
            StringComparison.Ordinal);
        var real = this.fake.AddSocket(10, "elsewhere");
        this.fake.Owners[real] = 1000;
        Assert.Equal(real, TargetFinder.ByPid(this.fake.Machine, 10).SocketPath);
    }

    /// <summary>The target's own folder comes first: what lies in ours, even of the same user, may be anything.</summary>
    [Fact]
    public void The_targets_own_folder_comes_first()
    {
        this.fake.AddDotnet(10, "Shop", environment: $"TMPDIR={this.fake.Folder["elsewhere"]}");
        this.fake.AddSocket(10);
        Assert.Equal(this.fake.AddSocket(10, "elsewhere"), TargetFinder.ByPid(this.fake.Machine, 10).SocketPath);
    }

    [Fact]
    public void In_another_time_namespace_the_start_cannot_be_compared_and_the_socket_is_taken()
    {
        this.fake.AddDotnet(10, "Shop");
        Directory.CreateDirectory(this.fake.Folder["proc/10/ns"]);
        Directory.CreateDirectory(this.fake.Folder["proc/4000/ns"]);
        File.CreateSymbolicLink(this.fake.Folder["proc/10/ns/time"], "time:[2]");
        File.CreateSymbolicLink(this.fake.Folder["proc/4000/ns/time"], "time:[1]");
        var path = this.fake.AddSocket(10, startTime: 10_000_100);
        Assert.Equal(path, TargetFinder.ByPid(this.fake.Machine, 10).SocketPath);
    }

    [Fact]
    public void No_such_process() => Says(999, "There is no process 999.", "`dotnet tpwatch ps` lists the processes that you can watch.");

    [Fact]
    public void No_such_process_where_others_are_hidden()
    {
        this.fake.Write(FakeMachine.Self, "mountinfo", "22 1 0:21 / /proc rw - proc proc rw,hidepid=invisible\n");
        Assert.StartsWith("/proc hides other users' processes here (hidepid)", Refused(999).Hint, StringComparison.Ordinal);
    }

    [Fact]
    public void Ourselves() => Says(FakeMachine.Self, "Process 4000 is this tpwatch, which cannot watch itself.",
        "`dotnet tpwatch ps` lists the processes that you can watch.");

    [Fact]
    public void A_thread_names_its_process()
    {
        this.fake.AddDotnet(10, "Shop");
        this.fake.Add(11, "worker");
        this.fake.Write(11, "status", "Tgid:\t10\nUid:\t1000\t1000\t1000\t1000\n");
        Says(11, "11 is a thread of process 10, not a process.", "Use --pid 10.");
    }

    [Fact]
    public void A_zombie_has_ended()
    {
        this.fake.Add(10, "sleep", state: 'Z');
        Says(10, "Process 10 (sleep) has ended; its parent has not read its exit status yet (zombie).",
            "`dotnet tpwatch ps` lists the processes that you can watch.");
    }

    [Fact]
    public void Not_dotnet_even_when_the_environment_disables_diagnostics()
    {
        this.fake.Add(10, "sleep");
        this.fake.Write(10, "environ", "DOTNET_EnableDiagnostics=0\0");
        Says(
            10,
            "Process 10 (sleep) is not a .NET process: it has no .NET runtime loaded and no diagnostic socket.",
            "If the process is a launcher or a shell, watch the program that it started: see `dotnet tpwatch ps`. "
                + "tpwatch can watch a NativeAOT program only if it was built with EventSourceSupport=true.");
    }

    [Fact]
    public void Diagnostics_disabled_names_the_variable()
    {
        this.fake.AddDotnet(10, "Shop", environment: "A=b COMPlus_EnableDiagnostics_IPC=0");
        Says(
            10,
            "Diagnostics are disabled in process 10 (Shop): its environment has COMPlus_EnableDiagnostics_IPC=0.",
            "Restart the process without COMPlus_EnableDiagnostics_IPC; the runtime reads the variable only at start.");
    }

    [Fact]
    public void Another_users_process_names_both_users()
    {
        this.fake.AddDotnet(10, "Shop", user: 1001);
        this.fake.AddSocket(10);
        Says(
            10,
            "Process 10 (Shop) runs as user bob, but tpwatch runs as alice. Only user bob or root can attach.",
            "Run tpwatch as bob (sudo -u bob ...) or as root.");
    }

    [Fact]
    public void A_user_without_a_name_keeps_the_number()
    {
        this.fake.AddDotnet(10, "Shop", user: 5555);
        Says(
            10,
            "Process 10 (Shop) runs as user id 5555, but tpwatch runs as alice. Only user id 5555 or root can attach.",
            "Run tpwatch as user id 5555 (sudo -u '#5555' ...) or as root.");
    }

    [Fact]
    public void Root_may_watch_everybody()
    {
        using FakeMachine fake = new(user: 0);
        fake.AddDotnet(10, "Shop", user: 1001);
        var path = fake.AddSocket(10);
        Assert.Equal(path, TargetFinder.ByPid(fake.Machine, 10).SocketPath);
    }

    [Fact]
    public void A_missing_socket_with_an_unreadable_root_asks_for_the_capability()
    {
        this.fake.AddDotnet(10, "Shop");
        Directory.Delete(this.fake.Folder["proc/10/root"]);
        Assert.Equal(
            "tpwatch may not read /proc/10/root. That needs CAP_SYS_PTRACE, which root has, but not in most containers. "
                + "Or run tpwatch inside the target's container.", Refused(10).Hint);
    }

    [Theory]
    [InlineData("Shop")]
    [InlineData("shop.DLL")]
    [InlineData("SHOP.exe")]
    [InlineData("dotnet")]
    public void A_name_is_found_whatever_its_case_and_ending(string name)
    {
        this.fake.AddDotnet(10, "Shop");
        this.fake.AddSocket(10);
        Assert.Equal(10, TargetFinder.ByName(this.fake.Machine, name).Pid);
    }

    [Theory]
    [InlineData("Sho")]
    [InlineData("sleep")]
    [InlineData("tpwatch")]
    public void A_part_of_a_name_a_native_process_and_ourselves_are_not_found(string name)
    {
        this.fake.AddDotnet(10, "Shop");
        this.fake.Add(11, "sleep");
        var e = Assert.Throws<UserErrorException>(() => TargetFinder.ByName(this.fake.Machine, name));
        Assert.Equal(
            (ExitCode.NoSession, $"No .NET process is called \"{name}\", and none has an entry assembly of that name."),
            (e.ExitCode, e.Message));
    }

    [Fact]
    public void Several_of_a_name_are_listed_without_their_arguments()
    {
        this.fake.AddDotnet(10, "Shop");
        this.fake.AddDotnet(2, "Shop");
        var e = Assert.Throws<UserErrorException>(() => TargetFinder.ByName(this.fake.Machine, "shop"));
        Assert.Equal(ExitCode.Arguments, e.ExitCode);
        Assert.Equal(
            "2 .NET processes are called \"shop\":\n        2  Shop  dotnet Shop.dll ...\n       10  Shop  dotnet Shop.dll ...", e.Message);
        Assert.Equal("Choose one with --pid N, or take all with --all in report, record and whatif.", e.Hint);
    }

    [Fact]
    public void A_name_elsewhere_than_on_linux_is_not_supported()
    {
        var e =
            Assert.Throws<UserErrorException>(() => TargetFinder.ByName(this.fake.Machine with { IsLinux = false }, "shop"));
        Assert.Equal(ExitCode.Unsupported, e.ExitCode);
    }

    [Fact]
    public void A_pid_elsewhere_than_on_linux_is_left_to_the_client_library() =>
        Assert.Null(TargetFinder.ByPid(this.fake.Machine with { IsLinux = false }, 1).SocketPath);

    UserErrorException Refused(int pid) => Assert.Throws<UserErrorException>(() => TargetFinder.ByPid(this.fake.Machine, pid));

    void Says(int pid, string sentence, string hint)
    {
        var e = Refused(pid);
        Assert.Equal((ExitCode.NoSession, sentence, hint), (e.ExitCode, e.Message, e.Hint));
    }
}
