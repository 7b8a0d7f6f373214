using System.Buffers.Text;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// How long the process's threads were ready and waited for a processor (/proc/PID/task/TID/schedstat, second number, nanoseconds). The
/// pool's gate thread is known by its name.
/// </summary>
sealed class ThreadWaits(ProcTree tree, int pid)
{
    // A file a thread and second: 4 ms of our processor time a second were measured with 160 threads, so 0.7 % of a core at most.
    const int MostThreads = 256;

    // "digits digits digits\n", 20 digits each at most.
    const int LineBytes = 64;

    const string GateName = ".NET TP Gate";

    readonly Dictionary<int, Seen> threads = [];
    readonly byte[] line = new byte[LineBytes];
    bool baseline = true;
    double longest;
    double? gate;

    /// <summary>Longest wait of one thread since the sums began, milliseconds; null where the kernel does not tell.</summary>
    public double? LongestMs => threads.Count > 0 ? longest : null;

    /// <summary>The same of the gate; null while it is not known.</summary>
    public double? GateMs => gate;

    /// <summary>Reads all threads once.</summary>
    public void Take()
    {
        HashSet<int> alive = [];
        foreach (var id in tree.Threads(pid))
        {
            if (alive.Count < MostThreads || threads.ContainsKey(id))
            {
                alive.Add(id);
                TakeOne(id);
            }
        }

        foreach (var gone in threads.Keys.Where(id => !alive.Contains(id)).ToArray())
        {
            threads.Remove(gone);
        }

        baseline = false;
    }

    /// <summary>The sums begin anew.</summary>
    public void BeginAnew()
    {
        longest = 0;
        gate = gate is null ? null : 0;
        foreach (var seen in threads.Values)
        {
            seen.SumMs = 0;
        }
    }

    void TakeOne(int id)
    {
        if (Waited(id) is not { } waited)
        {
            return;
        }

        if (!threads.TryGetValue(id, out var seen))
        {
            // A thread that was born since the last look has waited all of it since.
            seen = new Seen(IsGate(id)) { BeforeMs = baseline ? waited : 0 };
            threads.Add(id, seen);
        }

        seen.SumMs += Math.Max(0, waited - seen.BeforeMs);
        seen.BeforeMs = waited;
        longest = Math.Max(longest, seen.SumMs);
        gate = seen.IsGate ? seen.SumMs : gate;
    }

    bool IsGate(int id) => tree.ReadThread(pid, id, "comm").Text?.StartsWith(GateName, StringComparison.Ordinal) == true;

    double? Waited(int id)
    {
        ReadOnlySpan<byte> text = line.AsSpan(0, tree.ReadThread(pid, id, "schedstat", line));
        var blank = text.IndexOf((byte)' ');
        return blank > 0 && Utf8Parser.TryParse(text[(blank + 1)..], out long nanoseconds, out _) ? nanoseconds / 1e6 : null;
    }

    sealed class Seen(bool isGate)
    {
        public bool IsGate { get; } = isGate;
        public double BeforeMs { get; set; }
        public double SumMs { get; set; }
    }
}
