using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Processes;

public sealed class ProcFilesTests
{
    [Fact]
    public void A_name_may_hold_blanks_and_parentheses()
    {
        var stat = ProcStat.Parse("7 (a) b (c) T 1 1 1 0 -1 4194560 1 0 0 0 250 31 0 0 20 0 12 0 259415 0 0")!;
        Assert.Equal(new ProcStat("a) b (c", 'T', 259415) { ProcessorMs = 2810, Threads = 12 }, stat);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("7")]
    [InlineData(")(")]
    [InlineData("7 (a) S 1 2 3")]
    [InlineData("7 (a) S 1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 never 0 0")]
    public void A_stat_that_says_nothing_is_no_process(string? text) => Assert.Null(ProcStat.Parse(text));

    [Theory]
    [InlineData('Z', true)]
    [InlineData('X', true)]
    [InlineData('S', false)]
    [InlineData('T', false)]
    public void A_zombie_has_ended_and_a_stopped_process_has_not(char state, bool ended) =>
        Assert.Equal(ended, new ProcStat("a", state, 1).HasEnded);

    [Fact]
    public void Of_several_pids_the_last_is_the_one_the_process_sees()
    {
        var status = ProcStatus.Parse(
            "Name:\ta:b\nTgid:\t22630\nNSpid:\t22630\t17\t1\nUid:\t1000\t0\t0\t0\nCpus_allowed_list:\t0-3,8,10-11\n");
        Assert.Equal(new ProcStatus(22630, 1, 0, 7), status);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("Tgid:\nNSpid:\nUid:\t0\nCpus_allowed_list:\tall\n")]
    public void What_status_does_not_say_stays_unknown(string? text) =>
        Assert.Equal(new ProcStatus(null, null, null, null), ProcStatus.Parse(text));

    [Theory]
    [InlineData("DOTNET_EnableDiagnostics=0", "DOTNET_EnableDiagnostics=0")]
    [InlineData("DOTNET_EnableDiagnostics_IPC=0x0", "DOTNET_EnableDiagnostics_IPC=0x0")]
    [InlineData("COMPlus_EnableDiagnostics=00", "COMPlus_EnableDiagnostics=00")]
    [InlineData("DOTNET_EnableDiagnostics=1", null)]
    [InlineData("DOTNET_EnableDiagnostics=", null)]
    [InlineData("DOTNET_EnableDiagnostics_Profiler=0", null)]
    public void Only_a_zero_for_the_port_disables_it(string assignment, string? found) =>
        Assert.Equal(found, ProcEnvironment.Parse($"A=b\0{assignment}\0").WhatDisablesDiagnostics());

    [Fact]
    public void A_runtime_shows_in_the_memory_map_with_its_version()
    {
        Assert.Equal(new MappedRuntime(true, "10.0.12"), MappedRuntime.Parse(FakeMachine.RuntimeMap));
        Assert.Equal(new MappedRuntime(true, null), MappedRuntime.Parse("1-2 r-xp 0 0:1 9 /srv/app/libcoreclr.so\n"));
        Assert.Equal(new MappedRuntime(true, null), MappedRuntime.Parse("1-2 rw-s 0 0:1 9 /memfd:doublemapper (deleted)\n"));
        Assert.Equal(new MappedRuntime(false, null), MappedRuntime.Parse("1-2 r-xp 0 0:1 9 /usr/bin/sleep\n"));
    }

    [Theory]
    [InlineData("/usr/bin/dotnet /srv/My.App.dll --password=hush", "dotnet My.App.dll ...")]
    [InlineData("dotnet exec --depsfile x.json \"/my apps/a.dll\"", "dotnet a.dll")]
    [InlineData("/srv/app/app key=hush x.dll", "app ...")]
    [InlineData("dotnet run --secret hush", "dotnet ...")]
    [InlineData("/srv/app", "app")]
    [InlineData("", "")]
    public void A_shortened_command_line_holds_executable_and_assembly_alone(string whole, string shortened) =>
        Assert.Equal(shortened, TargetCommandLine.Shorten(whole));
}
