using Tpwatch.Screen;

namespace Tpwatch.Run;

/// <summary>Runs a watch until the stream ends, the duration is over or the user stops tpwatch, and then ends the session.</summary>
sealed class ObservationRun
{
    /// <summary>Minimum time between two reports. After a longer pause, the next event leads to a report at once.</summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(20);

    /// <summary>Interval of checks for states that cause no event: missing data, or a recording at its size limit.</summary>
    static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    /// <summary>Maximum wait for the end of the session; a stopped target process never answers.</summary>
    static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(10);

    /// <summary>Maximum wait for the current stack burst; reading a large program takes seconds on a busy machine.</summary>
    static readonly TimeSpan StacksPatience = TimeSpan.FromSeconds(10);

    readonly IWatch watch;
    readonly CommandContext context;
    readonly CancellationTokenRegistration told;
    Task? ending;

    /// <summary>Registers for the stop signal, which ends the session at once, even while output is blocked by a full pipe.</summary>
    public ObservationRun(IWatch watch, CommandContext context)
    {
        (this.watch, this.context) = (watch, context);
        told = context.Stop.UnsafeRegister(_ => ending = Task.Run(() => watch.StopAsync(CancellationToken.None)), null);
    }

    /// <summary>
    /// Runs the watch to its end, or until <paramref name="isEnough"/> returns true; passes each report, including the last one, to
    /// <paramref name="each"/>.
    /// </summary>
    public async Task<PoolReport> RunAsync(TimeSpan? duration, Action<PoolReport> each, Func<PoolReport, bool>? isEnough = null)
    {
        using var limit = duration is { } d ? new CancellationTokenSource(d, context.Time) : new CancellationTokenSource();
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, context.Stop);
        using var waker = new Waker();
        using var suspension = new JobControl(waker);
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
            if (isEnough?.Invoke(report) == true)
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

    /// <summary>Runs the watch in parallel with other watches; the caller ends all of them through <paramref name="stop"/>.</summary>
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

    /// <summary>Ends the session; passes the last report to <paramref name="each"/> and returns it.</summary>
    public async Task<PoolReport> FinishAsync(Action<PoolReport> each)
    {
        await StopInOrderAsync();
        var report = watch.Report();
        each(report);
        return report;
    }

    /// <summary>Returns the exit code for the way in which the session ended; writes a note if the session broke.</summary>
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

    /// <summary>Waits until <see cref="Pace"/> has passed since <paramref name="begun"/>, the time of the last report.</summary>
    Task PaceAsync(long begun, CancellationToken ends)
    {
        var left = Pace - context.Time.GetElapsedTime(begun);
        return left > TimeSpan.Zero ? Task.WhenAny(watch.Completion, Task.Delay(left, context.Time, ends)) : Task.CompletedTask;
    }

    /// <summary>Ends the session, lets Ctrl+Z suspend tpwatch, and starts a new session after <c>fg</c>.</summary>
    async Task StandAsideAsync(JobControl suspension)
    {
        using var patience = new CancellationTokenSource(HostOptions.SuspendLimit, context.Time);
        try
        {
            await watch.SuspendAsync(patience.Token);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            // The target has not answered. tpwatch is suspended anyway, because the user waits. The target ends a session that is not read.
        }

        suspension.Stop();
        await watch.ResumeAsync(context.Stop);
    }

    /// <summary>If the duration ended during a stack burst, waits until the burst has been read or the user stops tpwatch.</summary>
    Task ReadStacksAsync(CancellationToken timeIsOver, CancellationToken stop) => timeIsOver.IsCancellationRequested
        ? Task.WhenAny(watch.Completion, watch.StacksUnderWay, Task.Delay(StacksPatience, context.Time, stop))
        : Task.CompletedTask;

    async Task StopInOrderAsync()
    {
        using var patience = new CancellationTokenSource(StopPatience, context.Time);
        try
        {
            // Waits for a stop signal that is being handled. From here on, "ending" does not change.
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

/// <summary>Decides when to end a watch that has no duration from the user: once the call that blocks the threads is known.</summary>
static class EnoughSeen
{
    /// <summary>Minimum length of a watch, milliseconds: enough for seven counter samples, four of them before the stacks.</summary>
    const double LeastMs = 7_000;

    /// <summary>
    /// Minimum length of a watch in which no item completes, milliseconds. Ten seconds without a completion, counted from a counter sample,
    /// distinguish a deadlock from slow items.
    /// </summary>
    const double LeastWithoutCompletionMs = 12_000;

    /// <summary>Minimum share of the stack samples, 0 to 1, from which a call is the main blocker, even after one stack burst.</summary>
    const double Most = 0.5;

    /// <summary>Maximum number of stack bursts at depth auto.</summary>
    const int AllBursts = 3;

    /// <summary>Minimum time after the last stack burst, milliseconds, because a request's route is known only when it ends.</summary>
    const double SettledMs = 3_000;

    /// <summary>
    /// Number of stack bursts needed while the pool adds threads for task waits: two bursts show whether the items complete.
    /// </summary>
    const int TwoLooks = 2;

    /// <summary>Length of a watch, milliseconds, after which one stack burst is enough. Bursts are at least five seconds apart.</summary>
    const double LookedLongMs = 15_000;

    public static bool In(PoolReport report) => IsDeadlock(report)
        || (report is { Blockers: [var first, ..], Bursts: { } bursts } && Lasts(report) && Seen(report) >= Least(report)
            && (IsClear(report, first) || IsAll(report, bursts)));

    public static string Words(PoolReport report) =>
        $"stopped after {Format.Duration(Seen(report))}: tpwatch knows what holds the worker threads; --duration 30s watches longer";

    // Whether there is a deadlock, which never resolves. The minimum length applies, because the verdict also needs counter samples.
    static bool IsDeadlock(PoolReport report) => report.Inside?.Deadlock is not null && Seen(report) >= LeastWithoutCompletionMs;

    // Whether the problem continues; if not, the watch goes on for its whole duration. For COMPENSATED, IsNow is always false.
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
/// Makes the reports for the screen, at most four per second, because a column of the time axis is 250 ms wide. If reports take longer, as
/// with more data, the pauses between them are longer.
/// </summary>
sealed class PacedReports(Func<PoolReport> report, TimeProvider time)
{
    /// <summary>Pause after a report, as a multiple of the report's duration; 200 limits the cost to 0.5 % of a processor.</summary>
    const int Rest = 200;

    static readonly TimeSpan Least = TimeSpan.FromMilliseconds(250);

    /// <summary>Maximum pause. Counter samples come once a second, so each sample is shown before the next one.</summary>
    static readonly TimeSpan Most = TimeSpan.FromMilliseconds(800);

    PoolReport? last;
    long taken;
    TimeSpan pause;
    TimeSpan tookBefore;

    /// <summary>Returns a new report, or the last one during the pause. Not thread-safe.</summary>
    public PoolReport Take()
    {
        if (last is not null && time.GetElapsedTime(taken) < pause)
        {
            return last;
        }

        var begun = time.GetTimestamp();
        var made = report();
        // An unchanged report is the same object and costs nothing, so no pause follows.
        if (!ReferenceEquals(made, last))
        {
            (last, taken) = (made, time.GetTimestamp());
            Pause(time.GetElapsedTime(begun, taken));
        }

        return made;
    }

    // Sets the pause by the shorter of the last two durations, because the first report of a kind includes JIT compilation.
    void Pause(TimeSpan took)
    {
        var dear = (took < tookBefore ? took : tookBefore) * Rest;
        pause = dear < Least ? Least : dear > Most ? Most : dear;
        tookBefore = took;
    }
}
