using Tpwatch.Options;
using Tpwatch.Screen;

namespace Tpwatch.Run;

/// <summary>Observes until the stream ends, the time is over or somebody stops us, then stops in order.</summary>
sealed class Observation
{
    /// <summary>A report is due at once when something comes, and no sooner after the one before, however much comes.</summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(20);

    /// <summary>What nothing tells is looked at so often: a silent target, a recording at its limit. More costs an idle watch.</summary>
    static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    /// <summary>A target that is itself stopped never answers; what was seen is then all there is.</summary>
    static readonly TimeSpan StopPatience = TimeSpan.FromSeconds(10);

    /// <summary>A target that has paid for stacks is heard; those of a large program on a busy machine take some seconds to read.</summary>
    static readonly TimeSpan StacksPatience = TimeSpan.FromSeconds(10);

    readonly IWatch watch;
    readonly CommandContext context;
    readonly CancellationTokenRegistration told;
    Task? ending;

    /// <summary>
    /// Observes from now on: who is told to leave ends the session at once, though nobody reads what is being written meanwhile.
    /// </summary>
    public Observation(IWatch watch, CommandContext context)
    {
        (this.watch, this.context) = (watch, context);
        told = context.Stop.UnsafeRegister(_ => ending = Task.Run(() => watch.StopAsync(CancellationToken.None)), null);
    }

    /// <summary>Observes; hands every report to <paramref name="each"/>, the last one too.</summary>
    public Task<PoolReport> RunAsync(TimeSpan? duration, Action<PoolReport> each) => RunAsync(duration, each, _ => false);

    /// <summary>The same, and ends sooner once a report is enough.</summary>
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

    /// <summary>The same beside other observations: whoever looks after all of them says with the token when to stop.</summary>
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

    /// <summary>Stops in order; the last report.</summary>
    public async Task<PoolReport> FinishAsync(Action<PoolReport> each)
    {
        await StopInOrderAsync();
        var report = watch.Report();
        each(report);
        return report;
    }

    /// <summary>The exit code that goes with an end, and the sentence for those who did not expect it.</summary>
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

    /// <summary>Until a report is due after one that was begun then: at once for most.</summary>
    Task PaceAsync(long begun, CancellationToken ends)
    {
        var left = Pace - context.Time.GetElapsedTime(begun);
        return left > TimeSpan.Zero ? Task.WhenAny(watch.Completion, Task.Delay(left, context.Time, ends)) : Task.CompletedTask;
    }

    /// <summary>Ctrl+Z: the session ends before this process is stopped, and another begins when it goes on.</summary>
    async Task StandAsideAsync(Suspension suspension)
    {
        using var patience = new CancellationTokenSource(HostOptions.SuspendLimit, context.Time);
        try
        {
            await watch.SuspendAsync(patience.Token);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            // The user waits for the shell; the target ends the session itself when we do not read.
        }

        suspension.Stop();
        await watch.ResumeAsync(context.Stop);
    }

    /// <summary>The time is over in the middle of a burst of stacks: it is waited for, unless somebody wants to leave.</summary>
    Task ReadStacksAsync(CancellationToken timeIsOver, CancellationToken stop) => timeIsOver.IsCancellationRequested
        ? Task.WhenAny(watch.Completion, watch.StacksUnderWay, Task.Delay(StacksPatience, context.Time, stop))
        : Task.CompletedTask;

    async Task StopInOrderAsync()
    {
        using var patience = new CancellationTokenSource(StopPatience, context.Time);
        try
        {
            // Whoever asks again waits for the first.
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
