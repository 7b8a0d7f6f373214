using Tpwatch.Diagnosis;
using Tpwatch.Events;
using Tpwatch.Inside;
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
    volatile HangRead? hangRead;
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

    /// <summary>Whether memory is yet to be read before a hang is told; it takes a second or two.</summary>
    public bool IsHangUnread => !auto && inside.IsPossible && hangRead is null && !HasEnded && !loop.IsCompleted;

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
        return !auto && inside.IsPossible && BurstPlan.MayHang(now)
            && (hangRead is not { } last || time.GetElapsedTime(last.At) >= HangAgain);
    }

    async Task ReadHangAsync(CancellationToken cancel)
    {
        await Task.Yield();
        var own = seen.Own ?? session.OwnAssemblies();
        var outcome = await inside.TakeAsync(asked: false, cancel).ConfigureAwait(false);
        seen = outcome?.Reading is { } reading ? seen.WithReading(reading) with { Own = own } : seen;
        hangRead = new(time.GetTimestamp());
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

    /// <summary>When who hangs was read last, or could not be, since it began.</summary>
    sealed record HangRead(long At);

    /// <summary>What the loop has to say of the order that it has served last.</summary>
    sealed record BurstTold(int Asked, string Sentence);
}

/// <summary>
/// Finds that a pool is mute: nothing will tell whether items wait, so stacks are the only look at its threads that there is.
/// </summary>
sealed class MuteLook(LiveSession session, TimeProvider time)
{
    /// <summary>Two counter samples would have come by then, and what the runtime tells first long before.</summary>
    static readonly TimeSpan SureAfter = TimeSpan.FromSeconds(3);

    /// <summary>How often to look again: no news wakes anybody then.</summary>
    public static readonly TimeSpan Again = TimeSpan.FromSeconds(1);

    readonly long begun = time.GetTimestamp();

    /// <summary>Whether nothing of the pool has come yet.</summary>
    public static bool MayBe(Observation now) => MutePool.Is(now.Timeline);

    /// <summary>Whether it is so for good, and its threads can be seen: a runtime that waits at its start has no worker.</summary>
    public bool IsSure(Observation now) =>
        MayBe(now) && time.GetElapsedTime(begun) >= SureAfter && session.WorkersByName().Count > 0;
}

/// <summary>
/// When the requests of a target's HTTP server are watched: before the first burst of stacks, so that a request that is blocked by now is
/// known when it ends on its thread; or from the start, as soon as there is a server.
/// </summary>
sealed class RequestsBeside(LiveSession session, ItemsLater? requests, TimeProvider time, bool fromTheStart)
{
    /// <summary>A program that has just started loads its server later; to look for it reads the process's memory map.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromSeconds(2);

    /// <summary>One that has none by then serves no requests in a short look either.</summary>
    static readonly TimeSpan LookFor = TimeSpan.FromSeconds(30);

    bool awaited = fromTheStart;
    long? first;
    long? looked;

    /// <summary>Whether it has not been looked for yet.</summary>
    public bool IsDue => awaited && looked is null;

    /// <summary>Watches from now on, where that was wanted from the start and there is a server by now.</summary>
    public async Task LookAsync(CancellationToken cancel)
    {
        if (awaited && (looked is not { } last || time.GetElapsedTime(last) >= LookAgain))
        {
            looked = time.GetTimestamp();
            first ??= looked;
            await AskAsync(cancel).ConfigureAwait(false);
            awaited = requests is { IsAsked: false } && time.GetElapsedTime(first.Value) < LookFor;
        }
    }

    /// <summary>Watches from now on, where there is a server: a session of its own for a while.</summary>
    public async Task AskAsync(CancellationToken cancel)
    {
        if (requests is { IsAsked: false } && session.MayServeRequests())
        {
            requests.Ask();
            await requests.Opened.WaitAsync(cancel).ConfigureAwait(false);
        }
    }
}

/// <summary>Reads the memory of a live target before a burst of stacks would pause it, where that is wanted and possible.</summary>
sealed class InsideLook
{
    /// <summary>After so many failures in a row bursts are taken at once.</summary>
    const int MostFailures = 3;

    /// <summary>So many counter samples show starvation that is there; then the reading comes by that, and not behind another.</summary>
    const int BeatsBefore = 4;

    const string NoProgram = "tpwatch cannot read the memory of the process: it does not run as a program of its own.";
    const string NoProcess = "tpwatch cannot read the memory of the process: only its diagnostic port is known.";

    readonly InsideChild? child;
    readonly int pid;
    readonly string? impossible;
    readonly bool anyway;
    int failures;

    public InsideLook(LiveSession session, WatchOptions options)
    {
        (IsWanted, pid) = (options.Depth.HasFlag(CaptureDepth.Inside), session.Target.Pid);
        IsInstead = !options.Depth.HasFlag(CaptureDepth.Stacks);
        IsAlone = IsWanted && !options.Depth.HasFlag(CaptureDepth.Auto) && IsInstead;
        anyway = options.ReadsAnyway && options.Depth.HasFlag(CaptureDepth.Auto);
        impossible = options.Inside is null ? NoProgram : session.Target.IsElsewhere || pid == 0 ? NoProcess : null;
        child = impossible is null && (IsWanted || IsInstead)
            ? new(options.Inside!, options.Time)
            : null;
    }

    /// <summary>Whether readings were asked for by name.</summary>
    public bool IsWanted { get; }

    /// <summary>Whether nothing but readings was asked for.</summary>
    public bool IsAlone { get; }

    /// <summary>Whether one is to be taken that nothing else asks for; where items wait or hang one comes by that.</summary>
    public bool IsDueAnyway(Observation now) => anyway && child is not null && now.Timeline.Heartbeats.Length >= BeatsBefore
        && !now.Ledger.Episodes.Any(e => !e.Over);

    /// <summary>Whether there is a reading before a burst.</summary>
    public bool IsPossible => child is not null;

    /// <summary>Whether a burst is left out where a reading says as much.</summary>
    public bool IsInstead { get; }

    /// <summary>
    /// Takes one reading; null where nothing is to be said of it. Bounded in time; throws nothing but
    /// <see cref="OperationCanceledException"/> when <paramref name="cancel"/> says so.
    /// </summary>
    public async Task<InsideOutcome?> TakeAsync(bool asked, CancellationToken cancel)
    {
        if (child is null || (failures >= MostFailures && !IsWanted && !asked))
        {
            return IsWanted && impossible is not null ? new(null, impossible) : null;
        }

        var outcome = await child.TakeAsync(pid, scan: IsWanted || asked, cancel).ConfigureAwait(false);
        failures = outcome.Reading is null ? failures + 1 : 0;
        return outcome;
    }
}

/// <summary>Whether stacks are worth their price at a moment.</summary>
static class BurstPlan
{
    /// <summary>So many bursts are taken of a capture without anybody asking for them.</summary>
    public const int MostUnasked = 3;

    /// <summary>A burst of items at start-up is over by then; who waits for longer is worth a pause, milliseconds.</summary>
    public const double LastingMs = 2000;

    /// <summary>An injection so recent is part of the trouble, milliseconds; the next is due in half of that.</summary>
    const double RecentMs = 2000;

    /// <summary>Rises further apart are not one stretch of task waits, milliseconds.</summary>
    const double StretchMs = 5000;

    /// <summary>
    /// For who asked: items wait by the last heartbeat, or workers may hang, or the pool has just added a worker for those that are
    /// blocked.
    /// </summary>
    public static bool IsTrouble(Observation now) =>
        now.Timeline.Levels.Backlog > 0 || now.Ledger.MayHang is not null || now.Ledger.Episodes.Any(e => !e.Over)
        || now.Ledger.Gaps.LastOrDefault(g => g.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking) is { } gap
            && now.Timeline.Now.MsSince(gap.End) < RecentMs;

    /// <summary>
    /// For who did not: items have waited for a worker, or hung, for two seconds, in one episode or in several, and still do; or the pool
    /// has added workers for task waits for as long. Never so in a healthy target.
    /// </summary>
    public static bool IsLasting(Observation now)
    {
        var starved = now.Ledger.Episodes.Where(e => e.Kind.IsStarvation()).ToArray();
        return starved.Any(e => !e.Over && (e.Span.Ms >= LastingMs || (Waits(now) && now.Timeline.Now.MsSince(e.Span.From) >= LastingMs)))
            || (starved is [.., { Over: false }] && Waits(now) && starved.Sum(e => e.Span.Ms) >= LastingMs)
            || IsCompensating(now);
    }

    /// <summary>
    /// Worth a second look: the first was taken of task waits for which the pool added threads, and only two tell whether they end.
    /// </summary>
    public static bool MayHideHang(Observation now, int taken) =>
        taken == 1 && ReportBuilder.Now(now.Timeline, now.Ledger) == Verdict.Compensated;

    /// <summary>
    /// Who asks for stacks by name gets these two whatever the pool does: what blocks may be outside it, and the second tells what stays.
    /// They come once two counter samples are there.
    /// </summary>
    public static bool IsAsked(Observation now, int taken) => taken < 2 && now.Timeline.Heartbeats.Length >= 2;

    /// <summary>
    /// Worth one burst to who did not ask: every worker is busy and few items end, or items wait for nearly as long as in starvation,
    /// though no wait is proven; or workers are idle or hang.
    /// Counters alone do not decide it, and where so little completes a pause delays little.
    /// </summary>
    public static bool IsUnclear(Observation now) =>
        now.Ledger.MayHang is not null || (Waits(now) && HiddenBacklog.IsUnclear(now.Timeline, mayHang: null));

    // An episode is over only some time after its last proof; by the newest heartbeat it goes on.
    static bool Waits(Observation now) => now.Timeline.Levels.Backlog > 0;

    /// <summary>Whether workers hang by the counters, or may: loops that wait for work look the same.</summary>
    public static bool MayHang(Observation now) =>
        now.Ledger.MayHang is not null || HangSeen.Lasting(now.Ledger) is not null;

    /// <summary>
    /// Whether a reading shows what holds the worker threads, so that a burst would add nothing but its pause. A thread that runs has no
    /// stack in it: where more ran than are known to be held by the user's own code, somebody may compute, and only a burst tells.
    /// </summary>
    public static bool Suffices(InsideReading reading)
    {
        var samples = InsideSamples.Of(reading);
        var busy = samples?.Stacks.Select(s => StackShape.Of(s)).Where(s => s.IsAtWork).ToArray() ?? [];
        var own = busy.Count(s => s.HasUserCode);
        return (own > 0 && own >= (reading.Limits?.Working - busy.Length ?? reading.Running))
            || (samples is not null && reading.Running == 0);
    }

    static bool IsCompensating(Observation now)
    {
        var ages = now.Ledger.Gaps.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.GoalAfter > g.GoalBefore)
            .Select(g => now.Timeline.Now.MsSince(g.End)).ToArray();
        return ages.Any(ms => ms < RecentMs) && ages.Any(ms => ms >= LastingMs && ms < LastingMs + StretchMs);
    }
}
