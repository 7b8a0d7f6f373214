using System.Collections.Immutable;
using Tpwatch.Diagnosis;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Tests.Findings;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Stacks.Holders;

/// <summary>Own code that is blocked on a thread that is no worker.</summary>
public sealed class OutsideThreadsTests
{
    const string Start = "System.Private.CoreLib!System.Threading.Thread.StartCallback()";

    const string Own = "Shop!Shop.Screen.Show()";

    static readonly ImmutableHashSet<string> Assemblies = ["Shop"];

    /// <summary>The frames behind the wait, innermost first, and what is said of the thread.</summary>
    public static TheoryData<string[], string[], string?> Threads => new()
    {
        { Sampled.Lock, ["Shop!Shop.Handle.Finalize()"], "Finalizer" },
        { Sampled.Sleep, ["Shop!Shop.Handle.Finalize()", "System.Private.CoreLib!System.GC.RunFinalizers()"], "Finalizer" },
        { Sampled.Receive, [Own, "System.Net.Sockets!System.Net.Sockets.SocketAsyncEngine.EventLoop()", Start], "Sockets" },
        { Sampled.Semaphore, [Own, "Broker.Client!Broker.Client.Dispatcher.Loop()", Start], "Library" },
        { Sampled.Task, [Own, "Shop!Shop.Screen.Loop()", Start], "Program" },
        { Sampled.Lock, [Own, Start], "Program" },
        { Sampled.Lock, ["Shop!Shop.Program.Main()"], "Main" },
        { Sampled.Task, [Own, "Shop!Shop.Screen.Loop()", "Shop!Shop.Program.Main()"], "Main" },
        // What is usual: a loop that sleeps, one that waits for work, a main thread that waits for the end, a library's own wait.
        { Sampled.Sleep, [Own, Start], null },
        { Sampled.Semaphore, [Own, Start], null },
        { [.. Sampled.Semaphore, "System.Collections.Concurrent!System.Collections.Concurrent.BlockingCollection`1[System.Int32].Take()"],
            [Own, "Broker.Client!Broker.Client.Dispatcher.Loop()", Start], null },
        { Sampled.Task, ["Shop!Shop.Program.Main()"], null },
        { Sampled.Task, ["Shop!Shop.Program.Run()", "Shop!Shop.Program.Main()"], null },
        { Sampled.Task, ["Broker.Client!Broker.Client.Dispatcher.Loop()", Start], null },
        { Sampled.Task, [Start], null },
    };

    [Theory]
    [MemberData(nameof(Threads))]
    public void It_is_told_by_whose_thread_it_is(string[] wait, string[] behind, string? home)
    {
        var told = OutsideThreads.Of(Seen(Burst(0, 7, wait, behind), Burst(5000, 7, wait, behind)));
        Assert.Equal(home, told.IsEmpty ? null : Assert.Single(told).Home.ToString());
        Assert.All(told, thread => Assert.Equal(5000, thread.Seen.Ms));
    }

    [Fact]
    public void Who_was_elsewhere_at_the_look_before_is_moving()
    {
        string[] behind = [Own, "Shop!Shop.Screen.Loop()", Start];
        Assert.Empty(OutsideThreads.Of(Seen(Burst(0, 8, Sampled.Task, behind), Burst(5000, 7, Sampled.Task, behind))));
        Assert.Single(OutsideThreads.Of(Seen(Burst(0, 7, Sampled.Task, behind))));
        Assert.Empty(OutsideThreads.Of(Seen()));
    }

    [Fact]
    public void A_finalizer_that_is_blocked_is_a_warning_and_a_thread_seen_once_a_note() => Assert.Equal(
        [Severity.Warning, Severity.Note], Told.Select(report => new Tpw021Outside().Found(report).Severity));

    internal static IEnumerable<PoolReport> Told =>
    [
        Healthy(Burst(0, 7, Sampled.Lock, ["Shop!Shop.Handle.Finalize()"]), Burst(5000, 7, Sampled.Lock, ["Shop!Shop.Handle.Finalize()"])),
        Healthy(Burst(0, 7, Sampled.Task, [Own, "Shop!Shop.Screen.Loop()", Start])),
    ];

    static PoolReport Healthy(params BurstSamples[] bursts) => Deepened.WithStacks(SampleReports.Healthy(), Seen(bursts));

    static StacksSeen Seen(params BurstSamples[] bursts) => new([.. bursts], []) { Own = Assemblies };

    static BurstSamples Burst(double ms, int thread, string[] wait, string[] behind) =>
        Sampled.Burst(ms, new SampledStack(thread, 30, false, [.. wait, .. behind]), Sampled.At(1, Sampled.Task));
}
