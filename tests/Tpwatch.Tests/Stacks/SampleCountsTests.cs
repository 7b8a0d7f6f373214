using Microsoft.Diagnostics.Tracing.Etlx;
using Tpwatch.Stacks;

namespace Tpwatch.Tests.Stacks;

/// <summary>What counts of a burst's samples, in the order in which a real one of .NET 9 brought them.</summary>
public sealed class SampleCountsTests
{
    const int Waiting = 8250;
    const int Computing = 8251;
    const CallStackIndex Lock = (CallStackIndex)1;
    const CallStackIndex Loop = (CallStackIndex)2;

    readonly SampleCounts counts = new();

    /// <summary>Its mode is that of a suspension before the burst.</summary>
    [Fact]
    public void A_thread_that_waits_does_not_run_though_its_first_sample_says_so()
    {
        Add(Waiting, Lock, true, false, false);
        Assert.Equal([(Waiting, Lock, false, 2)], counts.All);
    }

    [Fact]
    public void A_thread_that_computes_runs()
    {
        Add(Computing, Loop, false, true, true, true);
        Assert.Equal([(Computing, Loop, true, 3)], counts.All);
    }

    /// <summary>On a machine without time a burst has one sample of each thread: their stacks count, their modes do not.</summary>
    [Fact]
    public void A_thread_of_one_sample_is_seen_and_not_said_to_run()
    {
        Add(Waiting, Lock, true);
        Add(Computing, Loop, true, true);
        Assert.Equal([(Computing, Loop, true, 1), (Waiting, Lock, false, 1)], counts.All);
    }

    [Fact]
    public void A_thread_that_moves_is_seen_in_each_place_but_the_first()
    {
        Add(Computing, Lock, false);
        Add(Computing, Loop, true, false);
        Assert.Equal([(Computing, Loop, true, 1), (Computing, Loop, false, 1)], counts.All);
    }

    void Add(int thread, CallStackIndex stack, params bool[] running)
    {
        foreach (var one in running)
        {
            counts.Add(thread, stack, one);
        }
    }
}
