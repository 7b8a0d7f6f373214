using Tpwatch.Basics;
using Tpwatch.Controls;
using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.Screen.FrontEnds.Ansi;
using Tpwatch.World;

namespace Tpwatch.Watching;

/// <summary>Looks at several processes at once for a short while, and leaves every one of them whatever happens to another.</summary>
sealed class ShortLooks(CommandContext context)
{
    /// <summary>So many readers keep up on a small box; a ninth process waits for its turn.</summary>
    const int AtOnce = 8;

    /// <summary>What was seen of each; the order is that of <paramref name="rows"/>.</summary>
    public async Task<IReadOnlyList<CheckedRow>> RunAsync(IReadOnlyList<ProcessRow> rows, TimeSpan duration, WatchOptions options)
    {
        Tell(rows, duration, options.Depth);
        using var waker = new Waker();
        using var suspension = new Suspension(waker);
        using var stopped = new CancellationTokenSource();
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(stopped.Token, context.Stop);
        using var turns = new SemaphoreSlim(AtOnce);
        var looks = Task.WhenAll(rows.Select(r => LookAsync(r, (duration, options), turns, ends.Token)));
        while (!looks.IsCompleted)
        {
            if (suspension.Requested)
            {
                await stopped.CancelAsync();
                await looks;
                suspension.Stop();
            }

            await Task.WhenAny(looks, Task.Delay(Pace, context.Time, CancellationToken.None));
        }

        return await looks;
    }

    /// <summary>
    /// Between two looks whether Ctrl+Z was pressed: then the sessions end at once, and what was seen is printed after <c>fg</c>.
    /// </summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(50);

    async Task<CheckedRow> LookAsync(
        ProcessRow row, (TimeSpan Duration, WatchOptions Options) how, SemaphoreSlim turns, CancellationToken stop)
    {
        var mine = false;
        try
        {
            await turns.WaitAsync(stop);
            mine = true;
            await using var watch = await context.Engine.AttachAsync(row, how.Options, stop);
            await Task.WhenAny(watch.Completion, Task.Delay(how.Duration, context.Time, stop));
            return new(row, await new Observation(watch, context).FinishAsync(_ => { }), null);
        }
        catch (ForeseenException e)
        {
            return new(row, null, e.Message);
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return new(row, null, "stopped before it was looked at");
        }
        finally
        {
            if (mine)
            {
                turns.Release();
            }
        }
    }

    void Tell(IReadOnlyList<ProcessRow> rows, TimeSpan duration, CaptureDepth depth)
    {
        if (rows.Count == 0)
        {
            return;
        }

        var turns = (rows.Count + AtOnce - 1) / AtOnce;
        context.Note($"attaching to {Format.Plural(rows.Count, "process", "processes")}, {AtOnce} at a time, "
            + $"{Format.Duration(duration.TotalMilliseconds)} each: "
            + $"{Format.Duration(turns * duration.TotalMilliseconds)} in all. "
            + $"Each gets one event session with counter samples for that time"
            + (depth.HasFlag(CaptureDepth.Auto)
                ? $". Where work waits for 2 s: a burst of stacks, {DepthPrice.BurstMs} ms of pauses (--depth basic declines)"
                : ""));
        var shared = rows.Where(r => r.RuntimeMajor is <= BeforeAttaching.LastWithSharedInterval)
            .Select(r => r.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture)).ToList();
        if (shared.Count > 0)
        {
            context.Note($"on .NET 8 the counter interval is shared: other listeners of {string.Join(", ", shared)} get samples "
                + "every second, and keep them");
        }
    }
}
