using Tpwatch.Attach.Sessions;
using Tpwatch.Reports;
using Tpwatch.Stacks;
using Tpwatch.Timeline.Items;

namespace Tpwatch.Capture;

/// <summary>Takes bursts of stacks while items wait, as long as that is allowed; one at a time, in a loop of its own.</summary>
sealed class BurstWatch : IAsyncDisposable
{
    /// <summary>How often it looks whether items wait.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(100);

    /// <summary>An injection so recent is part of the trouble, milliseconds; the next is due in half of that.</summary>
    const double RecentMs = 2000;

    /// <summary>The last event of a quiet thread comes with the next heartbeat but one at the latest.</summary>
    static readonly TimeSpan Settled = TimeSpan.FromSeconds(3);

    readonly LiveSession session;
    readonly Func<Observation> latest;
    readonly TimeProvider time;
    readonly StackBurst burst;
    readonly BurstPace pace;
    readonly CancellationTokenSource ends = new();
    readonly Task loop;
    int disposed;
    long lastRead;
    volatile StacksSeen seen = StacksSeen.None;

    /// <summary>Begins to look.</summary>
    public BurstWatch(LiveSession session, Func<Observation> latest, WatchOptions options)
    {
        (this.session, this.latest, time) = (session, latest, options.Time);
        IsAllowed = options.Depth.HasFlag(CaptureDepth.Stacks);
        burst = new(time, options.TemporaryFolder);
        pace = new(time);
        loop = Task.Run(LoopAsync);
    }

    /// <summary>Whether bursts may be taken.</summary>
    public bool IsAllowed { get; set; }

    /// <summary>Whether the watch has ended, at Ctrl+Z as well: then none is taken, allowed or not.</summary>
    public bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>What they brought so far.</summary>
    public StacksSeen Seen => seen;

    /// <summary>Ends it, a burst under way as well.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 0)
        {
            await ends.CancelAsync().ConfigureAwait(false);
            await loop.ConfigureAwait(false);
            ends.Dispose();
        }
    }

    async Task LoopAsync()
    {
        try
        {
            while (!ends.IsCancellationRequested)
            {
                await Task.Delay(LookAgain, time, ends.Token).ConfigureAwait(false);
                var now = latest();
                SettleLocks(now);
                if (now.End != SessionEnd.StillOpen)
                {
                    return;
                }

                if (IsAllowed && pace.MayBegin && IsTrouble(now))
                {
                    await TakeAsync(ends.Token).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException) when (ends.IsCancellationRequested)
        {
            // The session ends; what was seen stays.
        }
    }

    async Task TakeAsync(CancellationToken cancel)
    {
        pace.Begin();
        var outcome = await burst.TakeAsync(session, cancel).ConfigureAwait(false);
        pace.End(outcome.Samples?.Ms);
        lastRead = time.GetTimestamp();
        seen = seen.With(outcome);
    }

    // Who has a lock is told by an event that may lie in the target for a second; until then each look knows better.
    void SettleLocks(Observation now)
    {
        if (seen.Bursts is [.., var newest] && time.GetElapsedTime(lastRead) < Settled
            && now.Beside.Deep is { Locks: { IsEmpty: false } locks })
        {
            seen = seen.WithLocks(LocksAt.Of(locks, newest.At));
        }
    }

    // Items wait by the last heartbeat, or workers may hang, or the pool has just added a worker for those that are blocked.
    static bool IsTrouble(Observation now) =>
        now.Timeline.Levels.Backlog > 0 || now.Ledger.MayHang is not null || now.Ledger.Episodes.Any(e => !e.Over)
        || now.Ledger.Gaps.LastOrDefault(g => g.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking) is { } gap
            && now.Timeline.Now.MsSince(gap.End) < RecentMs;
}
