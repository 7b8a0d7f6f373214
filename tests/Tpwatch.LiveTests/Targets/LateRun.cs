using Tpwatch.Attach;
using Tpwatch.LiveTests.Scenarios;

namespace Tpwatch.LiveTests.Targets;

/// <summary>A run that is met in its middle, as an incident is met in life: it goes on for a while before anybody attaches.</summary>
static class LateRun
{
    /// <summary>Longer than the pool's first injections take: workers are held, items wait, and nobody has seen how it came to that.</summary>
    static readonly TimeSpan Unseen = TimeSpan.FromSeconds(2);

    /// <summary>Lets a fixture begin and attaches late.</summary>
    public static async Task<ThreadPoolWatch> AttachAsync(FixtureTarget target, WatchOptions options, CancellationToken cancel)
    {
        await target.BeginAsync();
        await Task.Delay(Unseen, cancel);
        return await ThreadPoolWatch.AttachAsync(target.Pid, options, cancel);
    }

    /// <summary>The same, and stays until the fixture has ended by itself.</summary>
    public static async Task<ObservedRun> OfAsync(FixtureTarget target, WatchOptions options, CancellationToken cancel)
    {
        await using var watch = await AttachAsync(target, options, cancel);
        Assert.Equal(SessionEnd.TargetExited, await watch.Completion.WaitAsync(cancel));
        return new(watch.Report(), await target.TruthAsync(cancel));
    }
}
