using Tpwatch.Options;
using Tpwatch.Screen;

namespace Tpwatch.Run;

/// <summary>Several observations that go on beside each other, as far as Ctrl+Z and Ctrl+C concern them.</summary>
static class Together
{
    /// <summary>So many readers keep up on a small box.</summary>
    public const int AtOnce = 8;

    /// <summary>
    /// Between two looks whether Ctrl+Z was pressed: then the sessions end at once, and what was seen is told before this process stops.
    /// </summary>
    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(50);

    /// <summary>Runs them until all have ended; the token is cancelled when they are to end early.</summary>
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
