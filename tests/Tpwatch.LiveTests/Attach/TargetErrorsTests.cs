using System.Diagnostics;
using Tpwatch.Core;
using Tpwatch.Sessions;
using Tpwatch.Targets;

namespace Tpwatch.LiveTests.Attach;

public sealed class TargetErrorsTests
{
    [Fact(Timeout = 60_000)]
    public async Task A_process_that_is_no_more()
    {
        var target = LiveTarget.NotDotnet();
        await target.DisposeAsync();
        Refused(target.Pid, $"There is no process {target.Pid}.");
    }

    [Fact(Timeout = 60_000)]
    public async Task Ourselves()
    {
        await Task.Yield();
        Refused(Environment.ProcessId, $"Process {Environment.ProcessId} is this tpwatch, which cannot watch itself.");
    }

    [Fact(Timeout = 60_000)]
    public async Task A_process_that_is_not_dotnet()
    {
        await using var target = LiveTarget.NotDotnet();
        Refused(target.Pid, $"Process {target.Pid} (sleep) is not a .NET process: it has no .NET runtime loaded and no diagnostic socket.");
    }

    [Theory(Timeout = 60_000)]
    [InlineData("DOTNET_EnableDiagnostics=0")]
    [InlineData("DOTNET_EnableDiagnostics_IPC=0")]
    [InlineData("COMPlus_EnableDiagnostics=0")]
    public async Task A_target_with_diagnostics_disabled(string setting)
    {
        await using var target = await LiveTarget.SteadyAsync(environment: setting);
        Refused(target.Pid, $"Diagnostics are disabled in process {target.Pid} (Tpwatch.Fixtures): its environment has {setting}.");
        Assert.Contains(ProcessScan.All(), p => p.Pid == target.Pid && p.WhyNot is not null);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_target_with_a_temporary_folder_of_its_own_is_found()
    {
        var folder = Directory.CreateTempSubdirectory("tpw").FullName;
        await using (var target = await LiveTarget.SteadyAsync(environment: "TMPDIR=" + folder))
        {
            Assert.StartsWith(folder, TargetFinder.ByPid(target.Pid).SocketPath, StringComparison.Ordinal);
            Assert.Contains(ProcessScan.All(), p => p.Pid == target.Pid && p.WhyNot is null);
        }

        Directory.Delete(folder, recursive: true);
    }

    [Theory(Timeout = 60_000)]
    [InlineData("touch")]
    [InlineData("mkfifo")]
    public async Task What_lies_in_our_folder_under_the_name_of_its_socket_is_not_taken(string makes)
    {
        var folder = Directory.CreateTempSubdirectory("tpw").FullName;
        await using (var target = await LiveTarget.SteadyAsync(environment: "TMPDIR=" + folder))
        {
            var real = TargetFinder.ByPid(target.Pid).SocketPath!;
            var decoy = Path.Combine("/tmp", Path.GetFileName(real));
            await Process.Start(makes, [decoy]).WaitForExitAsync(TestContext.Current.CancellationToken);
            try
            {
                Assert.Equal(real, TargetFinder.ByPid(target.Pid).SocketPath);
                File.Delete(real);
                Assert.Contains("was not found", Assert.Throws<UserErrorException>(() => TargetFinder.ByPid(target.Pid)).Message,
                    StringComparison.Ordinal);
            }
            finally
            {
                File.Delete(decoy);
            }
        }

        Directory.Delete(folder, recursive: true);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_target_in_another_mount_namespace_is_found_and_answers()
    {
        Assert.SkipUnless(await CanUnshareAsync(), "needs the right to make mount namespaces");
        await using var target = await LiveTarget.WithPrivateTmpAsync();
        var found = TargetFinder.ByPid(target.Pid);
        Assert.StartsWith($"/proc/{target.Pid}/root/tmp/", found.SocketPath, StringComparison.Ordinal);
        SessionPlan plan =
            new([new PlannedProvider("Microsoft-Windows-DotNETRuntime", System.Diagnostics.Tracing.EventLevel.Informational, 0x10000)]);
        await using var session = await LiveSession.OpenAsync(found, _ => plan, TestContext.Current.CancellationToken);
        Assert.Equal("Tpwatch.Fixtures", session.Target.Name);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_target_whose_socket_was_deleted()
    {
        await using var target = await LiveTarget.SteadyAsync();
        var socket = TargetFinder.ByPid(target.Pid).SocketPath!;
        File.Delete(socket);
        var e = Assert.Throws<UserErrorException>(() => TargetFinder.ByPid(target.Pid));
        Assert.Contains($"was not found. Tried: {socket}", e.Message, StringComparison.Ordinal);
    }

    static void Refused(int pid, string sentence)
    {
        var e = Assert.Throws<UserErrorException>(() => TargetFinder.ByPid(pid));
        Assert.Equal((ExitCode.NoSession, sentence), (e.ExitCode, e.Message));
        Assert.NotEmpty(e.Hint);
    }

    static async Task<bool> CanUnshareAsync()
    {
        using var process = Process.Start(new ProcessStartInfo("unshare", ["--mount", "true"]) { RedirectStandardError = true })!;
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return process.ExitCode == 0;
    }
}
