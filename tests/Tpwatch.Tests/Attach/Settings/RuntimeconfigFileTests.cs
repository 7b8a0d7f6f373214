using System.Diagnostics;
using Tpwatch.Targets;
using Tpwatch.Tests.Attach.Processes;

namespace Tpwatch.Tests.Attach.Settings;

public sealed class RuntimeconfigFileTests : IDisposable
{
    const int Pid = 5000;

    readonly FakeMachine machine = new();

    public void Dispose() => machine.Dispose();

    [Theory]
    [InlineData("srv/Shop.runtimeconfig.json")]
    [InlineData("srv/pipe")]
    public async Task A_pipe_of_that_name_is_not_waited_for(string pipe)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such pipes.");
        var cancel = TestContext.Current.CancellationToken;
        machine.AddDotnet(Pid, "Shop");
        machine.Folder.Write("srv/other", "");
        using (var mkfifo = Process.Start("mkfifo", machine.Folder[pipe]))
        {
            await mkfifo.WaitForExitAsync(cancel);
        }

        if (pipe == "srv/pipe")
        {
            File.CreateSymbolicLink(machine.Folder["srv/Shop.runtimeconfig.json"], machine.Folder[pipe]);
        }

        Assert.Empty(await Task.Run(() => RuntimeconfigFile.Settings(machine.Machine.Tree, Pid), cancel)
            .WaitAsync(TimeSpan.FromSeconds(20), cancel));
    }
}
