using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Processes;

public sealed class ProcessScanTests : IDisposable
{
    readonly FakeMachine fake = new();

    public void Dispose() => fake.Dispose();

    [Fact]
    public void Lists_dotnet_processes_by_pid_and_says_why_one_cannot_be_watched()
    {
        fake.AddDotnet(30, "Shop");
        var socket = fake.AddSocket(30);
        fake.AddDotnet(4, "Mute", environment: "DOTNET_EnableDiagnostics=0");
        fake.AddDotnet(200, "Theirs", user: 1001);
        fake.Add(5, "sleep");
        Assert.Equal(
            [(4, "Mute", "alice", null, "Diagnostics are disabled in process 4 (Mute): its environment has DOTNET_EnableDiagnostics=0."),
             (30, "Shop", "alice", socket, null),
             (200, "Theirs", "bob", null,
                 "Process 200 (Theirs) runs as user bob, but tpwatch runs as alice. Only user bob or root can attach.")],
            ProcessScan.All(fake.Machine).Select(p => (p.Pid, p.Name, p.User, p.SocketPath, p.WhyNot)));
    }

    [Theory]
    [InlineData('T', "Process 30 (shop) does not answer: it is stopped (state T).")]
    [InlineData('t', "Process 30 (shop) does not answer: a debugger holds it (state t).")]
    [InlineData('S', null)]
    public void One_that_does_not_answer_is_listed_with_the_reason(char state, string? why)
    {
        fake.Add(30, "shop", state);
        fake.AddSocket(30);
        Assert.Equal(why, Assert.Single(ProcessScan.All(fake.Machine)).WhyNot);
    }

    [Fact]
    public void Tells_the_version_of_a_shared_runtime()
    {
        fake.AddDotnet(30, "Shop");
        Assert.Equal("10.0.12", Assert.Single(ProcessScan.All(fake.Machine)).Runtime);
    }

    [Fact]
    public void A_process_that_vanishes_while_it_is_looked_at_does_no_harm()
    {
        Directory.CreateDirectory(fake.Folder["proc/6"]);
        fake.AddDotnet(7, "Shop");
        foreach (var file in (string[])["status", "cmdline", "environ"])
        {
            File.Delete(fake.Folder["proc/7/" + file]);
        }

        Assert.Equal([7], ProcessScan.All(fake.Machine).Select(p => p.Pid));
    }

    [Fact]
    public void A_machine_without_processes_has_an_empty_list() =>
        Assert.Empty(ProcessScan.All(fake.Machine with { Proc = fake.Folder["nowhere"] }));
}
