using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.Load;

/// <summary>
/// Chains of items, each of which computes for some microseconds and queues the next, so that every worker is always
/// busy and some 200 000 items a second and processor-second pass through the pool's shared queue. Answers each line on its standard
/// input with the items so far; without chains it is an idle program.
/// </summary>
static class SaturatingLoad
{
    // About 9 us on a current core: with the queueing some 100 000 items a second and core.
    const int Turns = 6_000;

    /// <summary>
    /// Runs until the input ends; <paramref name="idle"/>: items do nothing but queue the next, as many events as a pool can make.
    /// <paramref name="checks"/>: a thread sleeps a millisecond at a time, and each answer has the longest tick since the last one, too.
    /// </summary>
    public static int Run(int chains, bool idle, bool checks)
    {
        var ticker = checks ? new Ticker() : null;
        var items = new long[chains * Chain.Padding];
        for (var i = 0; i < chains; i++)
            ThreadPool.UnsafeQueueUserWorkItem(new Chain(items, i * Chain.Padding, idle ? 0 : Turns), preferLocal: false);
        Console.WriteLine("READY");
        while (Console.ReadLine() is not null)
            Console.WriteLine(ticker is null ? Sum(items) : FormattableString.Invariant($"{Sum(items)} {ticker.Longest()}"));
        return 0;
    }

    static string Sum(long[] items)
    {
        var sum = 0L;
        for (var i = 0; i < items.Length; i += Chain.Padding)
            sum += Volatile.Read(ref items[i]);
        return sum.ToString(CultureInfo.InvariantCulture);
    }

    sealed class Chain(long[] items, int slot, int turns) : IThreadPoolWorkItem
    {
        /// <summary>Longs between two counters, so that chains do not share a cache line.</summary>
        public const int Padding = 16;

        uint state = 1;

        public void Execute()
        {
            for (var turn = 0; turn < turns; turn++)
                state = state * 1664525 + 1013904223;
            Volatile.Write(ref items[slot], items[slot] + 1);
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}

/// <summary>A thread that sleeps a millisecond at a time and notes how long that took: who stops the process is seen here.</summary>
sealed class Ticker
{
    long longest;

    /// <summary>Begins.</summary>
    public Ticker() => new Thread(Run) { IsBackground = true, Name = "ticks" }.Start();

    /// <summary>The longest tick since the last question, milliseconds.</summary>
    public double Longest() => Stopwatch.GetElapsedTime(0, Interlocked.Exchange(ref longest, 0)).TotalMilliseconds;

    void Run()
    {
        for (var last = Stopwatch.GetTimestamp(); ;)
        {
            Thread.Sleep(1);
            var now = Stopwatch.GetTimestamp();
            if (now - last > Interlocked.Read(ref longest))
                Interlocked.Exchange(ref longest, now - last);
            last = now;
        }
    }
}
