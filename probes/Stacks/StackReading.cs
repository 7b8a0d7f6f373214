using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.EventPipe;

namespace Tpwatch.Stacks;

/// <summary>
/// From the raw stream of a burst to stacks with names; the library's own log does the naming, from what the runtime told at the end.
/// </summary>
sealed class StackReading
{
    /// <summary>The end of a frame whose method the runtime did not name.</summary>
    public const string Nameless = "!?";

    /// <summary>Frames of a stack that are kept: the innermost, and of those behind the outermost, which tell a worker.</summary>
    const int MostInner = 120;

    const int MostOuter = 8;

    /// <summary>Different stacks of one thread that are kept; who moves that much computes.</summary>
    const int MostStacks = 4;

    readonly SampleCounts counts = new();
    readonly Dictionary<CodeAddressIndex, string> named = [];
    readonly SharedFrames shared = new();
    long firstTick = long.MaxValue;
    long lastTick = long.MinValue;

    /// <summary>Reads a burst; throws whatever a broken file makes the library throw.</summary>
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
        return stacks.IsEmpty ? new(default, 0, []) : new(new(firstTick), (lastTick - firstTick) / 1e6, stacks);
    }

    void Take(ClrThreadSampleTraceData e)
    {
        counts.Add(e.ThreadID, e.CallStackIndex(), e.Type == ClrThreadSampleType.Managed);
#pragma warning disable CS0618 // the target's own monotonic clock, as everywhere
        (firstTick, lastTick) = (Math.Min(firstTick, e.TimeStampQPC), Math.Max(lastTick, e.TimeStampQPC));
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

    // A recursion of a million frames says no more than its ends.
    static ImmutableArray<string> Folded(ImmutableArray<string> frames) => frames.Length <= MostInner + MostOuter
        ? frames
        : [.. frames[..MostInner], $"... {Format.Plural(frames.Length - MostInner - MostOuter, "frame")}", .. frames[^MostOuter..]];
}

/// <summary>How often each thread was seen with a stack, and whether it was in managed code then.</summary>
/// <remarks>
/// On .NET 9 the first sample of a thread may tell the mode of an earlier suspension: threads that wait for a lock all the time are
/// said to run (measured on 9.0.20: one sample in 804, always the first). So the first sample of a thread counts only where no other
/// follows, and then says nothing of running.
/// </remarks>
sealed class SampleCounts
{
    readonly Dictionary<int, CallStackIndex> first = [];
    readonly Dictionary<(int Thread, CallStackIndex Stack, bool Running), int> later = [];

    /// <summary>All that count, in any order.</summary>
    public IEnumerable<(int Thread, CallStackIndex Stack, bool Running, int Samples)> All
    {
        get
        {
            var again = later.Keys.Select(key => key.Thread).ToHashSet();
            return later.Select(one => (one.Key.Thread, one.Key.Stack, one.Key.Running, one.Value))
                .Concat(first.Where(one => !again.Contains(one.Key)).Select(one => (one.Key, one.Value, false, 1)));
        }
    }

    /// <summary>Takes a sample, in the order in which they were taken.</summary>
    public void Add(int thread, CallStackIndex stack, bool running)
    {
        if (!first.TryAdd(thread, stack))
        {
            later[(thread, stack, running)] = later.GetValueOrDefault((thread, stack, running)) + 1;
        }
    }
}
