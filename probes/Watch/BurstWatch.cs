using Tpwatch.Items;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>
/// Takes bursts of stacks, one at a time, in a loop of its own. Where somebody asked for them: two at once, and more while items wait. At
/// depth auto: a few while starvation lasts. Where the target's memory can be read, that comes first: it pauses nothing, and mostly says
/// as much. What seems to hang is read at every depth.
/// </summary>
sealed class BurstWatch : IAsyncDisposable
{
    /// <summary>
    /// How often it looks whether items wait, where stacks are wanted then, or while something waits. Else the next news wakes it.
    /// </summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(100);

    /// <summary>When the watch ends, a burst that has paused the target has so long to be read; most take a third of a second.</summary>
    static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    /// <summary>The last event of a quiet thread comes with the next heartbeat but one at the latest.</summary>
    static readonly TimeSpan Settled = TimeSpan.FromSeconds(3);

    /// <summary>The same in heartbeats, which are late on a machine without time.</summary>
    const int SettledBeats = 3;

    /// <summary>Without heartbeats nothing would end it; and later the waits of that moment are forgotten.</summary>
    static readonly TimeSpan SettledAtLast = TimeSpan.FromSeconds(10);

    /// <summary>So often is read who hangs, while it lasts and nobody asks: 1 % of a processor.</summary>
    static readonly TimeSpan HangAgain = TimeSpan.FromMinutes(1);

    /// <summary>On a machine without time a reading may miss its deadline.</summary>
    const int MostGlances = 2;

    const string Unread = "A burst of stacks was not read before the watch ended. Watch longer (--duration).";

    const string Read = "Memory read without a pause: press 3 to see what threads wait for. More is read while items wait; t stops that.";

    readonly LiveSession session;
    readonly Offer offer;
    readonly RequestsBeside requests;
    readonly TimeProvider time;
    readonly StackBurst burst;
    readonly InsideLook inside;
    readonly BurstPace pace;
    readonly bool auto;
    readonly bool byName;
    readonly MuteLook mute;
    readonly CancellationTokenSource ends = new();
    readonly Task loop;
    Task underWay = Task.CompletedTask;
    int unasked;
    int disposed;
    int served;
    bool looked;
    int glances;
    long lastRead;
    long? hangRead;
    TaskCompletionSource asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    volatile BurstOrder order;
    volatile BurstTold? told;
    volatile StacksSeen seen = StacksSeen.None;

    /// <summary>Begins to look; <paramref name="requests"/> are watched from before the first burst on, if they can be.</summary>
    public BurstWatch(LiveSession session, Offer offer, ItemsLater? requests, WatchOptions options)
    {
        (this.session, this.offer, time) = (session, offer, options.Time);
        inside = new(session, options);
        byName = options.Depth.HasFlag(CaptureDepth.Stacks) || inside.IsWanted;
        order = new(byName, 0);
        auto = options.Depth.HasFlag(CaptureDepth.Auto);
        this.requests = new(session, requests, time, auto && options.RequestsAnyway);
        burst = new(time, options.TemporaryFolder);
        pace = new(time);
        mute = new(session, time);
        loop = Task.Run(() => LoopAsync(options.TemporaryFolder));
    }

    /// <summary>Whether the target's memory is read first, which pauses nothing.</summary>
    public bool Reads => inside.IsPossible;

    /// <summary>Whether bursts are taken while items wait.</summary>
    public bool IsAllowed => order.IsAllowed;

    /// <summary>How it is with the burst that was asked for, one sentence; null while there is nothing to say.</summary>
    public string? Said => !IsAllowed ? null
        : IsUnderWay ? "Taking stacks. In a few seconds they show the call that blocks, or why it is not known."
        : told?.Sentence;

    /// <summary>Whether the burst that was asked for last has not been read yet.</summary>
    public bool IsUnderWay => !loop.IsCompleted && order is { IsAllowed: true, Asked: > 0 } standing && told?.Asked != standing.Asked;

    /// <summary>Completes when the burst that is being taken has been read; complete while none is.</summary>
    public Task UnderWay => Volatile.Read(ref underWay);

    /// <summary>Whether the watch has ended, at Ctrl+Z as well: then none is taken, allowed or not.</summary>
    public bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>Takes one at once, whether items wait or not, and more while they do.</summary>
    public void Ask()
    {
        order = new(true, order.Asked + 1);
        Interlocked.Exchange(ref asked, new(TaskCreationOptions.RunContinuationsAsynchronously)).TrySetResult();
    }

    /// <summary>Takes no more.</summary>
    public void Decline() => order = order with { IsAllowed = false };

    /// <summary>What they brought so far.</summary>
    public StacksSeen Seen => seen;

    /// <summary>Ends it; a burst under way has a moment to be read, since the target has paid for it.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 0)
        {
            await Task.WhenAny(UnderWay, Task.Delay(Grace, time, ends.Token)).ConfigureAwait(false);
            await ends.CancelAsync().ConfigureAwait(false);
            await loop.ConfigureAwait(false);
            ends.Dispose();
        }
    }

    async Task LoopAsync(string temporaryFolder)
    {
        BurstFolder.Sweep(temporaryFolder);
        try
        {
            for (var now = offer.Newest; !ends.IsCancellationRequested;)
            {
                await RestAsync(now).ConfigureAwait(false);
                now = offer.Newest;
                SettleLocks(now);
                if (now.End != SessionEnd.StillOpen)
                {
                    return;
                }

                if (!now.Timeline.Heartbeats.IsEmpty)
                {
                    await requests.LookAsync(ends.Token).ConfigureAwait(false);
                }

                if (pace.MayBegin && !HasEnded && IsWanted(now))
                {
                    Volatile.Write(ref underWay, TakeAsync(ends.Token));
                    await underWay.ConfigureAwait(false);
                }
                else if (pace.MayBegin && !looked && !HasEnded && inside.IsDueAnyway(now))
                {
                    Volatile.Write(ref underWay, GlanceAsync(ends.Token));
                    await underWay.ConfigureAwait(false);
                }
                else if (pace.MayBegin && !HasEnded && IsHangToBeRead(now))
                {
                    Volatile.Write(ref underWay, ReadHangAsync(ends.Token));
                    await underWay.ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException) when (ends.IsCancellationRequested)
        {
            // The session ends; what was seen stays, and who asked for stacks hears why there are none.
            seen = underWay.IsCanceled ? seen.With(new(null, Unread)) : seen;
        }
    }

    async Task RestAsync(Observation seen)
    {
        var mayBeSoon = IsAllowed || requests.IsDue || (auto && BurstPlan.IsTrouble(seen));
        var rest = mayBeSoon ? Task.Delay(LookAgain, time, ends.Token)
            : auto && MuteLook.MayBe(seen) ? Task.Delay(MuteLook.Again, time, ends.Token)
            : offer.OtherThan(seen).WaitAsync(ends.Token);
        await (await Task.WhenAny(rest, Volatile.Read(ref asked).Task).ConfigureAwait(false)).ConfigureAwait(false);
    }

    bool IsWanted(Observation now) =>
        (order is { IsAllowed: true } standing && (standing.Asked != served || BurstPlan.IsTrouble(now)
            || (byName && BurstPlan.IsAsked(now, seen.Bursts.Length))
            || (seen.Bursts.Length < BurstPlan.MostUnasked && mute.IsSure(now))))
            || (auto && unasked < BurstPlan.MostUnasked && (BurstPlan.IsLasting(now) || BurstPlan.MayHideHang(now, unasked)))
            || (auto && unasked == 0 && (BurstPlan.IsUnclear(now) || mute.IsSure(now)));

    async Task TakeAsync(CancellationToken cancel)
    {
        // Whoever asks what is under way sees this one from its first moment on.
        await Task.Yield();
        pace.Begin();
        served = order.Asked;
        unasked += IsAllowed ? 0 : 1;

        // Before the burst, in which the target may end; the files of a program are there while it runs.
        var own = seen.Bursts.IsEmpty && seen.Remarks.IsEmpty ? session.OwnAssemblies() : seen.Own;
        await requests.AskAsync(cancel).ConfigureAwait(false);
        if (await ReadAsync(own, cancel).ConfigureAwait(false))
        {
            return;
        }

        var outcome = await burst.TakeAsync(session, cancel).ConfigureAwait(false);
        pace.End(outcome.Samples?.Ms);
        lastRead = time.GetTimestamp();
        seen = seen.With(outcome) with { Own = own };
        told = new(served, outcome.Failure
            ?? (outcome.Samples!.Stacks.Any(s => StackShape.Of(s).IsAtWork)
                ? "Stacks taken: press 3 to see the calls. More are taken while items wait; t stops that."
                : "Stacks taken: no worker thread is busy. More are taken when items wait; t stops that."));
    }

    /// <summary>Reads the target's memory, which goes on meanwhile.</summary>
    /// <returns>Whether that is all, and no burst is to be taken.</returns>
    async Task<bool> ReadAsync(ImmutableHashSet<string>? own, CancellationToken cancel)
    {
        var outcome = await inside.TakeAsync(order.Asked > 0, cancel).ConfigureAwait(false);
        looked = true;
        if (outcome is { Reading: { } reading })
        {
            seen = seen.WithReading(reading) with { Own = own };
        }
        else if (outcome is { Failure: { } failure })
        {
            seen = seen.With(new(null, failure)) with { Own = own };
        }

        var read = outcome?.Reading;
        var ends = (inside.IsAlone && (read is not null || order.Asked == 0))
            || (inside.IsInstead && read is not null && BurstPlan.Suffices(read));
        if (ends)
        {
            pace.End(read is null ? null : 0);
            lastRead = time.GetTimestamp();
            told = new(served, outcome?.Failure ?? Read);
        }

        return ends;
    }

    // What holds the workers is a question for when something waits: of this reading limits, queue, waits and locks are kept, no stacks.
    async Task GlanceAsync(CancellationToken cancel)
    {
        await Task.Yield();
        var outcome = await inside.TakeAsync(asked: false, cancel).ConfigureAwait(false);
        looked = outcome?.Reading is not null || ++glances == MostGlances;
        seen = outcome?.Reading is { } reading ? seen.WithGlance(reading) : seen;
    }

    // Loops that wait for work look like a hang to the counters. A reading pauses nothing, so it comes unasked.
    bool IsHangToBeRead(Observation now)
    {
        hangRead = BurstPlan.MayHang(now) ? hangRead : null;
        return !auto && inside.IsPossible && BurstPlan.MayHang(now) && (hangRead is not { } at || time.GetElapsedTime(at) >= HangAgain);
    }

    async Task ReadHangAsync(CancellationToken cancel)
    {
        await Task.Yield();
        var own = seen.Own ?? session.OwnAssemblies();
        var outcome = await inside.TakeAsync(asked: false, cancel).ConfigureAwait(false);
        hangRead = time.GetTimestamp();
        seen = outcome?.Reading is { } reading ? seen.WithReading(reading) with { Own = own } : seen;
    }

    // Who has a lock is told by an event that may lie in the target for a second; until then each look knows better.
    void SettleLocks(Observation now)
    {
        if (seen.Bursts is [.., { IsReading: false } newest]
            && time.GetElapsedTime(lastRead) is var since && since < SettledAtLast
            && (since < Settled || now.Timeline.Heartbeats.Count(b => b.At > newest.At) < SettledBeats)
            && now.Beside.Deep is { Locks: { IsEmpty: false } locks })
        {
            seen = seen.WithLocks(LocksAt.Of(locks, newest.At));
        }
    }

    /// <summary>What somebody wants, written by whoever is asked by a person and read by the loop.</summary>
    /// <param name="IsAllowed">Whether bursts are taken while items wait.</param>
    /// <param name="Asked">How often one was asked for at once.</param>
    sealed record BurstOrder(bool IsAllowed, int Asked);

    /// <summary>What the loop has to say of the order that it has served last.</summary>
    sealed record BurstTold(int Asked, string Sentence);
}
