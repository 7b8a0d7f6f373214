using System.Diagnostics;

namespace Tpwatch.Load;

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
