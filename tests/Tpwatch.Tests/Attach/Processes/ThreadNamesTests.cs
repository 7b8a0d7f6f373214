using System.Globalization;
using Tpwatch.Stacks;
using Tpwatch.Targets;

namespace Tpwatch.Tests.Attach.Processes;

/// <summary>
/// The ids in events are those that the process counts itself; /proc of the host counts others where it runs in a container.
/// </summary>
public sealed class ThreadNamesTests : IDisposable
{
    const int Pid = 5000;

    readonly FakeMachine machine = new();

    public void Dispose() => machine.Dispose();

    [Fact]
    public void Beside_us_a_thread_has_one_id()
    {
        machine.Add(Pid, "dotnet");
        Thread(5003, ".NET TP Worker", "5003");
        Thread(5004, ".NET TP Gate", "5004");
        Assert.Equal([5003], ThreadNames.Workers(machine.Machine.Tree, Pid));
    }

    [Fact]
    public void In_a_container_the_inner_ids_are_those_of_the_events_and_a_cut_stack_is_known_as_a_workers()
    {
        machine.Add(Pid, "dotnet", nsPid: "5000\t1");
        Thread(5003, ".NET TP Worker", "5003\t11");
        Thread(5011, ".NET Finalizer", "5011\t12");
        var cut = Enumerable.Repeat("App!Deep.Again()", 95).ToArray();

        var mended = TruncatedStackRepair.Mended(
            new(default, 30, [new(11, 1, false, [.. cut]), new(12, 1, false, [.. cut])]),
            () => ThreadNames.Workers(machine.Machine.Tree, Pid));

        Assert.Equal([98, 95], mended.Stacks.Select(s => s.Frames.Length));
    }

    [Fact]
    public void A_process_that_is_gone_has_no_workers() => Assert.Empty(ThreadNames.Workers(machine.Machine.Tree, 77));

    void Thread(int id, string name, string ids)
    {
        var folder = string.Create(CultureInfo.InvariantCulture, $"task/{id}/");
        machine.Write(Pid, folder + "comm", name + "\n");
        machine.Write(Pid, folder + "status", $"Name:\t{name}\nTgid:\t{Pid}\nNSpid:\t{ids}\n");
    }
}
