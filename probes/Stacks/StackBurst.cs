using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.EventPipe;
using Tpwatch.Recordings;
using Tpwatch.Sessions;
using Tpwatch.Targets;

namespace Tpwatch.Stacks;

/// <summary>The result of a stack burst: samples, and one sentence on why they are missing or unusable; null if none.</summary>
sealed record BurstOutcome(BurstSamples? Samples, string? Failure);

/// <summary>
/// Takes one stack burst: opens an extra session with the runtime's sample profiler for 30 ms, and saves its stream to a private temporary
/// file, which is then read. The rundown at the end of the stream names the methods.
/// </summary>
sealed class StackBurst(TimeProvider time, string temporaryFolder)
{
    /// <summary>Duration of the sampling; the runtime samples about once a millisecond, some thirty times per thread.</summary>
    static readonly TimeSpan Sampling = TimeSpan.FromMilliseconds(30);

    /// <summary>Time limit of a burst. The rundown of a small program takes 0.1 s, that of a large program takes seconds.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>Size limit of the stream; five hundred threads give 10 MB.</summary>
    const long MostBytes = 256 << 20;

    /// <summary>The plan of a burst's session, with the rundown that the runtime's own tools use by default.</summary>
    static SessionPlan Plan { get; } = new([new("Microsoft-DotNETCore-SampleProfiler", EventLevel.Informational, 0)])
    {
        WithoutStacks = false,
        Rundown = true,
        BufferMb = 128,
    };

    /// <summary>
    /// Takes a burst, within 20 s. Throws only <see cref="OperationCanceledException"/>, when <paramref name="cancel"/> is cancelled.
    /// </summary>
    public async Task<BurstOutcome> TakeAsync(LiveSession session, CancellationToken cancel)
    {
        using var limit = new CancellationTokenSource(Limit, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancel);
        try
        {
            using var folder = BurstDirectory.Create(temporaryFolder);
            await SaveAsync(session, folder, either.Token).ConfigureAwait(false);
            var outcome = await UnlessCancelledAsync(() => Read(folder), folder, cancel).ConfigureAwait(false);
            return outcome.Samples is not { } samples ? outcome
                : !samples.NamesNothing ? new(TruncatedStackRepair.Mended(samples, session.WorkersByName), null)
                : session.IsNativeAot() ? new(samples, "The stacks name no methods, because this is a NativeAOT program.")
                // For a process that is not on this machine, the cause is not known.
                : new(null, "The stacks name no methods: the process ended first, or it is a NativeAOT program.");
        }
        catch (Exception e) when (e is UserErrorException || SessionErrors.IsForeseen(e))
        {
            // If the target exits, its broken socket may be noticed before the cancellation that the exit causes.
            cancel.ThrowIfCancellationRequested();
            return new(null, Why(e));
        }
    }

    /// <summary>
    /// Runs a read, which cannot be interrupted. The returned task still ends at once on cancellation, so that the caller does not wait for
    /// a large burst. The read then continues in the background, and at its end deletes what is left of the folder.
    /// </summary>
    internal static Task<BurstOutcome> UnlessCancelledAsync(Func<BurstOutcome> read, BurstDirectory folder, CancellationToken cancel) =>
        Task.Run(
            () =>
            {
                using (folder)
                {
                    return read();
                }
            },
            CancellationToken.None).WaitAsync(cancel);

    /// <summary>Copies a stream; throws <see cref="IOException"/> on a full disk or beyond <paramref name="most"/> bytes.</summary>
    internal static void Copy(Stream from, Stream to, long most)
    {
        var buffer = new byte[1 << 16];
        var left = most;
        for (int count; (count = from.Read(buffer)) > 0;)
        {
            left -= count;
            if (left < 0)
            {
                throw new IOException($"more than {Format.Count(most)} bytes");
            }

            to.Write(buffer, 0, count);
        }
    }

    async Task SaveAsync(LiveSession session, BurstDirectory folder, CancellationToken cancel)
    {
        var file = PrivateFile.Create(folder.Stream);
        await using var disposed = file.ConfigureAwait(false);
        var side = await session.OpenSideAsync(Plan, cancel).ConfigureAwait(false);
        await using var closed = side.ConfigureAwait(false);

        // The copy has its own thread, because its reads block. It continues during the stop, because the target answers when all is read.
        var copy = Task.Factory.StartNew(
            () => Copy(side.Events, file, MostBytes), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await Task.WhenAny(copy, Task.Delay(Sampling, time, cancel)).ConfigureAwait(false);
        var stop = copy.IsCompleted ? Task.CompletedTask : side.StopAsync(cancel);
        await Task.WhenAny(copy, stop).ConfigureAwait(false);
        if (copy.IsFaulted)
        {
            // A failed write has ended the copy. The session is closed at once: a target that waits for its reader answers no other client.
            await side.DisposeAsync().ConfigureAwait(false);
        }

        await stop.ConfigureAwait(false);

        await copy.WaitAsync(cancel).ConfigureAwait(false);
    }

    static BurstOutcome Read(BurstDirectory folder)
    {
#pragma warning disable CA1031 // the library throws exceptions of any type on a truncated stream
        try
        {
            var samples = BurstStreamDecoder.Of(folder);
            return samples.Stacks.IsEmpty
                ? new(null, "A burst brought no stacks: the process ended or did not run in that time.")
                : new(samples, null);
        }
        catch (IOException e)
        {
            return new(null, Why(e));
        }
        catch (Exception)
        {
            return new(null, "Taking stacks stopped early: the process ended or was killed.");
        }
#pragma warning restore CA1031
    }

    static string Why(Exception e) => e switch
    {
        OperationCanceledException or TimeoutException =>
            $"tpwatch gave up a burst of stacks: the process did not answer within {Format.Duration(Limit.TotalMilliseconds)}.",
        UserErrorException or IOException or UnauthorizedAccessException =>
            $"tpwatch could not write a burst of stacks to the temporary folder: {BurstDirectory.Nameless(e.Message).TrimEnd('.')}.",
        _ => $"tpwatch could not take a burst of stacks: {BurstDirectory.Nameless(e.Message).TrimEnd('.')}.",
    };
}

/// <summary>
/// Repairs truncated stacks: the runtime reports only a hundred frames, so the outer end of a deep recursion is missing, and with it the
/// frames that identify a worker thread. The kernel's thread name identifies such a thread.
/// </summary>
static class TruncatedStackRepair
{
    /// <summary>Minimum number of frames of a stack that may be truncated.</summary>
    const int Cut = 90;

    static readonly string[] Outermost =
    [
        "... cut off by the runtime", "System.Private.CoreLib!System.Threading.ThreadPoolWorkQueue.Dispatch()",
        "System.Private.CoreLib!System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()",
    ];

    /// <summary>Returns the samples with the outer frames of truncated worker stacks added.</summary>
    /// <param name="samples">The samples.</param>
    /// <param name="workers">Callback that returns the thread ids of the worker threads; called only if a stack is truncated.</param>
    public static BurstSamples Mended(BurstSamples samples, Func<IReadOnlySet<int>> workers)
    {
        if (!samples.Stacks.Any(IsCut))
        {
            return samples;
        }

        var named = workers();
        return samples with
        {
            Stacks =
            [
                .. samples.Stacks.Select(s => IsCut(s) && named.Contains(s.ThreadId) ? s with { Frames = [.. s.Frames, .. Outermost] } : s),
            ],
        };
    }

    static bool IsCut(SampledStack stack) =>
        stack.Frames.Length >= Cut && !stack.Frames[^1].Contains("System.Threading.Thread.", StringComparison.Ordinal);
}

/// <summary>Converts the raw stream of a burst to stacks; TraceEvent takes the method names from the rundown at the end.</summary>
sealed class BurstStreamDecoder
{
    /// <summary>The end of the text for a frame whose method the runtime did not name.</summary>
    public const string Nameless = "!?";

    /// <summary>
    /// Maximum number of innermost frames that are kept; the outermost 8 are also kept, because they identify a worker thread.
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
    public static BurstSamples Of(BurstDirectory folder)
    {
        TraceLog.CreateFromEventPipeDataFile(folder.Stream, folder.Log, new TraceLogOptions { ContinueOnError = true });
        using var log = new TraceLog(folder.Log);
        return new BurstStreamDecoder().Read(log);
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

    string Named(TraceLog log, CodeAddressIndex address) =>
        named.TryGetValue(address, out var name) ? name : named[address] = Name(log.CodeAddresses[address]);

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
/// On .NET 9, the first sample of a thread may report the mode of an earlier suspension. A thread that constantly waits for a lock is then
/// reported as running (measured on 9.0.20: one sample in 804, always the first). So the first sample of a thread counts only if it is the
/// only one, and then as not running.
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

/// <summary>A private folder for the files of one stack burst; it is deleted with its files at the end.</summary>
sealed class BurstDirectory : IDisposable
{
    const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    const string Prefix = "tpwatch-burst-";

    /// <summary>Length of the random part of the name, digits.</summary>
    const int NameDigits = 32;

    readonly string path;
    readonly FileStream held;

    BurstDirectory(string path) => (this.path, held) = (path, Hold(path));

    /// <summary>Path of the raw event stream.</summary>
    public string Stream => Path.Combine(path, "burst.nettrace");

    /// <summary>Path of the log that the TraceEvent library derives from the stream.</summary>
    public string Log => Path.Combine(path, "burst.etlx");

    /// <summary>Creates a folder in <paramref name="root"/>; throws the file system's exceptions.</summary>
    public static BurstDirectory Create(string root)
    {
        if (!Directory.Exists(root))
        {
            // Otherwise the root would be created too, and would remain.
            throw new DirectoryNotFoundException($"there is no folder {root}");
        }

        var path = Path.Combine(root, $"{Prefix}{Guid.NewGuid():N}");
        _ = OperatingSystem.IsWindows() ? Directory.CreateDirectory(path) : Directory.CreateDirectory(path, OwnerOnly);
        return new(path);
    }

    /// <summary>Deletes the folders that a killed tpwatch has left behind: folders that no process has locked.</summary>
    public static void Sweep(string root)
    {
        try
        {
            foreach (var left in Directory.GetDirectories(root, Prefix + "*").Where(UnixFile.IsOurFolder))
            {
                SweepOne(left);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The folders stay.
        }
    }

    /// <summary>Returns a failure message without the folder's random name, so that two bursts give equal messages.</summary>
    public static string Nameless(string text) => string.Join(
        Prefix + "*", text.Split(Prefix).Select((part, i) => i > 0 && part.Length >= NameDigits ? part[NameDigits..] : part));

    public void Dispose()
    {
        held.Dispose();
        try
        {
            Directory.Delete(path, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another process has deleted the folder.
        }
    }

    // The file is locked for all processes, also those in other namespaces, until it is closed or this process ends.
    static FileStream Hold(string path) => new(Path.Combine(path, "held"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);

    static void SweepOne(string left)
    {
        try
        {
            Hold(left).Dispose();
        }
        catch (IOException)
        {
            return;
        }

        Directory.Delete(left, recursive: true);
    }
}

/// <summary>Limits the stack bursts of a target to one in 5 s and to 2.5 % of the time.</summary>
sealed class BurstPace(TimeProvider time)
{
    /// <summary>Minimum time from the start of one burst to the start of the next.</summary>
    static readonly TimeSpan Apart = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Minimum time from the start of a burst to the start of the next, as a multiple of the burst's duration. So even a target with
    /// hundreds of threads, whose bursts take long, is sampled for at most 2.5 % of the time.
    /// </summary>
    const double Rest = 40;

    /// <summary>Maximum time between bursts after failures, such as a full disk; each failure doubles the time up to this limit.</summary>
    static readonly TimeSpan MostApart = TimeSpan.FromMinutes(2);

    TimeSpan pause = TimeSpan.Zero;
    long? last;
    int failures;

    public bool MayBegin => last is not { } before || time.GetElapsedTime(before) >= pause;

    public void Begin() => last = time.GetTimestamp();

    /// <summary>Ends a burst; <paramref name="sampledMs"/> is the burst's length, null when the burst gave no samples.</summary>
    public void End(double? sampledMs)
    {
        failures = sampledMs is null ? failures + 1 : 0;
        var wanted = sampledMs is { } ms ? TimeSpan.FromMilliseconds(ms * Rest) : Apart * Math.Pow(2, Math.Min(failures, 10));
        pause = wanted < Apart ? Apart : wanted > MostApart && sampledMs is null ? MostApart : wanted;
    }
}
