using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.EventPipe;

namespace Tpwatch.Stacks;

/// <summary>Converts the raw stream of a burst to stacks; TraceEvent's log gets the method names from the rundown at its end.</summary>
sealed class StackReading
{
    /// <summary>The end of the text for a frame whose method the runtime did not name.</summary>
    public const string Nameless = "!?";

    /// <summary>
    /// Maximum number of innermost frames kept of a stack; the 8 outermost, which identify a worker thread, are kept too.
    /// </summary>
    const int MostInner = 120;

    const int MostOuter = 8;

    /// <summary>Maximum number of different stacks kept per thread; a thread with more is computing.</summary>
    const int MostStacks = 4;

    readonly SampleCounts counts = new();
    readonly Dictionary<CodeAddressIndex, string> named = [];
    readonly SharedFrames shared = new();
    long firstCheck = long.MaxValue;
    long lastCheck = long.MinValue;

    /// <summary>Reads a burst; throws any exception that the library throws on a broken file.</summary>
    public static BurstSamples Of(BurstFolder folder)
    {
        TraceLog.CreateFromEventPipeDataFile(folder.Stream, folder.Log, new TraceLogOptions { ContinueOnError = true });
        using var log = new TraceLog(folder.Log);
        return new StackReading().Read(log);
    }

    BurstSamples Read(TraceLog log)
    {
        using var source = log.Events.GetSource();
        new SampleProfilerTraceEventParser(source).ThreadSample += Take;
        source.Process();
        var stacks = counts.All.GroupBy(c => c.Thread).OrderBy(g => g.Key)
            .SelectMany(thread => thread.OrderByDescending(c => c.Samples).Take(MostStacks))
            .Select(c => new SampledStack(c.Thread, c.Samples, c.Running, shared.Of(Folded([.. Frames(log, c.Stack)]))))
            .ToImmutableArray();
        return stacks.IsEmpty ? new(default, 0, []) : new(new(firstCheck), (lastCheck - firstCheck) / 1e6, stacks);
    }

    void Take(ClrThreadSampleTraceData e)
    {
        counts.Add(e.ThreadID, e.CallStackIndex(), e.Type == ClrThreadSampleType.Managed);
#pragma warning disable CS0618 // the target's own monotonic clock, as everywhere
        (firstCheck, lastCheck) = (Math.Min(firstCheck, e.TimeStampQPC), Math.Max(lastCheck, e.TimeStampQPC));
#pragma warning restore CS0618
    }

    IEnumerable<string> Frames(TraceLog log, CallStackIndex index)
    {
        for (var at = index; at != CallStackIndex.Invalid; at = log.CallStacks.Caller(at))
        {
            yield return Named(log, log.CallStacks.CodeAddressIndex(at));
        }
    }

    string Named(TraceLog log, CodeAddressIndex address)
    {
        if (!named.TryGetValue(address, out var name))
        {
            named[address] = name = Name(log.CodeAddresses[address]);
        }

        return name;
    }

    static string Name(TraceCodeAddress address)
    {
        var (method, module) = (address.FullMethodName, address.ModuleName);
        return string.IsNullOrEmpty(method) ? module + Nameless : string.IsNullOrEmpty(module) ? method : $"{module}!{method}";
    }

    // The middle of a recursion with a million frames adds no information.
    static ImmutableArray<string> Folded(ImmutableArray<string> frames) => frames.Length <= MostInner + MostOuter
        ? frames
        : [.. frames[..MostInner], $"... {Format.Plural(frames.Length - MostInner - MostOuter, "frame")}", .. frames[^MostOuter..]];
}

/// <summary>Counts the samples per thread, stack and mode (managed or not).</summary>
/// <remarks>
/// On .NET 9 the first sample of a thread may report the mode of an earlier suspension. Threads that constantly wait for a lock are then
/// reported as running (measured on 9.0.20: one sample in 804, always the first). So the first sample of a thread counts only if no other
/// sample of the thread follows, and then as not running.
/// </remarks>
sealed class SampleCounts
{
    readonly Dictionary<int, CallStackIndex> first = [];
    readonly Dictionary<(int Thread, CallStackIndex Stack, bool Running), int> later = [];

    /// <summary>The samples that count, in any order.</summary>
    public IEnumerable<(int Thread, CallStackIndex Stack, bool Running, int Samples)> All
    {
        get
        {
            var again = later.Keys.Select(key => key.Thread).ToHashSet();
            return later.Select(one => (one.Key.Thread, one.Key.Stack, one.Key.Running, one.Value))
                .Concat(first.Where(one => !again.Contains(one.Key)).Select(one => (one.Key, one.Value, false, 1)));
        }
    }

    /// <summary>Adds a sample; call it in the order in which the samples were taken.</summary>
    public void Add(int thread, CallStackIndex stack, bool running)
    {
        if (!first.TryAdd(thread, stack))
        {
            later[(thread, stack, running)] = later.GetValueOrDefault((thread, stack, running)) + 1;
        }
    }
}
