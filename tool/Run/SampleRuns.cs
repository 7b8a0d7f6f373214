using Tpwatch.Options;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>Watches many processes for a short time, several in parallel, and ends every session even if another session fails.</summary>
sealed class SampleRuns(CommandContext context)
{
    /// <summary>Returns one result per process, in the order of <paramref name="rows"/>.</summary>
    public async Task<IReadOnlyList<CheckedRow>> RunAsync(IReadOnlyList<ProcessRow> rows, TimeSpan duration, WatchOptions options)
    {
        Tell(rows, duration, options.Depth);
        // Limits the number of parallel sessions; further processes wait for their turn.
        using var turns = new SemaphoreSlim(Together.AtOnce);
        return await Together.RunAsync(stop => Task.WhenAll(rows.Select(r => LookAsync(r, (duration, options), turns, stop))), context);
    }

    async Task<CheckedRow> LookAsync(
        ProcessRow row, (TimeSpan Duration, WatchOptions Options) how, SemaphoreSlim turns, CancellationToken stop)
    {
        var mine = false;
        try
        {
            await turns.WaitAsync(stop);
            mine = true;
            await using var watch = await context.Engine.AttachAsync(row, how.Options with { MayBeStarting = true }, stop);
            await Task.WhenAny(watch.Completion, Task.Delay(how.Duration, context.Time, stop));
            return new(row, await new Observation(watch, context).FinishAsync(_ => { }), null);
        }
        catch (UserErrorException e)
        {
            return new(row, null, e.Message);
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return new(row, null, "stopped before this process was checked");
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

        var turns = (rows.Count + Together.AtOnce - 1) / Together.AtOnce;
        context.Note($"attaching to {Format.Plural(rows.Count, "process", "processes")}, {Together.AtOnce} at a time, "
            + $"{Format.Duration(duration.TotalMilliseconds)} each: "
            + $"{Format.Duration(turns * duration.TotalMilliseconds)} in all. "
            + "tpwatch opens one event session with counter samples in each process"
            + (depth.HasFlag(CaptureDepth.Auto)
                ? ". If items wait for 2 s, tpwatch reads the memory of the process without a pause. If that fails, it takes a burst of "
                    + $"stacks, {DepthPrice.BurstMs} ms of pauses (--depth basic: neither)"
                : ""));
        var shared = rows.Where(r => r.RuntimeMajor is <= BeforeAttaching.LastWithSharedInterval)
            .Select(r => r.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture)).ToList();
        if (shared.Count > 0)
        {
            context.Note($"on .NET 8 all tools share one counter interval: others that listen to {string.Join(", ", shared)} "
                + "get samples every second, even afterwards");
        }
    }
}
