using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>How the watch of one process ended.</summary>
/// <param name="Ended">Whether the process or its stream ended; false if tpwatch ended the session.</param>
readonly record struct WatchOutcome(int Code, bool Ended)
{
    /// <summary>Returns how <paramref name="watch"/> ended. Its exit code is <paramref name="code"/>.</summary>
    public static async Task<WatchOutcome> OfAsync(IWatch watch, int code) =>
        new(code, watch.Completion.IsCompleted && await watch.Completion != SessionEnd.StoppedByUs);
}

/// <summary>Watches the processes that connect to one diagnostic port, one after another.</summary>
sealed class SequentialWatches(CommandContext context)
{
    /// <summary>
    /// Watches the process or, with <paramref name="follows"/>, one process after another. Stops when a watch ends before its process, no
    /// process connects in time, or the user stops tpwatch. Returns the worst exit code of the watches.
    /// </summary>
    /// <param name="target">The first process, and later the next process at the port.</param>
    /// <param name="follows">Whether to wait for further processes at the port.</param>
    /// <param name="watch">Callback that watches the target; its argument is the number of the process, from 1.</param>
    public async Task<int> RunAsync(ITarget target, bool follows, Func<int, Task<WatchOutcome>> watch)
    {
        if (!follows)
        {
            return (await watch(1)).Code;
        }

        List<int> codes = [];
        bool goesOn;
        do
        {
            var turn = await WatchAsync(target, codes.Count + 1, watch);
            codes.Add(turn.Code);
            goesOn = turn.Ended && !context.Stop.IsCancellationRequested && await NextAsync(target);
        }
        while (goesOn);

        return WorstExitCode.Of(codes);
    }

    // Watches one process. If no session could be started, writes a note, so that the watch of the next process still follows.
    async Task<WatchOutcome> WatchAsync(ITarget target, int number, Func<int, Task<WatchOutcome>> watch)
    {
        try
        {
            return await watch(number);
        }
        catch (UserErrorException e) when (e.ExitCode == ExitCode.NoSession)
        {
            context.Note(string.Create(CultureInfo.InvariantCulture, $"{target.Row.Name} {target.Row.Pid}: {e.Message}"), e.Hint);
            return new((int)e.ExitCode, Ended: true);
        }
    }

    async Task<bool> NextAsync(ITarget target)
    {
        context.Note($"{target.Row.Name} has ended; waiting for the next process; Ctrl+C stops");
        try
        {
            return await target.NextAsync(context.Stop);
        }
        catch (UserErrorException e) when (e.ExitCode == ExitCode.NoSession)
        {
            context.Note(e.Message);
            return false;
        }
        catch (OperationCanceledException) when (context.Stop.IsCancellationRequested)
        {
            return false;
        }
    }
}

/// <summary>One of several watches that run in parallel.</summary>
/// <param name="Context">Engine, streams and terminal of this run; notes begin with the name of the process.</param>
/// <param name="Turn">Task that completes when all earlier watches have written their documents.</param>
/// <param name="Stop">Token that is cancelled when all watches must end.</param>
sealed record ParallelRun(CommandContext Context, Task Turn, CancellationToken Stop);

/// <summary>Watches several processes in parallel; the failure of one watch does not affect the others.</summary>
sealed class ParallelWatches(CommandContext context)
{
    /// <summary>Watches all processes; returns the worst exit code.</summary>
    /// <exception cref="UserErrorException">There are too many processes.</exception>
    public async Task<int> RunAsync(IReadOnlyList<int> pids, Func<ProcessRow, ParallelRun, Task<ExitCode>> look)
    {
        if (pids.Count > ConcurrentObservations.AtOnce)
        {
            throw new UserErrorException(
                $"{Format.Plural(pids.Count, "process", "processes")} are too many to watch at once "
                    + $"(at most {ConcurrentObservations.AtOnce})",
                "name fewer with -p PID,PID; 'dotnet tpwatch ps --check 5s' checks them in turn", ExitCode.Arguments);
        }

        var shared = context with { Error = TextWriter.Synchronized(context.Error) };
        var codes = await ConcurrentObservations.RunAsync(stop => Task.WhenAll(Begin(pids, look, shared, stop)), context);
        return WorstExitCode.Of([.. codes.Select(c => (int)c)]);
    }

    // Starts all watches. Each watch writes its document after the previous watch, so that documents are in the requested order.
    static List<Task<ExitCode>> Begin(
        IReadOnlyList<int> pids, Func<ProcessRow, ParallelRun, Task<ExitCode>> look, CommandContext context, CancellationToken stop)
    {
        List<Task<ExitCode>> looks = [];
        var before = Task.CompletedTask;
        foreach (var pid in pids)
        {
            looks.Add(LookAsync(pid, look, new(context, before, stop)));
            before = Task.WhenAny(looks[^1]);
        }

        return looks;
    }

    static async Task<ExitCode> LookAsync(int pid, Func<ProcessRow, ParallelRun, Task<ExitCode>> look, ParallelRun side)
    {
        var named = side.Context with { About = $"process {pid.ToString(CultureInfo.InvariantCulture)}" };
        try
        {
            var row = await named.Engine.ByPidAsync(pid, side.Stop);
            named = named with { About = string.Create(CultureInfo.InvariantCulture, $"{row.Name} {pid}") };
            return await look(row, side with { Context = named });
        }
        catch (UserErrorException e)
        {
            named.Note(e.Message, e.Hint);
            return e.ExitCode;
        }
        catch (OperationCanceledException) when (side.Stop.IsCancellationRequested)
        {
            named.Note("stopped before a session was open");
            return ExitCode.NoSession;
        }
    }
}

/// <summary>Watches many processes for a short time each, several in parallel.</summary>
sealed class ProcessCheckRunner(CommandContext context)
{
    /// <summary>Returns one result per process, in the order of <paramref name="rows"/>.</summary>
    public async Task<IReadOnlyList<ProcessCheckResult>> RunAsync(IReadOnlyList<ProcessRow> rows, TimeSpan duration, WatchOptions options)
    {
        Tell(rows, duration, options.Depth);
        // Limits the number of parallel sessions; further processes wait.
        using var turns = new SemaphoreSlim(ConcurrentObservations.AtOnce);
        return await ConcurrentObservations.RunAsync(stop =>
            Task.WhenAll(rows.Select(r => LookAsync(r, (duration, options), turns, stop))), context);
    }

    async Task<ProcessCheckResult> LookAsync(
        ProcessRow row, (TimeSpan Duration, WatchOptions Options) how, SemaphoreSlim turns, CancellationToken stop)
    {
        try
        {
            using var turn = await turns.EnterAsync(stop);
            await using var watch = await context.Engine.AttachAsync(row, how.Options with { MayBeStarting = true }, stop);
            await Task.WhenAny(watch.Completion, Task.Delay(how.Duration, context.Time, stop));
            return new(row, await new ObservationRun(watch, context).FinishAsync(_ => { }), null);
        }
        catch (UserErrorException e)
        {
            return new(row, null, e.Message);
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return new(row, null, "stopped before this process was checked");
        }
    }

    void Tell(IReadOnlyList<ProcessRow> rows, TimeSpan duration, CaptureDepth depth)
    {
        if (rows.Count == 0)
        {
            return;
        }

        var turns = (rows.Count + ConcurrentObservations.AtOnce - 1) / ConcurrentObservations.AtOnce;
        context.Note($"attaching to {Format.Plural(rows.Count, "process", "processes")}, {ConcurrentObservations.AtOnce} at a time, "
            + $"{Format.Duration(duration.TotalMilliseconds)} each: "
            + $"{Format.Duration(turns * duration.TotalMilliseconds)} in all. "
            + "tpwatch opens one event session with counter samples in each process"
            + (depth.HasFlag(CaptureDepth.Auto)
                ? ". If items wait for 2 s, tpwatch reads the memory of the process without a pause. If that fails, it takes a burst of "
                    + $"stacks, about {DepthPrice.BurstMs} ms of pauses (--depth basic: neither)"
                : ""));
        var shared = rows.Where(r => r.RuntimeMajor is <= AttachNotes.LastWithSharedInterval)
            .Select(r => r.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture)).ToList();
        if (shared.Count > 0)
        {
            context.Note($"on .NET 8 all tools share one counter interval: others that listen to {string.Join(", ", shared)} "
                + "get samples every second, even afterwards");
        }
    }
}

/// <summary>Lets a <c>using</c> statement enter a semaphore, and release it at the end.</summary>
static class SemaphorePlaces
{
    /// <summary>Waits until the semaphore can be entered; disposing the result releases the semaphore.</summary>
    public static async Task<IDisposable> EnterAsync(this SemaphoreSlim places, CancellationToken cancel)
    {
        await places.WaitAsync(cancel);
        return new Place(places);
    }

    sealed class Place(SemaphoreSlim places) : IDisposable
    {
        public void Dispose() => places.Release();
    }
}

/// <summary>Runs several watches in parallel, and ends them on Ctrl+Z and Ctrl+C.</summary>
static class ConcurrentObservations
{
    /// <summary>Maximum number of parallel watches: few enough for a small machine.</summary>
    public const int AtOnce = 8;

    /// <summary>Interval of checks for Ctrl+Z. Before tpwatch is suspended, the sessions end and the results are written.</summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(50);

    /// <summary>Runs the watches until all have ended. The token passed to <paramref name="begin"/> ends them early.</summary>
    public static async Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> begin, CommandContext context)
    {
        using var waker = new Waker();
        using var suspension = new JobControl(waker);
        using var stopped = new CancellationTokenSource();
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(stopped.Token, context.Stop);
        var all = begin(ends.Token);
        while (!all.IsCompleted)
        {
            if (suspension.Requested)
            {
                await stopped.CancelAsync();
                await all;
                suspension.Stop();
            }

            await Task.WhenAny(all, Task.Delay(Pace, context.Time, CancellationToken.None));
        }

        return await all;
    }
}
