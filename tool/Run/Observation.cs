using Tpwatch.Screen;

namespace Tpwatch.Run;

/// <summary>Observes until the stream ends, the duration is over or the user stops tpwatch, and then ends the session.</summary>
sealed class Observation
{
    /// <summary>Minimum time between two reports, for any rate of events. After that time, an event leads to a report at once.</summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(20);

    /// <summary>
    /// Interval of checks for states without a notification (no data, recording at its limit); costs an idle watch little.
    /// </summary>
    static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    /// <summary>Time limit for the end of the session; a target process that is stopped never answers.</summary>
    static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(10);

    /// <summary>Time limit for a stack burst in progress. Reading the stacks of a large program takes seconds on a busy machine.</summary>
    static readonly TimeSpan StacksPatience = TimeSpan.FromSeconds(10);

    readonly IWatch watch;
    readonly CommandContext context;
    readonly CancellationTokenRegistration told;
    Task? ending;

    /// <summary>Starts to observe. The stop signal ends the session at once, even if output is blocked by a full pipe.</summary>
    public Observation(IWatch watch, CommandContext context)
    {
        (this.watch, this.context) = (watch, context);
        told = context.Stop.UnsafeRegister(_ => ending = Task.Run(() => watch.StopAsync(CancellationToken.None)), null);
    }

    /// <summary>Observes to the end; passes every report to <paramref name="each"/>, including the last one.</summary>
    public Task<PoolReport> RunAsync(TimeSpan? duration, Action<PoolReport> each) => RunAsync(duration, each, _ => false);

    /// <summary>Passes every report to <paramref name="each"/>; ends early once <paramref name="isEnough"/> returns true.</summary>
    public async Task<PoolReport> RunAsync(TimeSpan? duration, Action<PoolReport> each, Func<PoolReport, bool> isEnough)
    {
        using var limit = duration is { } d ? new CancellationTokenSource(d, context.Time) : new CancellationTokenSource();
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, context.Stop);
        using var waker = new Waker();
        using var suspension = new Suspension(waker);
        var look = Task.CompletedTask;
        while (!watch.Completion.IsCompleted && !ends.IsCancellationRequested && watch.RecordingEnded is null)
        {
            if (suspension.Requested)
            {
                await StandAsideAsync(suspension);
            }

            var begun = context.Time.GetTimestamp();
            var report = watch.Report();
            each(report);
            if (isEnough(report))
            {
                break;
            }

            look = look.IsCompleted ? Task.Delay(Look, context.Time, ends.Token) : look;
            await Task.WhenAny(watch.Completion, watch.News, suspension.Asked, look);
            await PaceAsync(begun, ends.Token);
        }

        await ReadStacksAsync(limit.Token, context.Stop);
        return await FinishAsync(each);
    }

    /// <summary>Observes in parallel with other observations, which the caller stops together through <paramref name="stop"/>.</summary>
    public async Task<PoolReport> RunBesideAsync(TimeSpan? duration, CancellationToken stop)
    {
        using var limit = duration is { } d ? new CancellationTokenSource(d, context.Time) : new CancellationTokenSource();
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stop);
        while (!watch.Completion.IsCompleted && !ends.IsCancellationRequested && watch.RecordingEnded is null)
        {
            await Task.WhenAny(watch.Completion, Task.Delay(Look, context.Time, ends.Token));
        }

        await ReadStacksAsync(limit.Token, stop);
        return await FinishAsync(_ => { });
    }

    /// <summary>Ends the session; passes the last report to <paramref name="each"/> and returns that report.</summary>
    public async Task<PoolReport> FinishAsync(Action<PoolReport> each)
    {
        await StopInOrderAsync();
        var report = watch.Report();
        each(report);
        return report;
    }

    /// <summary>Returns the exit code for the end of the session; writes a note if the end was unexpected.</summary>
    public ExitCode Conclude(PoolReport report)
    {
        if (watch.ResumeFailure is { } failure)
        {
            context.Note($"after fg, tpwatch could not start a new session: {failure}");
        }

        var quality = report.Timeline.Quality;
        var kept = quality.Events == 0 || report.Timeline.StartUtc == default
            ? "no event had arrived before"
            : $"the report covers everything until {Format.Utc(report.Timeline.UtcOf(quality.CompleteUpTo))}";
        switch (report.End)
        {
            case SessionEnd.StreamBroken:
                context.Note($"the event stream broke although the process still runs; {kept}",
                    "attach again; if that fails too, the diagnostics of the process are broken until it restarts");
                return ExitCode.Broken;
            case SessionEnd.RecordingBroken:
                context.Note($"the recording is incomplete or damaged; {kept}",
                    "record again, and end the recording with Ctrl+C instead of killing tpwatch");
                return ExitCode.Broken;
            default:
                return watch.RecordingFailed ? ExitCode.Arguments : ExitCode.Done;
        }
    }

    /// <summary>Waits until <see cref="Pace"/> has passed since <paramref name="begun"/>; usually, this time has passed already.</summary>
    Task PaceAsync(long begun, CancellationToken ends)
    {
        var left = Pace - context.Time.GetElapsedTime(begun);
        return left > TimeSpan.Zero ? Task.WhenAny(watch.Completion, Task.Delay(left, context.Time, ends)) : Task.CompletedTask;
    }

    /// <summary>Ends the session before Ctrl+Z stops this process, and starts a new session when this process continues.</summary>
    async Task StandAsideAsync(Suspension suspension)
    {
        using var patience = new CancellationTokenSource(HostOptions.SuspendLimit, context.Time);
        try
        {
            await watch.SuspendAsync(patience.Token);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            // The user waits for the shell. The target ends the session itself if tpwatch reads no events.
        }

        suspension.Stop();
        await watch.ResumeAsync(context.Stop);
    }

    /// <summary>If the duration ends during a stack burst, waits for the end of the burst, unless the user stops tpwatch.</summary>
    Task ReadStacksAsync(CancellationToken timeIsOver, CancellationToken stop) => timeIsOver.IsCancellationRequested
        ? Task.WhenAny(watch.Completion, watch.StacksUnderWay, Task.Delay(StacksPatience, context.Time, stop))
        : Task.CompletedTask;

    async Task StopInOrderAsync()
    {
        using var patience = new CancellationTokenSource(StopPatience, context.Time);
        try
        {
            // Waits for a signal handler in progress, after which "ending" is final and no other stop begins.
            await told.DisposeAsync();
            if (!watch.Completion.IsCompleted)
            {
                await Task.WhenAll(watch.StopAsync(patience.Token), ending ?? Task.CompletedTask).WaitAsync(patience.Token);
            }

            await watch.Completion.WaitAsync(patience.Token);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            context.Note($"the process did not end the session within {Format.Duration(StopPatience.TotalMilliseconds)}; "
                + "the report covers everything until then");
        }
    }
}

/// <summary>Decides when a watch without a given duration may end: the call that blocks the threads and its routes are known.</summary>
static class EnoughSeen
{
    /// <summary>Minimum milliseconds: seven counter samples for verdict, rates and routes; stacks come after four samples.</summary>
    const double LeastMs = 7_000;

    /// <summary>
    /// Minimum duration in milliseconds if no item has completed. Ten seconds without a completion separate a deadlock from slow items, and
    /// those ten seconds begin with a counter sample.
    /// </summary>
    const double LeastWithoutCompletionMs = 12_000;

    /// <summary>Share of the stack samples from which a call is certainly the main blocker, without a second stack burst.</summary>
    const double Most = 0.5;

    /// <summary>Maximum number of stack bursts at depth auto.</summary>
    const int AllBursts = 3;

    /// <summary>Wait after the last stack burst, in milliseconds. The burst's requests are known when they end; few take longer.</summary>
    const double SettledMs = 3_000;

    /// <summary>
    /// Number of stack bursts needed while the pool adds threads for task waits. Two bursts show whether the items complete; twelve counter
    /// samples show whether the number of threads stops growing.
    /// </summary>
    const int TwoLooks = 2;

    /// <summary>Time in milliseconds after which two bursts exist if stacks can be taken at all: bursts are five seconds apart.</summary>
    const double LookedLongMs = 15_000;

    /// <summary>Whether the report of a running watch contains enough to end the watch.</summary>
    public static bool In(PoolReport report) => IsDeadlock(report)
        || (report is { Blockers: [var first, ..], Bursts: { } bursts } && Lasts(report) && Seen(report) >= Least(report)
            && (IsClear(report, first) || IsAll(report, bursts)));

    /// <summary>Returns the note to write when the watch ends early.</summary>
    public static string Words(PoolReport report) =>
        $"stopped after {Format.Duration(Seen(report))}: tpwatch knows what holds the worker threads; --duration 30s watches longer";

    // Later events cannot revoke a deadlock. The rest of the verdict still needs the usual number of counter samples.
    static bool IsDeadlock(PoolReport report) => report.Inside?.Deadlock is not null && Seen(report) >= LeastWithoutCompletionMs;

    // After a problem has ended, the watch continues, so that the report shows the end. Blocking compensation is not in IsNow.
    static bool Lasts(PoolReport report) => report.IsNow || report.Verdict == Verdict.Compensated;

    static double Seen(PoolReport report) => report.Timeline.Now.MsSince(report.Timeline.Start);

    static double Least(PoolReport report) =>
        report.Verdict != Verdict.Compensated && report.Timeline.CounterSamples.Any(sample => sample.Completed > 0)
            ? LeastMs : LeastWithoutCompletionMs;

    static bool IsClear(PoolReport report, Blocker first) =>
        (report.Verdict != Verdict.Compensated || report.Bursts?.Taken.Length >= TwoLooks || Seen(report) >= LookedLongMs)
        && first.Share >= Most && (!report.WatchesRequests || first.Routes is not []);

    static bool IsAll(PoolReport report, StackBursts bursts) =>
        bursts.Taken.Length >= AllBursts && report.Timeline.Now.MsSince(bursts.Taken[^1].At) >= SettledMs;
}

/// <summary>
/// Makes the reports for the screen, with a maximum of four per second. Events arrive in several batches a second, and a time axis of 250
/// ms per column moves no faster. Reports are rarer if a report takes longer, as it does when more data is kept.
/// </summary>
sealed class PacedReports(Func<PoolReport> report, TimeProvider time)
{
    /// <summary>Pause after a report, as a multiple of the time that the report took: 200 means half a percent of a processor.</summary>
    const int Rest = 200;

    static readonly TimeSpan Least = TimeSpan.FromMilliseconds(250);

    /// <summary>Longest pause. Counter samples come once a second and the screen draws every 100 ms, so no sample appears late.</summary>
    static readonly TimeSpan Most = TimeSpan.FromMilliseconds(800);

    PoolReport? last;
    long taken;
    TimeSpan pause;
    TimeSpan tookBefore;

    /// <summary>Returns a new report, or during the pause the last one. Not thread-safe.</summary>
    public PoolReport Take()
    {
        if (last is not null && time.GetElapsedTime(taken) < pause)
        {
            return last;
        }

        var begun = time.GetTimestamp();
        var made = report();
        // An unchanged report cost nothing, so no pause follows.
        if (!ReferenceEquals(made, last))
        {
            (last, taken) = (made, time.GetTimestamp());
            Pause(time.GetElapsedTime(begun, taken));
        }

        return made;
    }

    // The first report of a kind includes compilation, so the cost is the smaller duration of two consecutive reports.
    void Pause(TimeSpan took)
    {
        var dear = (took < tookBefore ? took : tookBefore) * Rest;
        pause = dear < Least ? Least : dear > Most ? Most : dear;
        tookBefore = took;
    }
}
