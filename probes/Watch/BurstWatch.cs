using Tpwatch.Diagnosis;
using Tpwatch.Inside;
using Tpwatch.Items;
using Tpwatch.Ledger;
using Tpwatch.Reports;
using Tpwatch.Sessions;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>
/// Takes stack bursts and memory readings of a live target, one at a time, in its own loop. If the user asked for stacks, the loop takes
/// two bursts at the start and more while items wait; at depth auto, a few while starvation lasts. A memory reading pauses no thread, comes
/// before a burst and often replaces it. At every depth, the loop also reads the memory when the counters suggest a hang.
/// </summary>
sealed class BurstWatch : IAsyncDisposable
{
    /// <summary>Interval of the loop's checks if a burst may be due soon; otherwise the loop waits for the next observation.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(100);

    /// <summary>Maximum time that <see cref="DisposeAsync"/> waits for a burst that has paused the target; most end in 0.3 s.</summary>
    static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Minimum time to wait for lock events after a burst. The last event of a quiet thread arrives with the second counter sample.
    /// </summary>
    static readonly TimeSpan Settled = TimeSpan.FromSeconds(3);

    /// <summary>Minimum number of counter samples to wait for lock events, because samples are late on an overloaded machine.</summary>
    const int SettledSamples = 3;

    /// <summary>Maximum time to wait for the lock events of a burst if counter samples do not arrive.</summary>
    static readonly TimeSpan SettledAtLast = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Maximum number of memory readings while no items wait. A reading may fail on a busy machine. It also shows no wait of a thread that
    /// ran for a moment during the reading.
    /// </summary>
    const int MostGlances = 2;

    const string Unread = "A burst of stacks was not read before the watch ended. Watch longer (--duration).";

    const string Read = "Memory read without a pause: press 3 to see what threads wait for. More is read while items wait; t stops that.";

    readonly LiveSession session;
    readonly SnapshotExchange offer;
    readonly RequestWatchTrigger requests;
    readonly TimeProvider time;
    readonly StackBurst burst;
    readonly TargetMemoryReader inside;
    readonly BurstPace pace;
    readonly HangReadingPlan hangs;
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
    long? lastGlance;
    long lastRead;
    TaskCompletionSource asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    volatile BurstOrder order;
    volatile BurstTold? told;
    volatile StacksSeen seen = StacksSeen.None;

    /// <summary>Starts the loop. The watch of HTTP requests, <paramref name="requests"/>, begins before the first burst.</summary>
    public BurstWatch(LiveSession session, SnapshotExchange offer, OnDemandItemWatch? requests, WatchOptions options)
    {
        (this.session, this.offer, time) = (session, offer, options.Time);
        hangs = new(options.Time, options.Readings);
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

    /// <summary>Whether the target's memory is read before a burst; this reading pauses no thread.</summary>
    public bool Reads => inside.IsPossible;

    /// <summary>Whether a memory reading must still be taken before a hang is reported; the reading takes a second or two.</summary>
    public bool IsHangUnread(LedgerSnapshot ledger) =>
        !auto && inside.IsPossible && !HasEnded && !loop.IsCompleted && hangs.IsUnread(ledger);

    /// <summary>Whether the user allows bursts while items wait.</summary>
    public bool IsAllowed => order.IsAllowed;

    /// <summary>The state of the burst that the user requested, one sentence; null while there is nothing to report.</summary>
    public string? Said => !IsAllowed ? null
        : IsUnderWay ? "Taking stacks. In a few seconds they show the call that blocks, or why it is not known."
        : told?.Sentence;

    /// <summary>Whether the last burst that the user requested has not ended yet.</summary>
    public bool IsUnderWay => !loop.IsCompleted && order is { IsAllowed: true, Asked: > 0 } standing && told?.Asked != standing.Asked;

    /// <summary>Completes when the current burst or memory reading has ended; already complete while there is none.</summary>
    public Task UnderWay => Volatile.Read(ref underWay);

    /// <summary>Whether the watch has ended; from then on, no burst is taken.</summary>
    bool HasEnded => Volatile.Read(ref disposed) == 1;

    /// <summary>Requests a burst now, even if no item waits, and allows further bursts while items wait.</summary>
    public void Ask()
    {
        order = new(true, order.Asked + 1);
        Interlocked.Exchange(ref asked, new(TaskCreationOptions.RunContinuationsAsynchronously)).TrySetResult();
    }

    /// <summary>Withdraws the user's permission for bursts.</summary>
    public void Decline() => order = order with { IsAllowed = false };

    /// <summary>The stack bursts and memory readings so far.</summary>
    public StacksSeen Seen => seen;

    /// <summary>Ends the watch. Waits up to <see cref="Grace"/> for the current burst, which has already paused the target.</summary>
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
        BurstDirectory.Sweep(temporaryFolder);
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
                else if (pace.MayBegin && !looked && !HasEnded && inside.IsDueAnyway(now)
                    && (lastGlance is not { } last || time.GetElapsedTime(last) >= HangReadingPlan.RepeatAfter))
                {
                    await UntilWantedAsync(GlanceAsync).ConfigureAwait(false);
                }
                else if (pace.MayBegin && !HasEnded && hangs.IsDue(now, mayRead: !auto && inside.IsPossible))
                {
                    await UntilWantedAsync(cancel => ReadHangAsync(now.Timeline.Now, cancel)).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException) when (ends.IsCancellationRequested)
        {
            // The watch has ended. The results so far stay; if a burst was cut off, a remark says so.
            seen = underWay.IsCanceled ? seen.With(new(null, Unread)) : seen;
        }
    }

    // Runs a reading that nothing waits for. On an overloaded machine it may take long, so a burst that becomes due ends it.
    async Task UntilWantedAsync(Func<CancellationToken, Task> reading)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ends.Token);
        Volatile.Write(ref underWay, reading(stop.Token));
        while (!underWay.IsCompleted && !ends.IsCancellationRequested && !(pace.MayBegin && IsWanted(offer.Newest)))
        {
            await Task.WhenAny(underWay, Task.Delay(LookAgain, time, ends.Token)).ConfigureAwait(false);
        }

        await stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAny(underWay).ConfigureAwait(false);
        if (!underWay.IsCanceled || ends.IsCancellationRequested)
        {
            await underWay.ConfigureAwait(false);
        }
    }

    async Task RestAsync(CaptureSnapshot seen)
    {
        var request = Volatile.Read(ref asked).Task;
        var mayBeSoon = IsAllowed || requests.IsDue || (auto && BurstPlan.IsTrouble(seen));
        var rest = mayBeSoon ? Task.Delay(LookAgain, time, ends.Token)
            : auto && NoEventsCheck.MayBe(seen) ? Task.Delay(NoEventsCheck.Again, time, ends.Token)
            : offer.Until(seen, Concerns(hangs.IsOn)).WaitAsync(ends.Token);
        await (await Task.WhenAny(rest, request).ConfigureAwait(false)).ConfigureAwait(false);
    }

    // Selects the observations that wake the loop: all of them at depth auto, during a hang, while bursts are allowed, or after a burst.
    // Otherwise only a new hang and the end of the session, because each of many watched processes has its own loop.
    Func<CaptureSnapshot, bool> Concerns(bool hangs) => now =>
        auto || hangs || IsAllowed || !seen.Bursts.IsEmpty || now.End != SessionEnd.StillOpen || BurstPlan.MayHang(now.Ledger);

    bool IsWanted(CaptureSnapshot now) =>
        (order is { IsAllowed: true } standing && (standing.Asked != served || BurstPlan.IsTrouble(now)
            || (byName && BurstPlan.IsAsked(now, seen.Bursts.Length))
            || (seen.Bursts.Length < BurstPlan.MostUnasked && mute.IsSure(now))))
            || (auto && unasked < BurstPlan.MostUnasked && (BurstPlan.IsLasting(now) || BurstPlan.MayHideHang(now, unasked)))
            || (auto && unasked == 0 && (BurstPlan.IsUnclear(now) || mute.IsSure(now)));

    async Task TakeAsync(CancellationToken cancel)
    {
        // Returns to the caller, which stores this task in UnderWay before the burst begins.
        await Task.Yield();
        pace.Begin();
        served = order.Asked;
        unasked += IsAllowed ? 0 : 1;

        // The application's assemblies are determined before the burst: the target may end during the burst, and its files may be gone.
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
    /// <returns>True if the reading is enough; false if a burst must follow.</returns>
    async Task<bool> ReadAsync(ImmutableHashSet<string>? own, CancellationToken cancel)
    {
        var outcome = await inside.TakeAsync(order.Asked > 0, isUrgent: true, cancel).ConfigureAwait(false);
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

    // Takes a memory reading while no items wait. The stacks in it are not kept, because blocking calls matter only while items wait.
    async Task GlanceAsync(CancellationToken cancel)
    {
        await Task.Yield();
        var outcome = await inside.TakeAsync(asked: false, isUrgent: false, cancel).ConfigureAwait(false);
        looked = ++glances == MostGlances || outcome?.Reading is { IsWorthRepeating: false };
        lastGlance = time.GetTimestamp();
        seen = outcome?.Reading is not { } reading ? (looked ? SeenLate(outcome) : seen)
            : reading.IsPoorerThan(seen.Readings is [.., var first] ? first : null) ? seen : seen.WithGlance(reading);
    }

    async Task ReadHangAsync(EventTime begun, CancellationToken cancel)
    {
        await Task.Yield();
        var own = seen.Own ?? session.OwnAssemblies();
        var outcome = await inside.TakeAsync(asked: false, isUrgent: false, cancel).ConfigureAwait(false);
        seen = hangs.Took(begun, outcome?.Reading) is { } reading ? seen.WithReading(reading) with { Own = own } : SeenLate(outcome);
    }

    // Why there is no memory reading, if it took too long. Other failures are reported only if the user asked for a reading.
    StacksSeen SeenLate(InsideOutcome? outcome) => outcome is { IsLate: true } ? seen.With(new(null, outcome.Failure)) : seen;

    // Adds the lock owners to the newest burst. The loop repeats this, because the event that shows an owner may arrive a second later.
    void SettleLocks(CaptureSnapshot now)
    {
        if (seen.Bursts is [.., { IsReading: false } newest]
            && time.GetElapsedTime(lastRead) is var since && since < SettledAtLast
            && (since < Settled || now.Timeline.CounterSamples.Count(b => b.At > newest.At) < SettledSamples)
            && now.Side.Deep is { Locks: { IsEmpty: false } locks })
        {
            seen = seen.WithLocks(LocksAt.Of(locks, newest.At));
        }
    }

    /// <summary>The user's request for bursts, written by the thread of the caller and read by the loop.</summary>
    /// <param name="IsAllowed">Whether bursts are taken while items wait.</param>
    /// <param name="Asked">Number of requests for an immediate burst.</param>
    sealed record BurstOrder(bool IsAllowed, int Asked);

    /// <summary>Number of the last request that the loop has served, and the message to the user about this request.</summary>
    sealed record BurstTold(int Asked, string Sentence);
}

/// <summary>
/// Decides when the memory is read because the counters suggest a hang, and whether the hang may be reported. The counters look the same if
/// worker threads wait for work in loops. Only the loop writes; any thread may ask <see cref="IsUnread"/>.
/// </summary>
/// <param name="time">The clock of the intervals.</param>
/// <param name="budget">The readings that all watched processes share; null without a limit.</param>
sealed class HangReadingPlan(TimeProvider time, ReadingBudget? budget)
{
    /// <summary>
    /// Interval of memory readings during a lasting hang if the user did not ask for stacks; the readings use 1 % of a processor. If the
    /// budget permits none for this long, the hang is reported without a reading.
    /// </summary>
    public static readonly TimeSpan Again = TimeSpan.FromMinutes(1);

    /// <summary>Time after which a reading that failed, or that missed the wait of a worker thread, is repeated once.</summary>
    public static readonly TimeSpan RepeatAfter = TimeSpan.FromSeconds(2);

    long? since;
    volatile HangRead? read;

    /// <summary>Whether the counters of the last snapshot suggested a hang.</summary>
    public bool IsOn => since is not null;

    /// <summary>Whether a reading must still be taken: there is none, it must be repeated, or the hang began after it.</summary>
    public bool IsUnread(LedgerSnapshot ledger) => read is not { IsFinal: true } last || IsOlder(last, ledger);

    /// <summary>Whether to take a reading now; takes it from the budget.</summary>
    public bool IsDue(CaptureSnapshot now, bool mayRead)
    {
        var hangs = BurstPlan.MayHang(now.Ledger);
        if (!hangs || (read is { } old && IsOlder(old, now.Ledger)))
        {
            (read, since) = (null, null);
        }

        since ??= hangs ? time.GetTimestamp() : null;
        if (!hangs || !mayRead || (read is { } last && time.GetElapsedTime(last.At) < (last.IsFinal ? Again : RepeatAfter)))
        {
            return false;
        }

        if (budget?.TryTake() != false)
        {
            return true;
        }

        // Other processes have used up the budget. The next observation tries again, until Again has passed since the hang began.
        read = time.GetElapsedTime(since!.Value) < Again || IsFinal ? read
            : new(time.GetTimestamp(), now.Timeline.Now, IsFinal: true, null);
        return false;
    }

    /// <summary>Records a reading that began at <paramref name="begun"/>; null if it failed.</summary>
    /// <returns>The reading; null if it failed, or if it repeats a reading that showed more.</returns>
    public InsideReading? Took(EventTime begun, InsideReading? reading)
    {
        var first = IsFinal ? null : read?.Reading;
        read = new(time.GetTimestamp(), begun, IsFinal: read is not null || reading is { IsWorthRepeating: false }, reading);
        return reading?.IsPoorerThan(first) == true ? null : reading;
    }

    bool IsFinal => read is { IsFinal: true };

    static bool IsOlder(HangRead last, LedgerSnapshot ledger) => ledger.LastingHang is { Span.From: var from } && from > last.Begun;

    /// <summary>The last reading of the current hang.</summary>
    /// <param name="At">Timestamp of its end, or of the time at which the budget had permitted none for too long.</param>
    /// <param name="Begun">Time of the capture at its begin.</param>
    /// <param name="IsFinal">Whether the hang may be reported: the reading is good enough, or it was repeated.</param>
    /// <param name="Reading">What was read; null if it failed.</param>
    sealed record HangRead(long At, EventTime Begun, bool IsFinal, InsideReading? Reading);
}

/// <summary>Detects a target whose pool sends no events, so that only stacks show what its threads do.</summary>
sealed class NoEventsCheck(LiveSession session, TimeProvider time)
{
    /// <summary>Minimum time without an event after which none is expected: two counter samples would have arrived by then.</summary>
    static readonly TimeSpan SureAfter = TimeSpan.FromSeconds(3);

    /// <summary>Interval of the checks for events; without events, no observation wakes the loop.</summary>
    public static readonly TimeSpan Again = TimeSpan.FromSeconds(1);

    readonly long begun = time.GetTimestamp();

    /// <summary>Whether no event of the pool has arrived so far, so that the pool may send none.</summary>
    public static bool MayBe(CaptureSnapshot now) => NoPoolEvents.Is(now.Timeline);

    /// <summary>Whether worker threads exist and no event is expected any more. A runtime suspended at startup has none yet.</summary>
    public bool IsSure(CaptureSnapshot now) => MayBe(now) && time.GetElapsedTime(begun) >= SureAfter && session.WorkersByName().Count > 0;
}

/// <summary>
/// Starts the watch of a target's HTTP requests if the target has a server. The watch begins before the first stack burst, so that it sees
/// the end of requests that are blocked during the burst. With <paramref name="fromTheStart"/>, the watch begins once a server is found.
/// </summary>
sealed class RequestWatchTrigger(LiveSession session, OnDemandItemWatch? requests, TimeProvider time, bool fromTheStart)
{
    /// <summary>Interval of the checks for a server, which may be loaded late. Each check reads the process's memory map.</summary>
    static readonly TimeSpan LookAgain = TimeSpan.FromSeconds(2);

    /// <summary>Maximum time for the checks; a server that is loaded later serves no request in a short capture.</summary>
    static readonly TimeSpan LookFor = TimeSpan.FromSeconds(30);

    bool awaited = fromTheStart;
    long? first;
    long? looked;

    /// <summary>Whether the first check for a server is still to come.</summary>
    public bool IsDue => awaited && looked is null;

    /// <summary>Starts the watch of requests if it is wanted from the start and the target has a server now.</summary>
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

    /// <summary>Starts the watch of requests if the target has a server. The watch ends by itself after a limited time.</summary>
    public async Task AskAsync(CancellationToken cancel)
    {
        if (requests is { IsAsked: false } && session.MayServeRequests())
        {
            requests.Ask();
            await requests.Opened.WaitAsync(cancel).ConfigureAwait(false);
        }
    }
}

/// <summary>Reads the memory of a live target, if requested and possible. A reading pauses no thread and may replace a burst.</summary>
sealed class TargetMemoryReader
{
    /// <summary>Number of consecutive failures after which readings are attempted only at the user's request.</summary>
    const int MostFailures = 3;

    /// <summary>Minimum number of counter samples before a memory reading while no items wait. Starvation would be known by then.</summary>
    const int SamplesBefore = 4;

    const string NoProgram = "tpwatch cannot read the memory of the process: it does not run as a program of its own.";
    const string NoProcess = "tpwatch cannot read the memory of the process: only its diagnostic port is known.";

    readonly MemoryReaderLauncher? child;
    readonly int pid;
    readonly string? impossible;
    readonly bool anyway;
    int failures;

    public TargetMemoryReader(LiveSession session, WatchOptions options)
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

    /// <summary>Whether the user explicitly requested memory readings.</summary>
    public bool IsWanted { get; }

    /// <summary>Whether the user requested memory readings and no bursts.</summary>
    public bool IsAlone { get; }

    /// <summary>Whether to take a reading although no episode is open; during an open episode, readings have other reasons.</summary>
    public bool IsDueAnyway(CaptureSnapshot now) => anyway && child is not null && now.Timeline.CounterSamples.Length >= SamplesBefore
        && !now.Ledger.Episodes.Any(e => !e.Over);

    /// <summary>Whether the memory of the target can be read; a reading is then taken before each burst.</summary>
    public bool IsPossible => child is not null;

    /// <summary>Whether a reading that shows as much as a burst replaces the burst.</summary>
    public bool IsInstead { get; }

    /// <summary>
    /// Takes one reading in limited time, which is shorter if a burst waits for it; null if no reading is attempted and the user need not
    /// know why. Throws only <see cref="OperationCanceledException"/> when <paramref name="cancel"/> is cancelled.
    /// </summary>
    public async Task<InsideOutcome?> TakeAsync(bool asked, bool isUrgent, CancellationToken cancel)
    {
        if (child is null || (failures >= MostFailures && !IsWanted && !asked))
        {
            return IsWanted && impossible is not null ? new(null, impossible) : null;
        }

        var outcome = await child.TakeAsync(pid, scan: IsWanted || asked, isUrgent, cancel).ConfigureAwait(false);
        failures = outcome.Reading is null ? failures + 1 : 0;
        return outcome;
    }
}

/// <summary>Decides when a stack burst is taken, and whether a memory reading can replace it.</summary>
static class BurstPlan
{
    /// <summary>Maximum number of bursts per capture without a request by the user.</summary>
    public const int MostUnasked = 3;

    /// <summary>Minimum duration of a problem before a burst without a request, milliseconds; longer than a flood at startup.</summary>
    public const double LastingMs = 2000;

    /// <summary>Maximum age of an injection that shows a current problem, milliseconds: twice the usual injection delay.</summary>
    const double RecentMs = 2000;

    /// <summary>Length of the period before the last 2 s, milliseconds. Task waits last if threads were added for them in both.</summary>
    const double StretchMs = 5000;

    /// <summary>
    /// Whether to take a burst if the user allows bursts: items wait or an episode is open, worker threads may hang, or the pool has just
    /// added a thread because others are blocked.
    /// </summary>
    public static bool IsTrouble(CaptureSnapshot now) =>
        now.Timeline.Levels.QueueLength > 0 || now.Ledger.MayHang is not null || now.Ledger.Episodes.Any(e => !e.Over)
        || now.Ledger.InjectionDelays
        .LastOrDefault(g => g.Reason is AdjustmentReason.Starvation or AdjustmentReason.CooperativeBlocking) is { } delay
            && now.Timeline.Now.MsSince(delay.End) < RecentMs;

    /// <summary>
    /// Whether to take a burst without a request: items have waited or hung for two seconds and still do, or the pool has added threads for
    /// task waits for that long. Always false for a healthy target.
    /// </summary>
    public static bool IsLasting(CaptureSnapshot now)
    {
        var starved = now.Ledger.Episodes.Where(e => e.Kind.IsStarvation()).ToArray();
        return starved.Any(e => !e.Over && (e.Span.Ms >= LastingMs || (Waits(now) && now.Timeline.Now.MsSince(e.Span.From) >= LastingMs)))
            || (starved is [.., { Over: false }] && Waits(now) && starved.Sum(e => e.Span.Ms) >= LastingMs)
            || IsCompensating(now);
    }

    /// <summary>
    /// Whether to take a second burst because the pool adds threads for task waits: only two bursts show whether these waits end.
    /// </summary>
    public static bool MayHideHang(CaptureSnapshot now, int taken) =>
        taken == 1 && VerdictJudgement.Now(now.Timeline, now.Ledger, now.End, StackEvidence.None).Verdict == Verdict.Compensated;

    /// <summary>
    /// Whether to take one of the two bursts that follow an explicit request for stacks. They are taken in any state of the pool, because
    /// code outside the pool may block. The second burst shows which calls still block. Two counter samples must exist first.
    /// </summary>
    public static bool IsAsked(CaptureSnapshot now, int taken) => taken < 2 && now.Timeline.CounterSamples.Length >= 2;

    /// <summary>
    /// Whether to take one burst without a request because the counters are ambiguous. Either worker threads are idle or hang, or items are
    /// queued and only stacks can show whether the pool starves.
    /// </summary>
    public static bool IsUnclear(CaptureSnapshot now) =>
        now.Ledger.MayHang is not null || (Waits(now) && HiddenQueue.IsUnclear(now.Timeline, mayHang: null));

    // Whether items are queued at the newest counter sample. If not, an episode that is still open may be over.
    static bool Waits(CaptureSnapshot now) => now.Timeline.Levels.QueueLength > 0;

    /// <summary>Whether the counters suggest a hang. Worker threads that wait for work in loops cause the same counters.</summary>
    public static bool MayHang(LedgerSnapshot ledger) => ledger.MayHang is not null || ledger.LastingHang is not null;

    /// <summary>
    /// Whether a memory reading shows the calls that hold the worker threads, so that no burst is needed. A reading has no stacks of
    /// running threads. If more threads ran than were blocked in application code, some of them may compute, which only a burst shows.
    /// </summary>
    public static bool Suffices(InsideReading reading)
    {
        var samples = InsideSamples.Of(reading);
        var busy = samples?.Stacks.Select(s => StackClassifier.Of(s)).Where(s => s.IsAtWork).ToArray() ?? [];
        var own = busy.Count(s => s.HasUserCode);
        return (own > 0 && own >= (reading.Limits?.Working - busy.Length ?? reading.Running))
            || (samples is not null && reading.Running == 0);
    }

    static bool IsCompensating(CaptureSnapshot now)
    {
        var ages = now.Ledger.InjectionDelays.Where(g => g.IsCompensation).Select(g => now.Timeline.Now.MsSince(g.End)).ToArray();
        return ages.Any(ms => ms < RecentMs) && ages.Any(ms => ms >= LastingMs && ms < LastingMs + StretchMs);
    }
}
