using Tpwatch.Diagnosis;
using Tpwatch.Inside;
using Tpwatch.Items;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>
/// Takes stack bursts one at a time in its own loop. At the user's request, it takes two at the start and more while items wait; at depth
/// auto, a few while starvation lasts. If possible, a memory reading comes first, which pauses no thread and mostly shows as much. A
/// suspected hang is read from memory at every depth.
/// </summary>
sealed class BurstWatch : IAsyncDisposable
{
    /// <summary>Interval of the loop's checks if a burst may be due soon; otherwise, the next observation wakes the loop.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(100);

    /// <summary>Time limit, after the watch, for reading a burst that has paused the target; most take a third of a second.</summary>
    static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Minimum time to wait for a burst's lock events; the second next counter sample brings the last event of a quiet thread.
    /// </summary>
    static readonly TimeSpan Settled = TimeSpan.FromSeconds(3);

    /// <summary>Minimum number of counter samples to wait for lock events; the samples are late on an overloaded machine.</summary>
    const int SettledSamples = 3;

    /// <summary>
    /// Maximum time to wait for lock events if no counter sample arrives; later, the waits during the burst are discarded.
    /// </summary>
    static readonly TimeSpan SettledAtLast = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Interval of memory readings during a lasting hang without a request by the user; they use 1 % of a processor. After this time, a
    /// hang is reported even without a reading.
    /// </summary>
    static readonly TimeSpan HangAgain = TimeSpan.FromMinutes(1);

    /// <summary>Maximum number of attempts at the first reading, which may miss its deadline on an overloaded machine.</summary>
    const int MostGlances = 2;

    const string Unread = "A burst of stacks was not read before the watch ended. Watch longer (--duration).";

    const string Read = "Memory read without a pause: press 3 to see what threads wait for. More is read while items wait; t stops that.";

    readonly LiveSession session;
    readonly SnapshotExchange offer;
    readonly RequestWatch requests;
    readonly TimeProvider time;
    readonly StackBurst burst;
    readonly InsideLook inside;
    readonly BurstPace pace;
    readonly ReadingBudget? readings;
    readonly bool auto;
    readonly bool byName;
    readonly NoEventsCheck mute;
    readonly CancellationTokenSource ends = new();
    readonly Task loop;
    Task underWay = Task.CompletedTask;
    int unasked;
    int disposed;
    int served;
    bool looked;
    int glances;
    long lastRead;
    long? hangSince;
    volatile HangRead? hangRead;
    TaskCompletionSource asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    volatile BurstOrder order;
    volatile BurstTold? told;
    volatile StacksSeen seen = StacksSeen.None;

    /// <summary>Starts the loop; the watch of <paramref name="requests"/> begins before the first burst, if possible.</summary>
    public BurstWatch(LiveSession session, SnapshotExchange offer, OnDemandItemWatch? requests, WatchOptions options)
    {
        (this.session, this.offer, time, readings) = (session, offer, options.Time, options.Readings);
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

    /// <summary>Whether the target's memory is read before a burst, which pauses no thread.</summary>
    public bool Reads => inside.IsPossible;

    /// <summary>Whether memory must still be read before a hang is reported; the reading takes a second or two.</summary>
    public bool IsHangUnread => !auto && inside.IsPossible && hangRead is null && !HasEnded && !loop.IsCompleted;

    /// <summary>Whether bursts are taken while items wait.</summary>
    public bool IsAllowed => order.IsAllowed;

    /// <summary>The state of the requested burst, one sentence; null while there is nothing to report.</summary>
    public string? Said => !IsAllowed ? null
        : IsUnderWay ? "Taking stacks. In a few seconds they show the call that blocks, or why it is not known."
        : told?.Sentence;

    /// <summary>Whether the last requested burst has not been read yet.</summary>
    public bool IsUnderWay => !loop.IsCompleted && order is { IsAllowed: true, Asked: > 0 } standing && told?.Asked != standing.Asked;

    /// <summary>Completes when the current burst has been read; complete while there is none.</summary>
    public Task UnderWay => Volatile.Read(ref underWay);

    /// <summary>Whether the watch has ended, also by Ctrl+Z; no burst is taken any more, even if bursts are allowed.</summary>
    public bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>Requests an immediate burst, even if no item waits, and further bursts while items wait.</summary>
    public void Ask()
    {
        order = new(true, order.Asked + 1);
        Interlocked.Exchange(ref asked, new(TaskCreationOptions.RunContinuationsAsynchronously)).TrySetResult();
    }

    /// <summary>Stops taking bursts.</summary>
    public void Decline() => order = order with { IsAllowed = false };

    /// <summary>The results so far.</summary>
    public StacksSeen Seen => seen;

    /// <summary>Ends the watch; a current burst gets a moment to be read, because the target was already paused for it.</summary>
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

                if (!now.Timeline.CounterSamples.IsEmpty)
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
            // The session ends. The results so far stay, and a user who asked for stacks sees why there are none.
            seen = underWay.IsCanceled ? seen.With(new(null, Unread)) : seen;
        }
    }

    async Task RestAsync(Observation seen)
    {
        var mayBeSoon = IsAllowed || requests.IsDue || (auto && BurstPlan.IsTrouble(seen));
        var rest = mayBeSoon ? Task.Delay(LookAgain, time, ends.Token)
            : auto && NoEventsCheck.MayBe(seen) ? Task.Delay(NoEventsCheck.Again, time, ends.Token)
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
        // The caller can then store this task in UnderWay before the burst begins.
        await Task.Yield();
        pace.Begin();
        served = order.Asked;
        unasked += IsAllowed ? 0 : 1;

        // Own assemblies are determined before the burst, in which the target may end: a program's files exist while the program runs.
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
            ?? (outcome.Samples!.Stacks.Any(s => StackClassifier.Of(s).IsAtWork)
                ? "Stacks taken: press 3 to see the calls. More are taken while items wait; t stops that."
                : "Stacks taken: no worker thread is busy. More are taken when items wait; t stops that."));
    }

    /// <summary>Reads the target's memory while the target continues to run.</summary>
    /// <returns>Whether no burst is to be taken after this reading.</returns>
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

    // The calls that hold the worker threads matter only when items wait: so this reading is kept without its stacks.
    async Task GlanceAsync(CancellationToken cancel)
    {
        await Task.Yield();
        var outcome = await inside.TakeAsync(asked: false, cancel).ConfigureAwait(false);
        looked = outcome?.Reading is not null || ++glances == MostGlances;
        seen = outcome?.Reading is { } reading ? seen.WithGlance(reading) : seen;
    }

    // Loops that wait for work look like a hang in the counters. A reading pauses no thread, so it is taken without a request.
    bool IsHangToBeRead(Observation now)
    {
        if (!BurstPlan.MayHang(now.Ledger))
        {
            (hangRead, hangSince) = (null, null);
            return false;
        }

        hangSince ??= time.GetTimestamp();
        if (auto || !inside.IsPossible || (hangRead is { } last && time.GetElapsedTime(last.At) < HangAgain))
        {
            return false;
        }

        if (readings?.TryTake() != false)
        {
            return true;
        }

        // Readings of other processes have used the budget. The next observation asks again.
        hangRead = time.GetElapsedTime(hangSince.Value) >= HangAgain ? hangRead ?? new(time.GetTimestamp()) : hangRead;
        return false;
    }

    async Task ReadHangAsync(CancellationToken cancel)
    {
        await Task.Yield();
        var own = seen.Own ?? session.OwnAssemblies();
        var outcome = await inside.TakeAsync(asked: false, cancel).ConfigureAwait(false);
        seen = outcome?.Reading is { } reading ? seen.WithReading(reading) with { Own = own } : seen;
        hangRead = new(time.GetTimestamp());
    }

    // The event that shows a lock's owner may stay in the target for a second. Until the event arrives, each check may have newer data.
    void SettleLocks(Observation now)
    {
        if (seen.Bursts is [.., { IsReading: false } newest]
            && time.GetElapsedTime(lastRead) is var since && since < SettledAtLast
            && (since < Settled || now.Timeline.CounterSamples.Count(b => b.At > newest.At) < SettledSamples)
            && now.Side.Deep is { Locks: { IsEmpty: false } locks })
        {
            seen = seen.WithLocks(LocksAt.Of(locks, newest.At));
        }
    }

    /// <summary>The user's current request for bursts, written by the thread of the caller and read by the loop.</summary>
    /// <param name="IsAllowed">Whether bursts are taken while items wait.</param>
    /// <param name="Asked">Number of requests for an immediate burst.</param>
    sealed record BurstOrder(bool IsAllowed, int Asked);

    /// <summary>When the current hang was last read, successfully or not, or its reading was given up.</summary>
    sealed record HangRead(long At);

    /// <summary>The number of the last request that the loop has served, and the message about this request.</summary>
    sealed record BurstTold(int Asked, string Sentence);
}

/// <summary>Detects a pool that sends no events, so that stacks are the only information about its threads.</summary>
sealed class NoEventsCheck(LiveSession session, TimeProvider time)
{
    /// <summary>The time after which the absence of events is certain: two counter samples would have arrived by then.</summary>
    static readonly TimeSpan SureAfter = TimeSpan.FromSeconds(3);

    /// <summary>Interval of the checks for events; without events, no observation wakes the loop.</summary>
    public static readonly TimeSpan Again = TimeSpan.FromSeconds(1);

    readonly long begun = time.GetTimestamp();

    /// <summary>Whether no event of the pool has arrived yet.</summary>
    public static bool MayBe(Observation now) => NoPoolEvents.Is(now.Timeline);

    /// <summary>
    /// Whether no event will arrive and the pool's threads can be seen; a runtime that waits at its start has no worker thread.
    /// </summary>
    public bool IsSure(Observation now) =>
        MayBe(now) && time.GetElapsedTime(begun) >= SureAfter && session.WorkersByName().Count > 0;
}

/// <summary>
/// Decides when the watch of a target's HTTP requests begins. It begins before the first stack burst, so that a request blocked in the
/// burst is known when the request ends on its thread; or at the start, as soon as there is a server.
/// </summary>
sealed class RequestWatch(LiveSession session, OnDemandItemWatch? requests, TimeProvider time, bool fromTheStart)
{
    /// <summary>Interval of the checks for a server, which a new program loads later; each check reads the process's memory map.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromSeconds(2);

    /// <summary>Time limit for the checks; a program without a server by then serves no requests in a short capture either.</summary>
    static readonly TimeSpan LookFor = TimeSpan.FromSeconds(30);

    bool awaited = fromTheStart;
    long? first;
    long? looked;

    /// <summary>Whether the first check for a server is still to come.</summary>
    public bool IsDue => awaited && looked is null;

    /// <summary>Starts the watch of requests if it was requested from the start and there is a server now.</summary>
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

    /// <summary>Starts the watch of requests if there is a server; the watch has its own session and ends after a limited time.</summary>
    public async Task AskAsync(CancellationToken cancel)
    {
        if (requests is { IsAsked: false } && session.MayServeRequests())
        {
            requests.Ask();
            await requests.Opened.WaitAsync(cancel).ConfigureAwait(false);
        }
    }
}

/// <summary>Reads the memory of a live target before a stack burst would pause the target, if requested and possible.</summary>
sealed class InsideLook
{
    /// <summary>Number of consecutive failures after which bursts are taken without a reading.</summary>
    const int MostFailures = 3;

    /// <summary>Number of counter samples after which existing starvation is known; a reading is then taken because of that.</summary>
    const int SamplesBefore = 4;

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

    /// <summary>Whether the user requested readings explicitly.</summary>
    public bool IsWanted { get; }

    /// <summary>Whether the user requested readings only.</summary>
    public bool IsAlone { get; }

    /// <summary>Whether a reading is due that nothing else requests; if items wait or hang, a reading is taken because of that.</summary>
    public bool IsDueAnyway(Observation now) => anyway && child is not null && now.Timeline.CounterSamples.Length >= SamplesBefore
        && !now.Ledger.Episodes.Any(e => !e.Over);

    /// <summary>Whether a reading is taken before a burst.</summary>
    public bool IsPossible => child is not null;

    /// <summary>Whether no burst is taken if a reading shows as much as a burst.</summary>
    public bool IsInstead { get; }

    /// <summary>
    /// Takes one reading; null if no reading is attempted and no reason is to be reported. Bounded in time; throws only
    /// <see cref="OperationCanceledException"/> when <paramref name="cancel"/> is cancelled.
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

/// <summary>Decides whether stacks are worth their cost at a given time.</summary>
static class BurstPlan
{
    /// <summary>Number of bursts per capture that are taken without a request.</summary>
    public const int MostUnasked = 3;

    /// <summary>Minimum wait of items that justifies a pause, milliseconds; a flood of items at startup is over by then.</summary>
    public const double LastingMs = 2000;

    /// <summary>Maximum age of an injection that shows a current problem, milliseconds; the next injection is due in half of it.</summary>
    const double RecentMs = 2000;

    /// <summary>Maximum time between two increases for task waits that count as one series, milliseconds.</summary>
    const double StretchMs = 5000;

    /// <summary>
    /// Whether to take a burst if the user asked for stacks: items wait at the last counter sample, worker threads may hang, or the pool
    /// has just added a worker thread because others are blocked.
    /// </summary>
    public static bool IsTrouble(Observation now) =>
        now.Timeline.Levels.QueueLength > 0 || now.Ledger.MayHang is not null || now.Ledger.Episodes.Any(e => !e.Over)
        || now.Ledger.InjectionDelays
        .LastOrDefault(g => g.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking) is { } delay
            && now.Timeline.Now.MsSince(delay.End) < RecentMs;

    /// <summary>
    /// Whether to take a burst without a request. Items have waited for a worker thread, or hung, for two seconds in one or more episodes
    /// and still do; or the pool has added threads for task waits for the same time. Never true for a healthy target.
    /// </summary>
    public static bool IsLasting(Observation now)
    {
        var starved = now.Ledger.Episodes.Where(e => e.Kind.IsStarvation()).ToArray();
        return starved.Any(e => !e.Over && (e.Span.Ms >= LastingMs || (Waits(now) && now.Timeline.Now.MsSince(e.Span.From) >= LastingMs)))
            || (starved is [.., { Over: false }] && Waits(now) && starved.Sum(e => e.Span.Ms) >= LastingMs)
            || IsCompensating(now);
    }

    /// <summary>
    /// Whether to take a second burst: the first burst showed task waits for which the pool added threads, and only two bursts show whether
    /// these waits end.
    /// </summary>
    public static bool MayHideHang(Observation now, int taken) =>
        taken == 1 && VerdictJudgement.Now(now.Timeline, now.Ledger, now.End, StackEvidence.None).Verdict == Verdict.Compensated;

    /// <summary>
    /// Whether to take one of the two bursts that follow an explicit request for stacks, whatever the pool does: the blocking may be
    /// outside the pool, and the second burst shows which calls still block. Both bursts are taken after two counter samples.
    /// </summary>
    public static bool IsAsked(Observation now, int taken) => taken < 2 && now.Timeline.CounterSamples.Length >= 2;

    /// <summary>
    /// Whether to take one burst without a request because the state is unclear. Either every worker thread is busy and few items complete,
    /// or items wait for nearly as long as in starvation without a proven wait, or worker threads are idle or hang. Counters alone cannot
    /// decide, and with few completions a pause delays little.
    /// </summary>
    public static bool IsUnclear(Observation now) =>
        now.Ledger.MayHang is not null || (Waits(now) && HiddenQueue.IsUnclear(now.Timeline, mayHang: null));

    // An episode ends only some time after its last proof; while items are queued at the newest counter sample, it continues.
    static bool Waits(Observation now) => now.Timeline.Levels.QueueLength > 0;

    /// <summary>Whether worker threads hang, or may hang, by the counters: loops that wait for work look the same.</summary>
    public static bool MayHang(LedgerSnapshot ledger) => ledger.MayHang is not null || ledger.LastingHang is not null;

    /// <summary>
    /// Whether a reading shows the calls that hold the worker threads, so that a burst would add only its pause. A running thread has no
    /// stack in a reading: if more threads ran than the user's own code is known to hold, some may compute, and only a burst shows that.
    /// </summary>
    public static bool Suffices(InsideReading reading)
    {
        var samples = InsideSamples.Of(reading);
        var busy = samples?.Stacks.Select(s => StackClassifier.Of(s)).Where(s => s.IsAtWork).ToArray() ?? [];
        var own = busy.Count(s => s.HasUserCode);
        return (own > 0 && own >= (reading.Limits?.Working - busy.Length ?? reading.Running))
            || (samples is not null && reading.Running == 0);
    }

    static bool IsCompensating(Observation now)
    {
        var ages = now.Ledger.InjectionDelays
            .Where(g => g.Reason == AdjustmentReason.CooperativeBlocking && g.TargetThreadsAfter > g.TargetThreadsBefore)
            .Select(g => now.Timeline.Now.MsSince(g.End)).ToArray();
        return ages.Any(ms => ms < RecentMs) && ages.Any(ms => ms >= LastingMs && ms < LastingMs + StretchMs);
    }
}
