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

    static readonly ManualResetEvent Never = new(initialState: false);

    /// <summary>Runs for a minute at most.</summary>
    public static int Run()
    {
        ThreadPool.SetMinThreads(16, 1);
        ThreadPool.QueueUserWorkItem(_ => Generic<List<string>>.Hold(new Dictionary<int, object>()));
        ThreadPool.QueueUserWorkItem(_ => _ = AfterAwaitAsync());
        ThreadPool.QueueUserWorkItem(_ => Recursive(Depth));
        var made = Made();
        ThreadPool.QueueUserWorkItem(_ => made());
        Thread.Sleep(1000);
        Console.WriteLine("READY");
        Thread.Sleep(60_000);
        return 0;
    }

    static async Task AfterAwaitAsync()
    {
        await Task.Delay(20).ConfigureAwait(false);
        Never.WaitOne();
    }

    static int Recursive(int depth)
    {
        if (depth == 0)
        {
            Never.WaitOne();
        }

        return depth + Recursive(depth - 1);
    }

    static Action Made()
    {
        var method = new DynamicMethod("Made", typeof(void), [], typeof(OddStacks).Module);
        var il = method.GetILGenerator();
        il.Emit(OpCodes.Ldsfld,
            typeof(OddStacks).GetField(nameof(Never), System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic)!);
        il.Emit(OpCodes.Callvirt, typeof(WaitHandle).GetMethod(nameof(WaitHandle.WaitOne), [])!);
        il.Emit(OpCodes.Pop);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Action>();
    }

    static class Generic<T>
    {
        public static void Hold<TKey>(TKey key)
        {
            Never.WaitOne();
            GC.KeepAlive((typeof(T), key));
        }
    }
}
