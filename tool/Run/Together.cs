using Tpwatch.Options;
using Tpwatch.Screen;

namespace Tpwatch.Run;

/// <summary>Runs several observations in parallel, and ends them on Ctrl+Z and Ctrl+C.</summary>
static class Together
{
    /// <summary>Maximum number of parallel observations, with which a small machine keeps up.</summary>
    public const int AtOnce = 8;

    /// <summary>
    /// Interval of checks for Ctrl+Z. After Ctrl+Z, the sessions end at once, and the results are written before this process stops.
    /// </summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(50);

    /// <summary>Runs the observations until all have ended; the token for the observations is cancelled if they must end early.</summary>
    public static async Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> begin, CommandContext context)
    {
        using var waker = new Waker();
        using var suspension = new Suspension(waker);
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
