using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>What stack bursts and memory readings show of a pool.</summary>
/// <param name="Blockers">The places that hold worker threads, largest share first; null if no stacks were sampled.</param>
/// <param name="Bursts">The bursts; null if there are none.</param>
/// <param name="Inside">The newest reading of the process's memory; null if there is none.</param>
sealed record StackEvidence(ImmutableArray<Blocker>? Blockers, StackBursts? Bursts, InsideReading? Inside)
{
    public static StackEvidence None { get; } = new(null, null, null);
}

/// <summary>Analyses stack bursts: at which places worker threads are blocked, and what the threads wait for. Pure.</summary>
sealed class BlockerAnalysis
{
    /// <summary>Maximum number of reported places (methods that hold worker threads).</summary>
    const int Most = 12;

    /// <summary>
    /// A pooled connection counts as the resource of a place if at least this share of the place's samples shows a wait for one. A smaller
    /// share comes from threads that by chance arrived while all connections were in use.
    /// </summary>
    const double SomeWait = 0.05;

    /// <summary>
    /// Name of a call that may be a lock wait: before .NET 10, such a wait looks like native code unless the lock's event was seen.
    /// </summary>
    public const string LockOrNative = "a lock or native code";

    /// <summary>The only other thread at a place counts as a lock's holder if at least this number of threads waits for the lock.</summary>
    const int LeastWaiting = 2;

    /// <summary>
    /// A route that is only likely counts at a place if at least this share of the place's samples has the route. A single sample may have
    /// a wrong route: after an await, a request can continue on another thread, and an unrelated request ends on the first thread.
    /// </summary>
    const double Mostly = 0.5;

    /// <summary>
    /// Samples of running threads count only if the process uses at least this number of processors. A computing thread keeps one processor
    /// busy; in a process that uses less, a thread is sampled as running only by chance.
    /// </summary>
    const double Computing = 0.5;

    /// <summary>Time around a burst that covers one counter sample before the burst and two after it, milliseconds.</summary>
    const double AroundMs = 1500;

    readonly ImmutableArray<Sampled> work;
    readonly ILookup<EventTime, Sampled> byBurst;

    // Places with unnamed delegates that serve several routes.
    readonly ImmutableHashSet<string> shared;

    BlockerAnalysis(TimelineSnapshot timeline, StacksSeen seen, RequestsOnThreads requests)
    {
        // Equal stacks share their frames within a burst, and are classified once.
        var shapes = new Dictionary<(ImmutableArray<string> Frames, bool Running), StackClassifier>();
        StackClassifier Shape(SampledStack s) => shapes.TryGetValue((s.Frames, s.Running), out var shape) ? shape
            : shapes[(s.Frames, s.Running)] = StackClassifier.Of(s, seen.Own);
        // mayCompute is computed once per burst: in a large pool, a burst has a thousand stacks.
        work = WithoutDoubtful(
        [
            .. from burst in seen.Bursts
               let mayCompute = MayCompute(timeline, burst)
               from stack in burst.Stacks
               let read = Read(burst, stack, Shape(stack), requests)
               where read.Shape.IsAtWork && (mayCompute || read.Shape.Kind != BlockKind.Cpu)
               select read,
        ]);
        byBurst = work.ToLookup(w => w.Burst.At);
        shared = [.. work.Where(w => w.Shape.IsNameless && w.Request is not null).GroupBy(Nameless)
            .Where(g => g.Select(w => w.Request?.Route).Distinct().Skip(1).Any()).Select(g => g.Key)];
    }

    /// <summary>Returns the evidence of the bursts and memory readings, with the routes of requests where requests were watched.</summary>
    public static StackEvidence Of(TimelineSnapshot timeline, StacksSeen? seen, RequestSnapshot? requests = null)
    {
        if (seen is null)
        {
            return StackEvidence.None;
        }

        var holders = new BlockerAnalysis(timeline, seen, new(requests));
        return new(
            seen.Bursts.IsEmpty ? null
                : InsideResources.AddTo(holders.Blockers(seen, timeline.Target.RuntimeMajor < TargetFacts.FirstWithLockFrames), seen),
            seen.Bursts.IsEmpty && seen.Remarks.IsEmpty ? null : new()
            {
                Taken = [.. seen.Bursts.Select(b => new BurstTaken(b.At, b.Ms, holders.WorkersIn(b)) { IsReading = b.IsReading })],
                Parked = seen.Bursts is [.., var last] ? holders.WorkersIn(last, w => w.Shape.IsParked) : 0,
                Unending = UnendingItemDetector.Of(timeline, [.. seen.Bursts.Select(b => (b.At, holders.HeldIn(b)))]),
                Outside = OutsideThreads.Of(seen),
                Samples = holders.work.Sum(w => (long)w.Stack.Samples),
                PausedMs = seen.Bursts.Where(b => !b.IsReading).Sum(b => b.Ms),
                WaitsFor = seen.Bursts.IsEmpty ? WaitsFor.Unknown : WaitsForOf(timeline, seen),
                Remarks = seen.Remarks,
            },
            seen.Readings is [.., var newest] ? newest : null);
    }

    static WaitsFor WaitsForOf(TimelineSnapshot timeline, StacksSeen seen) => seen.Bursts[^1] is var burst
        && seen.Readings is [.., var newest] && newest.At == burst.At && InsideConclusion.IsForQueue(newest)
        ? WaitsFor.QueuedItems : WaitsForOf(timeline, burst);

    // If items complete around the burst, something outside the pool ends the waits: a timer, a socket, or a thread that itself waits.
    static WaitsFor WaitsForOf(TimelineSnapshot timeline, BurstSamples burst) => AwaitedWork.Of(burst) switch
    {
        WaitsFor.QueuedItems when Around(timeline, burst).Any(b => b.Completed > 0) => WaitsFor.Unknown,
        var waits => waits,
    };

    static IEnumerable<CounterSample> Around(TimelineSnapshot timeline, BurstSamples burst) => timeline.CounterSamples
        .Where(b => b.At >= burst.At.PlusMs(-AroundMs) && b.At <= burst.At.PlusMs(AroundMs + (b.IntervalMs ?? 0)));

    static bool MayCompute(TimelineSnapshot timeline, BurstSamples burst) =>
        !(Around(timeline, burst).Max(b => b.Cpu) * timeline.Target.Processors.Value < Computing);

    int WorkersIn(BurstSamples burst, Func<Sampled, bool>? only = null) =>
        byBurst[burst.At].Where(only ?? (_ => true)).Select(w => w.Stack.ThreadId).Distinct().Count();

    // The blocked worker threads with their places; threads that compute or wait for new work are left out.
    HashSet<(int Thread, string Place)> HeldIn(BurstSamples burst) => byBurst[burst.At]
        .Where(w => w.Shape is { IsParked: false, Kind: not BlockKind.Cpu }).Select(w => (w.Stack.ThreadId, Nameless(w))).ToHashSet();

    ImmutableArray<Blocker> Blockers(StacksSeen seen, bool hidesLocks)
    {
        var all = work.Sum(w => (long)w.Stack.Samples);
        return [.. work.GroupBy(Place).OrderByDescending(Samples)
            .ThenBy(g => g.Key, StringComparer.Ordinal).Take(Most)
            .Select(g => Blocker(g, seen, all)).Select(b => WithUnnamed(b, hidesLocks))];
    }

    static Sampled Read(BurstSamples burst, SampledStack stack, StackClassifier shape, RequestsOnThreads requests) =>
        new(burst, stack, shape, shape.IsAtWork ? requests.Of(burst, stack, shape) : null);

    static ImmutableArray<Sampled> WithoutDoubtful(ImmutableArray<Sampled> all)
    {
        if (!all.Any(w => w.Request is { Sure: false }))
        {
            return all;
        }

        var doubtful = all.GroupBy(Nameless).SelectMany(place => place.Where(w => w.Request is { Sure: false })
            .GroupBy(w => w.Request!.Value.Route).Where(of => Samples(of) < Mostly * Samples(place))
            .Select(of => $"{place.Key} {of.Key}")).ToHashSet();
        return
        [
            .. all.Select(w => w.Request is { Sure: false } likely && doubtful.Contains($"{Nameless(w)} {likely.Route}")
                ? w with { Request = null } : w),
        ];
    }

    // Unnamed delegates are one place if their blocking calls are equal and, where known, also the routes of their requests.
    string Place(Sampled one) => !one.Shape.IsNameless ? one.Shape.Frame
        : Nameless(one) is var place && shared.Contains(place) ? $"{place} {one.Request?.Route}" : place;

    static string Nameless(Sampled one) => $"{one.Shape.Frame} {one.Shape.Call}";

    static ImmutableArray<RouteShare> Routes(IEnumerable<Sampled> group, double all) =>
    [
        .. group.Where(w => w.Request is not null).GroupBy(w => w.Request!.Value.Route).OrderByDescending(Samples)
            .ThenBy(g => g.Key, StringComparer.Ordinal)
            .Select(g => new RouteShare(g.Key, Samples(g) / all, g.Count(w => w.Request is { Sure: true }) * 2 >= g.Count())),
    ];

    static long Samples(IEnumerable<Sampled> group) => group.Sum(w => (long)w.Stack.Samples);

    static Blocker Blocker(IGrouping<string, Sampled> group, StacksSeen seen, long all)
    {
        var waits = Waits(group);
        var kind = Leading(waits, Samples(group));
        var usual = kind.Samples.GroupBy(w => w.Stack.Frames).GroupBy(alike => alike.Key, new SharedFrames())
            .MaxBy(alike => alike.Sum(Samples))!.First().First();
        var places = group.ToLookup(w => w.Burst.At);
        var over = seen.Bursts
            .Select(b => new HeldPoint(b.At, places[b.At].Select(w => w.Stack.ThreadId).Distinct().Count()))
            .ToImmutableArray();
        var shape = usual.Shape;
        var owner = kind.Kind == BlockKind.Lock ? LockOwner.Of(kind.Samples.Select(w => (w.Burst, w.Stack.ThreadId)), seen.Own) : null;
        return new(shape.Frame, (double)Samples(group) / all, over.Max(p => p.Threads), kind.Kind, shape.Frames)
        {
            Resource = kind.Resource,
            Waits = [.. waits.Select(w => new ResourceShare(w.Resource, (double)Samples(w.Samples) / Samples(group)))],
            AwaitsAlready = shape.AwaitsAlready,
            IsOfFramework = !shape.HasUserCode && !shape.IsGone,
            Brief = shape.Brief,
            Plain = shape.Path.Plain,
            IsLambda = shape.Path.IsLambda,
            IsNameless = shape.IsNameless,
            Routes = Routes(group, Samples(group)),
            Through = shape.Entry is { } entry ? [entry] : [],
            Samples = Samples(group),
            Call = shape.Call,
            LeftNoFrame = shape.IsGone,
            IsParked = kind.Samples.All(w => w.Shape.IsParked),
            PastLock = kind.Kind == BlockKind.Lock ? Past(group) : null,
            Owner = owner?.Words,
            OwnerDoes = owner?.Does,
            OwnerWaits = owner?.Waits,
            OwnerIsOutside = owner?.IsOutside == true,
            OverTime = over,
        };
    }

    // A lock admits one thread at a time. If in every burst exactly one thread in the locking method does not wait for the lock, it
    // probably holds the lock, and the result is what this thread does. Otherwise null: two such threads may use two locks.
    static ThreadActivity? Past(IEnumerable<Sampled> place)
    {
        var bursts = place.GroupBy(w => w.Burst)
            .Select(b => b.GroupBy(w => w.Stack.ThreadId).ToLookup(of => of.Any(w => Kind(w) == BlockKind.Lock)))
            .Where(threads => threads[true].Count() >= LeastWaiting).ToArray();
        return bursts.Length == 0 || bursts.Any(threads => threads[false].Count() != 1) ? null
            : bursts.SelectMany(threads => threads[false].Single()).GroupBy(Does).MaxBy(Samples)!.Key;
    }

    static ThreadActivity Does(Sampled one) =>
        new(one.Shape.Entry ?? one.Shape.Call, one.Shape.Kind == BlockKind.Cpu ? "it runs" : "it waits or is in native code");

    // The waits at one place, the most frequent first.
    static ImmutableArray<Wait> Waits(IEnumerable<Sampled> place) =>
    [
        .. place.GroupBy(w => Kind(w) is var kind && kind != w.Shape.Kind ? (kind, kind.UsualResource()) : (kind, w.Shape.Resource))
            .OrderByDescending(Samples).Select(g => new Wait(g.Key.Item1, g.Key.Item2, [.. g])),
    ];

    // The most frequent wait characterises the place: a thread that sleeps while it holds a lock is in the same method as the threads that
    // wait for the lock. But if even a few threads wait for a connection of a limited pool, that wait counts, because the others at this
    // place use all connections.
    static Wait Leading(ImmutableArray<Wait> waits, long all) => waits.FirstOrDefault(
        w => ResourceFrames.IsLimitedConnection(w.Resource) && Samples(w.Samples) >= SomeWait * all) ?? waits[0];

    static Blocker WithUnnamed(Blocker blocker, bool hidesLocks) => blocker.Call is null && Unnamed(blocker.Kind, hidesLocks) is { } call
        ? blocker with { Call = call, Resource = call == LockOrNative ? Resource.LockOrNative : blocker.Resource } : blocker;

    static string? Unnamed(BlockKind kind, bool hidesLocks) => kind == BlockKind.Lock ? "lock"
        : kind is BlockKind.Native or BlockKind.Unseen && hidesLocks ? LockOrNative
        : null;

    // Before .NET 10 a lock wait has no frame of its own; the lock's event shows the wait.
    static BlockKind Kind(Sampled one) =>
        one.Shape.Kind is BlockKind.Native or BlockKind.Unseen && one.Burst.Locks.Any(l => l.ThreadId == one.Stack.ThreadId)
            ? BlockKind.Lock : one.Shape.Kind;

    sealed record Wait(BlockKind Kind, Resource Resource, ImmutableArray<Sampled> Samples);

    sealed record Sampled(BurstSamples Burst, SampledStack Stack, StackClassifier Shape, RequestOn? Request);
}

/// <summary>
/// Determines whether the work for which worker threads wait is in progress on a thread or has no thread. Work without a thread is queued
/// behind the waiting items, or depends on a timer or a socket that is not due yet.
/// </summary>
static class AwaitedWork
{
    public static WaitsFor Of(BurstSamples burst)
    {
        var held = burst.Stacks.Select(s => StackClassifier.Of(s)).Where(s => s.IsAtWork).ToArray();
        return held.Length == 0 ? WaitsFor.Unknown
            : held.Any(IsUnderWay) ? WaitsFor.Outside
            : IsElsewhere(burst) || held.Any(s => s.Kind == BlockKind.Lock) ? WaitsFor.Unknown
            : WaitsFor.QueuedItems;
    }

    // A thread outside the pool that computes, reads or waits for another machine may be about to end the wait. The thread's most frequent
    // stack counts: a thread that reads a clock every few milliseconds is occasionally sampled while it runs.
    static bool IsElsewhere(BurstSamples burst) => burst.Stacks
        .GroupBy(s => s.ThreadId)
        .Select(of => StackClassifier.Of(of.MaxBy(s => s.Samples)!))
        .Any(s => !s.IsWorker && s.HasUserCode && IsUnderWay(s) && s.Kind != BlockKind.Sleep);

    static bool IsUnderWay(StackClassifier shape) => shape.Kind is BlockKind.Sleep or BlockKind.Io or BlockKind.Native
        or BlockKind.Unseen or BlockKind.Cpu;
}

/// <summary>Adds details of waits that a memory reading shows and stacks do not.</summary>
static class InsideResources
{
    /// <summary>The most frequent wait at a place determines the place's resource if one in this number of threads has this wait.</summary>
    const int Most = 3;

    /// <summary>Returns the places with wait details from the newest memory reading; unchanged if there is none.</summary>
    public static ImmutableArray<Blocker> AddTo(ImmutableArray<Blocker> blockers, StacksSeen seen) =>
        seen.Readings is [.., var newest] ? [.. blockers.Select(b => AddTo(b, newest))] : blockers;

    static Blocker AddTo(Blocker blocker, InsideReading reading)
    {
        var there = reading.Waits.Where(w => w.Workers > 0 && w.Frame == blocker.Brief && w.Call == (blocker.Call ?? "")).ToArray();

        // Threads that were read while they changed state show no wait; the other threads at the place show it.
        return there.Where(w => w.End != WaitEnd.Unknown).MaxBy(w => w.Workers) is { } most
            && most.Workers * Most >= there.Sum(w => w.Workers)
            ? Told(blocker, Of(blocker.Resource, most, reading)) with { Limit = there.Max(w => w.Limit) }
            : blocker with { Limit = there.Max(w => w.Limit) };
    }

    // Replaces the resource of the place, also in its list of waits. Its other waits and all shares stay unchanged.
    static Blocker Told(Blocker blocker, Resource resource) => blocker with
    {
        Resource = resource,
        Waits = [.. blocker.Waits.Select(w => w.Resource == blocker.Resource ? w with { Resource = resource } : w)],
    };

    // A semaphore's holder may itself wait for a worker thread. The resource then stays a task, whose remedy covers both waits.
    static Resource Of(Resource resource, InsideWait wait, InsideReading reading) => (resource, wait.End) switch
    {
        (Resource.Task, WaitEnd.Channel) when wait.Chain is [.., "ChannelWriter"] => Resource.ChannelSpace,
        (Resource.Task, WaitEnd.Semaphore) when !reading.Waits.Any(w => w.NeedsWorker()) => Resource.Semaphore,
        (Resource.Event or Resource.Unseen, WaitEnd.Mutex) => Resource.Mutex,
        _ => resource,
    };
}

/// <summary>The route of the request that a thread ran at a moment.</summary>
/// <param name="Route">Method and path.</param>
/// <param name="Sure">Whether the request is known to be on the thread's stack; otherwise, it is the next request that ended there.</param>
readonly record struct RequestOn(string Route, bool Sure);

/// <summary>
/// Determines the request that a thread runs. A request that has not awaited yet is on the thread of its start, and the stack contains the
/// server's frames. For other requests, the only evidence is the next request that ends on the thread: it probably ran there before.
/// </summary>
sealed class RequestsOnThreads(RequestSnapshot? seen)
{
    readonly ILookup<int, RequestEventInterval> byThread = (seen?.Stretches ?? []).ToLookup(s => s.ThreadId);

    /// <summary>Returns the request that a thread with this stack ran during a burst; null if unknown, or if there were several.</summary>
    public RequestOn? Of(BurstSamples burst, SampledStack stack, StackClassifier shape)
    {
        var end = burst.At.PlusMs(burst.Ms);
        RequestOn? one = null;
        foreach (var stretch in byThread[stack.ThreadId].Where(s => s.Span.From <= end && s.Span.To >= burst.At))
        {
            if (Of(stretch, burst.At, shape) is not { } found)
            {
                continue;
            }

            if (one is { } other && other.Route != found.Route)
            {
                return null;
            }

            one = new(found.Route, found.Sure && one is not { Sure: false });
        }

        return one;
    }

    // If the request started before the session, its start is unknown; the next request that ends on the thread is assumed to be it.
    static RequestOn? Of(RequestEventInterval stretch, EventTime at, StackClassifier shape) =>
        shape.HoldsRequest && stretch.Begun is { } begun ? new(begun, true)
        : stretch.Ended is { } ended && (stretch.EndedSince is not { } since || since <= at) ? new(ended, shape.HoldsRequest)
        : null;
}

/// <summary>
/// Counts worker threads that run the same item in two bursts. A thread at the same place in both bursts may run another item of that kind.
/// But if fewer items completed between the bursts than there are such threads, the remaining threads completed none.
/// </summary>
static class UnendingItemDetector
{
    /// <summary>
    /// Minimum time between two compared bursts, milliseconds: 5 s (BurstPace) minus half a second, by which a first sample may be late.
    /// </summary>
    const double ApartMs = 4500;

    /// <summary>
    /// Returns the number of threads that held the same item in two bursts, by the pair of bursts that proves the most threads; null if no
    /// pair proves any. <paramref name="looks"/> contains the blocked threads and their places in each burst, oldest first.
    /// </summary>
    public static UnendingItems? Of(TimelineSnapshot timeline, (EventTime At, HashSet<(int Thread, string Place)> Held)[] looks)
    {
        // Completions after the newest counter sample are not counted yet.
        var counted = looks.Where(look => timeline.CounterSamples is [.., var sample] && sample.At >= look.At).ToArray();
        if (counted is not [.., var last] || timeline.Quality is { Lost: > 0 } or { LossUnknown: true })
        {
            return null;
        }

        return counted.Where(look => last.At.MsSince(look.At) >= ApartMs)
            .Select(look => (look, Stay: look.Held.Count(last.Held.Contains), Ended: Ended(timeline, look.At, last.At)))
            .Where(pair => pair.Ended < pair.Stay)
            .Select(pair => (UnendingItems?)new UnendingItems(
                new(pair.look.At, last.At), pair.look.Held.Count, (int)(pair.Stay - pair.Ended!.Value)))
            .MaxBy(pair => pair!.Value.Threads);
    }

    // Number of items completed between two bursts; null where the counter samples do not cover that whole time.
    static long? Ended(TimelineSnapshot timeline, EventTime from, EventTime to)
    {
        var (ended, covered) = (0L, from);
        foreach (var sample in timeline.CounterSamples.Where(b => b.At > from))
        {
            if (sample is not { Completed: { } completed, IntervalMs: { } interval } || sample.At.PlusMs(-interval).MsSince(covered) > 1)
            {
                return null;
            }

            (ended, covered) = (ended + completed, sample.At);
            if (covered >= to)
            {
                return ended;
            }
        }

        return null;
    }
}

/// <summary>
/// Finds the application's own code that is blocked on threads outside the pool: the finalizer thread, the socket thread, a library's
/// thread, or a thread that the program started. A thread counts if the newest two bursts, or the only burst, found it at the same place.
/// </summary>
static class OutsideThreads
{
    /// <summary>Maximum number of places reported.</summary>
    const int Most = 5;

    /// <summary>
    /// The kinds of wait that count on a thread that the program started: such a thread sleeps, reads and waits for work by design, but
    /// deadlocks consist of waits for tasks and locks.
    /// </summary>
    static readonly BlockKind[] OfOwnThreads = [BlockKind.Task, BlockKind.Lock];

    /// <summary>The kinds of wait that count on a thread of the runtime or a library; application code there should be brief.</summary>
    static readonly BlockKind[] OfLentThreads = [BlockKind.Task, BlockKind.Lock, BlockKind.Wait, BlockKind.Sleep, BlockKind.Io];

    /// <summary>Returns the blocked threads outside the pool in the newest burst, by place in the code, the most threads first.</summary>
    public static ImmutableArray<OutsideThread> Of(StacksSeen seen) => seen.Bursts is not [.. var earlier, var last] ? [] :
    [
        .. Blocked(last, seen.Own).Select(one => (one.Shape, Since: Since(one, [.. earlier], last.At, seen.Own)))
            .Where(one => one.Since < last.At || earlier.IsEmpty)
            .GroupBy(one => (one.Shape.Chain, one.Shape.Home, one.Shape.HomeName))
            .Select(alike => new OutsideThread(alike.Key.Chain, alike.First().Shape.Kind, alike.Key.Home, alike.Key.HomeName, alike.Count(),
                new(alike.Min(one => one.Since), last.At)))
            .OrderByDescending(one => one.Threads).ThenBy(one => one.Chain, StringComparer.Ordinal).Take(Most),
    ];

    // Time of the earliest burst since which every burst found the thread at this place.
    static EventTime Since(Seated one, BurstSamples[] earlier, EventTime newest, ImmutableHashSet<string>? own) => earlier.Reverse()
        .TakeWhile(burst => Blocked(burst, own).Any(then => then.Thread == one.Thread && then.Shape.Chain == one.Shape.Chain))
        .Select(burst => burst.At).LastOrDefault(newest);

    static IEnumerable<Seated> Blocked(BurstSamples burst, ImmutableHashSet<string>? own) => burst.Stacks
        .GroupBy(s => s.ThreadId)
        .Select(of => new Seated(of.Key, StackClassifier.Of(of.MaxBy(s => s.Samples)!, own)))
        .Where(one => IsBlocked(one.Shape));

    static bool IsBlocked(StackClassifier shape) => shape is { Home: not ThreadOrigin.Pool, HasOwnCode: true, IsWaitingForWork: false }
        && (shape.Home is ThreadOrigin.Program or ThreadOrigin.Main ? OfOwnThreads : OfLentThreads).Contains(shape.Kind)
        && (shape.Home != ThreadOrigin.Main || shape.Kind == BlockKind.Lock || shape.OwnDepth > StackClassifier.DepthOfMain);

    sealed record Seated(int Thread, StackClassifier Shape);
}

/// <summary>Determines which thread holds a lock that others wait for, and what that thread does.</summary>
static class LockOwner
{
    /// <summary>Returns the owner in the newest burst that shows an owner; null if no burst shows one.</summary>
    public static LockOwnerDetails? Of(IEnumerable<(BurstSamples Burst, int ThreadId)> waiting, ImmutableHashSet<string>? own)
    {
        var known = waiting.SelectMany(w =>
            w.Burst.Locks.Where(l => l.ThreadId == w.ThreadId && l.OwnerThreadId != 0).Select(l => (w.Burst, l.OwnerThreadId)))
            .OrderByDescending(l => l.Burst.At).ToArray();
        return known.Length == 0
            ? null
            : Seen(known[0].Burst, own,
                known.Where(k => k.Burst == known[0].Burst).GroupBy(k => k.OwnerThreadId).OrderByDescending(g => g.Count()).First().Key);
    }

    static LockOwnerDetails Seen(BurstSamples burst, ImmutableHashSet<string>? own, int owner)
    {
        var stack = burst.Stacks.Where(s => s.ThreadId == owner).MaxBy(s => s.Samples);
        if (stack is null)
        {
            return new(FormattableString.Invariant($"thread {owner}"), null, null, false);
        }

        var shape = StackClassifier.Of(stack, own);
        var does = shape.Path;
        var kind = shape.IsWorker ? ", a worker thread," : shape.IsOutside ? ", not a worker thread," : "";
        return new(FormattableString.Invariant($"thread {owner}{kind} in {does}"), does, shape.Kind, shape.IsOutside);
    }
}

/// <summary>A lock's owner: the thread as text, its call chain and wait (null if unknown), and whether it is outside the pool.</summary>
sealed record LockOwnerDetails(string Words, CallPath? Does, BlockKind? Waits, bool IsOutside);

/// <summary>Finds threads that wait for each other's locks, from the waits and owners known at one moment. Pure.</summary>
static class LockCycles
{
    const string NoPlace = "a lock";

    /// <summary>Returns the cycle that blocks the largest number of threads; null if there is none.</summary>
    /// <param name="owners">For each thread that waits for a lock, the thread that holds this lock, as OS ids. A thread waits for one lock
    /// at a time.</param>
    /// <param name="shapes">The stacks of threads by OS id, as far as known.</param>
    public static LockCycle? Of(IReadOnlyDictionary<int, int> owners, IReadOnlyDictionary<int, StackClassifier> shapes)
    {
        var all = owners.Keys.Select(thread => From(thread, owners)).OfType<ImmutableArray<int>>()
            .GroupBy(cycle => cycle.Min(), (first, same) => same.First(cycle => cycle[0] == first));
        return all.Select(cycle => Told(cycle, owners, shapes)).MaxBy(cycle => cycle.Blocked);
    }

    // The cycle that contains the thread; null if there is none. A thread that only waits for a lock of a cycle is not in the cycle.
    static ImmutableArray<int>? From(int thread, IReadOnlyDictionary<int, int> owners)
    {
        var path = Path(thread, owners).ToArray();
        return path.Length > 1 && owners.TryGetValue(path[^1], out var next) && next == thread ? [.. path] : null;
    }

    static LockCycle Told(ImmutableArray<int> cycle, IReadOnlyDictionary<int, int> owners, IReadOnlyDictionary<int, StackClassifier> shapes)
    {
        var blocked = owners.Keys.Where(thread => Path(thread, owners).Any(cycle.Contains)).ToArray();
        return new(
            cycle, [.. cycle.Select(thread => Place(shapes.GetValueOrDefault(thread)))],
            blocked.Length, blocked.Count(thread => shapes.GetValueOrDefault(thread)?.IsWorker == true));
    }

    // Before .NET 10 a lock wait has no frame.
    static string Place(StackClassifier? shape) => shape switch
    {
        null => NoPlace,
        { Call: null } => $"{shape.Chain} > {NoPlace}",
        _ => shape.Chain,
    };

    // The chain of threads that begins with one thread: each thread waits for a lock of the next. A thread appears once.
    static IEnumerable<int> Path(int thread, IReadOnlyDictionary<int, int> owners)
    {
        var seen = new HashSet<int>();
        for (var at = thread; seen.Add(at); at = owners[at])
        {
            yield return at;
            if (!owners.ContainsKey(at))
            {
                break;
            }
        }
    }
}
