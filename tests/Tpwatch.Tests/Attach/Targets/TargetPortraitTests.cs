using Tpwatch.Reports;
using Tpwatch.Targets;
using Tpwatch.Tests.Attach.Ipc;
using Tpwatch.Tests.Attach.Processes;

namespace Tpwatch.Tests.Attach.Targets;

public sealed class TargetPortraitTests : IDisposable
{
    const string Config = """{"runtimeOptions":{"configProperties":{"System.Threading.ThreadPool.MinThreads":25}}}""";

    readonly FakeMachine fake = new();

    public void Dispose() => fake.Dispose();

    [Fact]
    public async Task Without_an_answer_of_the_runtime_proc_tells_what_it_can()
    {
        fake.AddDotnet(10, "Shop", environment: "SECRET=hush DOTNET_PROCESSOR_COUNT=4");
        var facts = await Take("/nowhere");
        Assert.Equal(("Shop", "/usr/bin/dotnet /srv/Shop.dll --password=hush", "10.0.12", 10),
            (facts.Name, facts.CommandLine, facts.RuntimeVersion, facts.RuntimeMajor));
        Assert.Equal(new SourcedValue(4, SettingSource.Environment), facts.Processors);
        Assert.Equal("DOTNET_PROCESSOR_COUNT", Assert.Single(facts.Settings).Name);
    }

    [Fact]
    public async Task What_the_runtime_says_goes_first()
    {
        fake.AddDotnet(10, "Other");
        await using FakeRuntime runtime = new(_ => ReplyBytes.Ok(ReplyBytes.Info(3)));
        var facts = await Take(runtime.Path);
        Assert.Equal(("Shop", "/srv/shop key=a", "Linux", "x64"), (facts.Name, facts.CommandLine, facts.Os, facts.Architecture));
    }

    [Fact]
    public async Task An_environment_that_proc_hides_is_asked_of_the_runtime()
    {
        fake.AddDotnet(10, "Shop");
        File.Delete(fake.Folder["proc/10/environ"]);
        var environment = ReplyBytes.Environment("DOTNET_PROCESSOR_COUNT=4");
        await using FakeRuntime runtime = new(command => command == 2
            ? [.. ReplyBytes.Ok([.. BitConverter.GetBytes(environment.Length), 0, 0]), .. environment]
            : ReplyBytes.Ok(ReplyBytes.Info(3)));
        Assert.Equal(new SourcedValue(4, SettingSource.Environment), (await Take(runtime.Path)).Processors);
    }

    [Fact]
    public async Task Runtimeconfig_lies_beside_the_assembly_in_the_targets_own_root()
    {
        fake.AddDotnet(10, "Shop");
        fake.Folder.Write("srv/Shop.runtimeconfig.json", Config);
        Assert.Equal(new SourcedValue(25, SettingSource.Runtimeconfig), (await Take("/nowhere")).MinWorkers);
    }

    [Fact]
    public async Task An_assembly_started_by_a_relative_path_is_found_where_it_was_loaded_from()
    {
        fake.AddDotnet(10, "Shop");
        fake.Write(10, "cmdline", "dotnet\0bin/Shop.dll\0");
        fake.Write(10, "maps", FakeMachine.RuntimeMap + "7f00-7f01 r--s 0000 08:01 9 /opt/my shop/bin/Shop.dll\n");
        fake.Folder.Write("opt/my shop/bin/Shop.runtimeconfig.json", Config);
        Assert.Equal(25, (await Take("/nowhere")).MinWorkers.Value);
    }

    [Theory]
    [InlineData("dotnet\0--runtimeconfig\0/etc/other.json\0/srv/Shop.dll\0", 25)]
    [InlineData("dotnet\0exec\0--depsfile\0/srv/a.json\0--runtimeconfig\0/etc/other.json\0/srv/Shop.dll\0", 25)]
    [InlineData("dotnet\0exec\0/srv/Shop.dll\0--runtimeconfig\0/etc/other.json\0", null)]
    public async Task Another_file_named_to_the_host_counts_and_one_named_to_the_program_does_not(string commandLine, int? min)
    {
        fake.AddDotnet(10, "Shop");
        fake.Write(10, "cmdline", commandLine);
        fake.Folder.Write("etc/other.json", Config);
        Assert.Equal(min, (await Take("/nowhere")).MinWorkers.Value);
    }

    [Fact]
    public async Task An_executable_of_its_own_has_it_beside_itself()
    {
        fake.Add(10, "Shop");
        File.CreateSymbolicLink(fake.Folder["proc/10/exe"], "/opt/Shop");
        fake.Folder.Write("opt/Shop.runtimeconfig.json", Config);
        Assert.Equal(25, (await Take("/nowhere")).MinWorkers.Value);
    }

    [Fact]
    public async Task A_target_that_vanished_leaves_everything_unknown()
    {
        var facts = await Take("/nowhere");
        Assert.Equal(("Shop", null, null), (facts.Name, facts.CommandLine, facts.RuntimeVersion));
    }

    Task<TargetFacts> Take(string socket) => TargetPortrait.TakeAsync(
        fake.Machine, new Target { Pid = 10, Name = "Shop", SocketPath = socket },
        TimeProvider.System, TestContext.Current.CancellationToken);
}
