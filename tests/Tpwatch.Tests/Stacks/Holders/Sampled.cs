using Tpwatch.Stacks;

namespace Tpwatch.Tests.Stacks.Holders;

/// <summary>Stacks as a burst leaves them, made by hand.</summary>
static class Sampled
{
    const string Core = "System.Private.CoreLib!System.Threading.";

    static readonly string[] Worker = [Core + "ThreadPoolWorkQueue.Dispatch()",
        Core + "PortableThreadPool+WorkerThread.WorkerThreadStart()", Core + "Thread.StartCallback()"];

    public static readonly string[] Semaphore = [Core + "Monitor.Wait(class System.Object,int32)",
        Core + "SemaphoreSlim.WaitCore(int64)", Core + "SemaphoreSlim.Wait()"];

    public static readonly string[] Task =
        [Core + "Monitor.Wait(class System.Object,int32)", Core + "ManualResetEventSlim.Wait(int32)",
            Core + "Tasks.Task.SpinThenBlockingWait(int32)", Core + "Tasks.Task.InternalWaitCore(int32)", Core + "Tasks.Task.Wait()"];

    public static readonly string[] WaitAll =
        [Core + "Monitor.Wait(class System.Object,int32)", Core + "ManualResetEventSlim.Wait(int32)",
            Core + "Tasks.Task.WaitAllBlockingCore()", Core + "Tasks.Task.WaitAll()"];

    public static readonly string[] Sleep = [Core + "Thread.Sleep(int32)"];

    public static readonly string[] Lock = [Core + "Monitor.Enter_Slowpath(class System.Object)",
        Core + "Monitor.Enter(class System.Object)"];

    public static readonly string[] Receive = ["System.Net.Sockets!System.Net.Sockets.SocketPal.SysReceive()",
        "System.Net.Sockets!System.Net.Sockets.Socket.Receive(unsigned int8[])"];

    public static BurstSamples Burst(double ms, params SampledStack[] stacks) => new(Render.SampleReports.At(ms), 30, [.. stacks]);

    /// <summary>A worker in a wait, called from a method of the user's.</summary>
    public static SampledStack At(int thread, string[] wait,
        string method = "Shop!Shop.Orders.Load(int32)", int samples = 30, bool running = false) =>
        new(thread, samples, running, [.. wait, method, .. Worker]);

    /// <summary>A worker in a wait, whose item lies in the pool's own method.</summary>
    public static SampledStack InDispatch(int thread, string[] wait) => new(thread, 30, false, [.. wait, .. Worker]);

    /// <summary>A worker that has nothing to do.</summary>
    public static SampledStack Idle(int thread) => new(thread, 30, false, [Core + "LowLevelLifoSemaphore.Wait(int32)", .. Worker[1..]]);

    /// <summary>A thread that the program started, which is no worker.</summary>
    public static SampledStack Started(int thread, string[] wait) =>
        new(thread, 30, false, [.. wait, "Shop!Shop.Orders.Load(int32)", Core + "Thread.StartCallback()"]);

    /// <summary>A thread of the program's own.</summary>
    public static SampledStack Own(int thread, string[] wait) => new(thread, 30, false, [.. wait, "Shop!Shop.Program.Main()"]);
}
