using System.Collections.Immutable;
using System.Diagnostics;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Benchmarks.Runs;

/// <summary>
/// When how much of a stream had come, from the outside: the length of the recording, which is written as it is read, looked at every few
/// milliseconds from a thread of its own.
/// </summary>
sealed class DeliveryLog
{
    const int LookMs = 4;

    readonly List<Delivery> seen = [];
    readonly string file;
    readonly Thread thread;
    volatile bool stopped;

    public DeliveryLog(string file)
    {
        this.file = file;
        thread = new(Watch) { IsBackground = true };
        thread.Start();
    }

    /// <summary>Ends the log; the last entry is the whole stream.</summary>
    public ImmutableArray<Delivery> Stop()
    {
        stopped = true;
        thread.Join();
        Look();
        return [.. seen];
    }

    void Watch()
    {
        for (; !stopped; Thread.Sleep(LookMs))
            Look();
    }

    void Look()
    {
        var bytes = new FileInfo(file).Length;
        if (bytes > (seen.Count > 0 ? seen[^1].Bytes : 0))
            seen.Add(new(bytes, new(Stopwatch.GetTimestamp())));
    }
}
