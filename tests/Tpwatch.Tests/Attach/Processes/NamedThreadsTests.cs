using Tpwatch.Core;
using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Processes;

/// <summary>What the names of a process's threads tell, which a runtime gives and everybody may read.</summary>
public sealed class NamedThreadsTests : IDisposable
{
    readonly FakeMachine fake = new();

    public void Dispose() => fake.Dispose();

    [Fact]
    public void A_native_program_without_a_socket_is_known_by_its_runtimes_threads()
    {
        fake.Add(10, "shop");
        fake.AddThreads(10, ".NET Finalizer");
        Assert.Equal("Process 10 (shop) is a NativeAOT program without a diagnostic socket.", Refused(10).Message);
        Assert.Equal("Build the program with EventSourceSupport=true, then restart it.", Refused(10).Hint);
        fake.Write(10, "environ", "DOTNET_EnableDiagnostics=0\0");
        Assert.StartsWith("Diagnostics are disabled in process 10 (shop)", Refused(10).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_process_that_is_being_killed_has_no_map_left_and_is_not_called_native()
    {
        fake.Add(10, "shop");
        fake.AddThreads(10, ".NET Finalizer");
        fake.Write(10, "maps", "1-2 r-xp 0 0:1 9 /usr/bin/shop\n");
        Assert.True(MappedRuntime.IsNativeAot(fake.Machine.Tree, 10));
        fake.Write(10, "maps", "");
        Assert.False(MappedRuntime.IsNativeAot(fake.Machine.Tree, 10));
    }

    [Fact]
    public void A_runtime_that_listens_nowhere_could_not_make_its_socket()
    {
        fake.AddDotnet(10, "Shop", environment: "TMPDIR=/nowhere");
        fake.AddThreads(10, ".NET Finalizer");
        var e = Refused(10);
        Assert.Equal(
            "The runtime of process 10 (Shop) has no diagnostic socket: it could not create /nowhere/dotnet-diagnostic-10-100-socket.",
            e.Message);
        Assert.Contains("TMPDIR", e.Hint, StringComparison.Ordinal);
        fake.AddThreads(10, ".NET EventPipe");
        Assert.Contains("was not found", Refused(10).Message, StringComparison.Ordinal);
        Assert.Contains("If the process is ending, its runtime has removed the socket.", Refused(10).Hint, StringComparison.Ordinal);
    }

    UserErrorException Refused(int pid) => Assert.Throws<UserErrorException>(() => TargetFinder.ByPid(fake.Machine, pid));
}
