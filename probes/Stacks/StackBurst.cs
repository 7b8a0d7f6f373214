using System.Diagnostics.Tracing;
using Tpwatch.Recordings;
using Tpwatch.Sessions;

namespace Tpwatch.Stacks;

/// <summary>The result of a stack burst: samples, or one sentence that says why the samples are missing or unusable.</summary>
sealed record BurstOutcome(BurstSamples? Samples, string? Failure);

/// <summary>
/// Takes one stack burst: opens a second session with the runtime's sample profiler for 30 ms, and saves its stream to a private temporary
/// file, which is then read. A rundown in the stream names the methods.
/// </summary>
sealed class StackBurst(TimeProvider time, string temporaryFolder)
{
    /// <summary>Duration of the sampling; the runtime samples about once a millisecond, some thirty times per thread.</summary>
    static readonly TimeSpan Sampling = TimeSpan.FromMilliseconds(30);

    /// <summary>Time limit of a burst. The rundown of a small program takes 0.1 s, that of a large one seconds.</summary>
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
            using var folder = BurstFolder.Create(temporaryFolder);
            await SaveAsync(session, folder, either.Token).ConfigureAwait(false);
            var outcome = await UnlessCancelledAsync(() => Read(folder), folder, cancel).ConfigureAwait(false);
            return outcome.Samples is not { } samples ? outcome
                : !samples.NamesNothing ? new(TruncatedStacks.Mended(samples, session.WorkersByName), null)
                : session.IsNativeAot() ? new(samples, "The stacks name no methods, because this is a NativeAOT program.")
                // For a process that is not on this machine, the cause is not known.
                : new(null, "The stacks name no methods: the process ended first, or it is a NativeAOT program.");
        }
        catch (Exception e) when (e is UserErrorException || SessionErrors.IsForeseen(e))
        {
            // If the target exits, its broken socket is seen before the cancellation that the exit causes.
            cancel.ThrowIfCancellationRequested();
            return new(null, Why(e));
        }
    }

    /// <summary>
    /// Waits for a read, which cannot be interrupted, or for a cancellation: a cancelled caller must not wait for a large burst. After a
    /// cancellation the read continues, and deletes its folder at the end.
    /// </summary>
    internal static Task<BurstOutcome> UnlessCancelledAsync(Func<BurstOutcome> read, BurstFolder folder, CancellationToken cancel) =>
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

    async Task SaveAsync(LiveSession session, BurstFolder folder, CancellationToken cancel)
    {
        var file = PrivateFile.Create(folder.Stream);
        await using var disposed = file.ConfigureAwait(false);
        var side = await session.OpenSideAsync(Plan, cancel).ConfigureAwait(false);
        await using var closed = side.ConfigureAwait(false);

        // The copy runs outside the pool, because its reads block; the target answers the stop command only after everything was read.
        var copy = Task.Factory.StartNew(
            () => Copy(side.Events, file, MostBytes), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await Task.WhenAny(copy, Task.Delay(Sampling, time, cancel)).ConfigureAwait(false);
        var stop = copy.IsCompleted ? Task.CompletedTask : side.StopAsync(cancel);
        await Task.WhenAny(copy, stop).ConfigureAwait(false);
        if (copy.IsFaulted)
        {
            // A failed write ends the copy, and a target that waits for its reader answers no other client. So the session is closed here.
            await side.DisposeAsync().ConfigureAwait(false);
        }

        await stop.ConfigureAwait(false);

        await copy.WaitAsync(cancel).ConfigureAwait(false);
    }

    static BurstOutcome Read(BurstFolder folder)
    {
#pragma warning disable CA1031 // on a stream that broke off the library throws whatever its arithmetic ran into
        try
        {
            var samples = StackReading.Of(folder);
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
            $"tpwatch could not write a burst of stacks to the temporary folder: {BurstFolder.Nameless(e.Message).TrimEnd('.')}.",
        _ => $"tpwatch could not take a burst of stacks: {BurstFolder.Nameless(e.Message).TrimEnd('.')}.",
    };
}

/// <summary>
/// Repairs truncated stacks: the runtime reports only a hundred frames, so the outer end of a deep recursion is missing, and with it the
/// frames that identify a worker thread. The kernel's thread name identifies such a thread.
/// </summary>
static class TruncatedStacks
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
