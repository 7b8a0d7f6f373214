using System.Collections.Immutable;
using Tpwatch.Reports;
using Tpwatch.Tests.Render;

namespace Tpwatch.Tests.Stacks;

/// <summary>Readings of a process's memory, made by hand.</summary>
static class SomeInside
{
    const string Core = "System.Private.CoreLib!System.Threading.";

    static readonly ImmutableArray<string> Task =
        [Core + "Monitor.Wait(Object, Int32)", Core + "ManualResetEventSlim.Wait(Int32)", Core + "Tasks.Task.InternalWait(Int32)",
            Core + "Tasks.Task`1[Int32].GetResultCore(Boolean)", "Shop!Shop.Baskets.Total(Int32)", Core + "ThreadPoolWorkQueue.Dispatch()",
            Core + "PortableThreadPool+WorkerThread.WorkerThreadStart()", Core + "Thread.StartCallback()"];

    static readonly ImmutableArray<string> Lock =
        [Core + "Monitor.Enter(Object)", "Shop!Shop.Accounts.Take()", Core + "ThreadPoolWorkQueue.Dispatch()",
            Core + "PortableThreadPool+WorkerThread.WorkerThreadStart()", Core + "Thread.StartCallback()"];

    static readonly ImmutableArray<string> Audit =
        [Core + "Thread.Sleep(Int32)", "Shop!Shop.Accounts.SlowAudit()", "Shop!Shop.Program.Main()"];

    /// <summary>Five worker threads wait for tasks whose timers are due, two for a lock that a sleeping thread has.</summary>
    public static InsideReading Starved(double ms = 12_000) => new()
    {
        At = SampleReports.At(ms),
        Ms = 38.2,
        Limits = new(8, 32_767, 7, 0),
        Queue = new(5000, 2, 0, 0, 40)
        {
            Named = 5042,
            Kinds =
            [
                new("async OrderImporter.ImportAsync", 2500), new("Stock.Recount", 2500), new("async HttpProtocol.ProcessRequests", 40),
                new("SocketAsyncEngine", 2) { Inside = 38 },
            ],
        },
        Waits =
        [
            new("Baskets.Total", "Task.Result", 5)
            {
                Workers = 5, Chain = ["PriceAsync", "Task.Delay"], End = WaitEnd.DueTimer, DueMs = 4100,
            },
            new("Accounts.Take", "Monitor.Enter", 2) { Workers = 2, End = WaitEnd.Lock, Owner = "thread 9, in Accounts.SlowAudit" },
        ],
        Stacks = [new([1, 2, 3, 4, 5], Task), new([6, 7], Lock), new([9], Audit)],
        Locks = [new(6, 9), new(7, 9)],
        Threads = 11,
        Running = 1,
        Unknown = [new(InsidePart.Locks, "The table of locks is of another version.")],
    };
}
