using System.Reflection;
using System.Reflection.Emit;

namespace Tpwatch.LiveTests.Deep;

/// <summary>
/// A program whose workers are held in places that are hard to name: a generic method, after an await, at the bottom of a deep recursion,
/// in code that was made while it ran and has no symbols at all.
/// </summary>
static class OddStacks
{
    /// <summary>Deeper than the runtime follows a stack.</summary>
    const int Depth = 2_000;

    /// <summary>Workers that are held.</summary>
    const int Held = 4;

    static readonly ManualResetEvent Never = new(initialState: false);

    /// <summary>Workers whose next call holds them: on a loaded machine it takes a while until the last one is compiled.</summary>
    static int arrived;

    /// <summary>Runs for a minute at most.</summary>
    public static int Run()
    {
        ThreadPool.SetMinThreads(16, 1);
        ThreadPool.QueueUserWorkItem(_ => Generic<List<string>>.Hold(new Dictionary<int, object>()));
        ThreadPool.QueueUserWorkItem(_ => _ = AfterAwaitAsync());
        ThreadPool.QueueUserWorkItem(_ => Recursive(Depth));
        var made = Made();
        ThreadPool.QueueUserWorkItem(_ => made());
        while (Volatile.Read(ref arrived) < Held)
        {
            Thread.Sleep(10);
        }

        Thread.Sleep(500);
        Console.WriteLine("READY");
        Thread.Sleep(60_000);
        return 0;
    }

    static async Task AfterAwaitAsync()
    {
        await Task.Delay(20).ConfigureAwait(false);
        Interlocked.Increment(ref arrived);
        Never.WaitOne();
    }

    static int Recursive(int depth)
    {
        if (depth == 0)
        {
            Interlocked.Increment(ref arrived);
            Never.WaitOne();
        }

        return depth + Recursive(depth - 1);
    }

    static Action Made()
    {
        const BindingFlags Own = BindingFlags.Static | BindingFlags.NonPublic;
        var method = new DynamicMethod("Made", typeof(void), [], typeof(OddStacks).Module, skipVisibility: true);
        var il = method.GetILGenerator();
        il.Emit(OpCodes.Ldsflda, typeof(OddStacks).GetField(nameof(arrived), Own)!);
        il.Emit(OpCodes.Call, typeof(Interlocked).GetMethod(nameof(Interlocked.Increment), [typeof(int).MakeByRefType()])!);
        il.Emit(OpCodes.Pop);
        il.Emit(OpCodes.Ldsfld, typeof(OddStacks).GetField(nameof(Never), Own)!);
        il.Emit(OpCodes.Callvirt, typeof(WaitHandle).GetMethod(nameof(WaitHandle.WaitOne), [])!);
        il.Emit(OpCodes.Pop);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Action>();
    }

    static class Generic<T>
    {
        public static void Hold<TKey>(TKey key)
        {
            Interlocked.Increment(ref arrived);
            Never.WaitOne();
            GC.KeepAlive((typeof(T), key));
        }
    }
}
