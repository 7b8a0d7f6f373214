using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>The evidence that stacks and items add to a finding if they were watched; nothing otherwise.</summary>
static class DeepEvidence
{
    /// <summary>The minimum share of samples to name a place; a smaller share is incidental and not a cause.</summary>
    public const double WorthNaming = 0.1;

    /// <summary>The place that holds most worker threads by a wait of one of these kinds; null when there is none.</summary>
    public static Blocker? Main(PoolEvidence report, params BlockKind[] kinds) =>
        (report.Blockers ?? []).FirstOrDefault(b => b.Share >= WorthNaming && (kinds.Length == 0 || kinds.Contains(b.Kind)));

    /// <summary>Whether stacks were taken and give a result.</summary>
    public static bool HasStacks(PoolEvidence report) => report.Blockers is { IsEmpty: false };

    /// <summary>The share of the worker threads' samples in waits of a kind, 0 to 1; 0 when stacks were not taken.</summary>
    public static double Share(PoolEvidence report, BlockKind kind) => (report.Blockers ?? []).Where(b => b.Kind == kind).Sum(b => b.Share);

    /// <summary>
    /// The place as a call chain, <c>Orders.Load > NpgsqlConnection.Open > SemaphoreSlim.Wait</c>, the service's own method first.
    /// </summary>
    public static string Place(Blocker blocker) => blocker.Chain;

    /// <summary>The places that hold worker threads, as evidence.</summary>
    public static IEnumerable<Evidence> Stacks(PoolEvidence report, params BlockKind[] kinds)
    {
        foreach (var blocker in (report.Blockers ?? [])
            .Where(b => b.Share >= WorthNaming && (kinds.Length == 0 || kinds.Contains(b.Kind))).Take(2))
        {
            var held = blocker.Owner is { } owner ? $" (held by {owner})" : "";
            var what = IsRead(report) ? "Busy worker threads" : "Stack samples of worker threads";
            yield return new($"{what} in {Place(blocker)}{held}", blocker.Share * 100, "%",
                IsRead(report) ? "memory" : held == "" ? "stacks" : "stacks, event 81");
        }
    }

    /// <summary>Queue time while the pool starved, as evidence; of the whole time when it did not starve.</summary>
    public static IEnumerable<Evidence> Delay(PoolEvidence report)
    {
        var (part, half) = report.Items?.StarvedDelay is { } starved
            ? (starved, "While the pool starved, half") : (report.QueueDelay, "Half");
        return part is not { IsKnown: true } ? [] :
        [
            .. part.HasEnoughFor(LowerBounds.P50)
                ? [AtLeast($"{half} of the items waited", part.P50Ms, "events 30 and 31")] : Array.Empty<Evidence>(),
            .. part.HasEnoughFor(LowerBounds.P99) && !IsOfHalf(part)
                ? [AtLeast("One in a hundred items waited", part.P99Ms, "events 30 and 31")] : Array.Empty<Evidence>(),
            Lasts(part) ? AtLeast("Longest queue time:", part.MaxMs, "events 30 and 31")
                : new("Longest queue time", part.MaxMs, "ms", "events 30 and 31"),
        ];
    }

    /// <summary>A lower bound of a duration, as evidence.</summary>
    public static Evidence AtLeast(string text, double ms, string source) => new($"{text} at least", ms, "ms", source) { GoesOn = true };

    /// <summary>Whether the slowest in a hundred waited no longer than half of them: then only the half is shown.</summary>
    public static bool IsOfHalf(Distribution part) =>
        part.HasEnoughFor(LowerBounds.P50) && Format.Duration(part.P50Ms) == Format.Duration(part.P99Ms);

    // An item that still waits may wait longer than all items taken so far.
    static bool Lasts(Distribution part) => part.Unfinished > 0 || part.AtLeast.HasFlag(LowerBounds.Max);

    /// <summary>How long items held their worker threads, as evidence.</summary>
    public static IEnumerable<Evidence> Run(PoolEvidence report) => report.RunTime is not { IsKnown: true } run ? [] :
    [
        .. run.HasEnoughFor(LowerBounds.P50)
            ? [AtLeast("Half of the items held their thread for", run.P50Ms, "event 31")] : Array.Empty<Evidence>(),
        run.HasEnoughFor(LowerBounds.P99)
            ? AtLeast("One in a hundred items held its thread for", run.P99Ms, "event 31")
            : AtLeast($"{LongestOf(run)} held its thread for", run.MaxMs, "event 31"),
    ];

    static string LongestOf(Distribution run) => run.Counted == 1 ? "The only item" : $"The longest of {Format.Count(run.Counted)} items";

    /// <summary>The remedy for the call that holds the worker threads; without stacks, how to find that call.</summary>
    public static Remedy Mend(PoolEvidence report, Blocker? blocker, string otherwise, HowTo? how = null) => blocker is null
        ? new(otherwise, how ?? HowTo.None)
        : blocker.OwnerDoes is { } does
        ? new($"{KnownResource.Of(blocker, report.Bursts?.WaitsFor).Remedy}: {WhileHolding(does)}. "
            + $"In {Samples(report, blocker)}, the threads wait for this lock"
            + $"{(blocker.OwnerIsOutside ? "" : " or hold it")} ({Place(blocker)}). "
            + LessUnderLock)
        : new($"{KnownResource.Of(blocker, report.Bursts?.WaitsFor).Remedy}: {Place(blocker)}. "
            + $"{Samples(report, blocker)} are in this call.{Holder(blocker)}");

    // A number of threads would look like a count, which another sentence states.
    static string Samples(PoolEvidence report, Blocker blocker) => $"{Format.Percent(blocker.Share)} of the "
        + (IsRead(report) ? "busy worker threads" : "stack samples of busy worker threads");

    /// <summary>The noun for the share of a blocker: <c>stack samples</c>.</summary>
    public static string Sampled(PoolEvidence report) => IsRead(report) ? "busy worker threads" : "stack samples";

    // A memory reading sees each thread once.
    static bool IsRead(PoolEvidence report) => report.Bursts is { AreReadings: true };

    /// <summary>The remedy when the only known fact about the blocking is that the pool cannot detect it.</summary>
    public static Remedy MendUndetected(PoolEvidence report) => Mend(report, Main(report),
        "Find the call that blocks the worker threads (lock, semaphore, sleep, synchronous I/O) "
            + "and replace it with an asynchronous one.", Waits.NamedBy(report));

    /// <summary>
    /// Other resources that threads wait for at a place, <c>33% of them wait for a connection of HttpClient's connection pool</c>; null
    /// when there are none.
    /// </summary>
    public static string? OtherWaits(Blocker blocker)
    {
        // At a lock, the other threads include the lock holder.
        var others = (blocker.Kind == BlockKind.Lock ? [] : blocker.Waits)
            .Where(w => w.Share >= WorthNaming && w.Resource != blocker.Resource)
            .Select(w => (w.Share, Known: KnownResource.Of(blocker with { Resource = w.Resource }))).Where(w => w.Known.SaysMore)
            .Select(w => $"{Format.Percent(w.Share)} of them wait for {w.Known.Name}").ToArray();
        return others.Length == 0 ? null : string.Join(", ", others);
    }

    /// <summary>The probable holder of a lock whose owner is unknown, as far as stacks show; without a full stop.</summary>
    public static string ProbableHolder(Activity past) =>
        $"One thread in the same method does not wait for the lock and probably holds it: {past}";

    // A call is described as a call, so that it is not mistaken for the path to the lock.
    static string WhileHolding(CallPath does)
    {
        var method = (does.IsLambda ? "a " : "") + does.Method;
        return does.Calls.IsEmpty ? $"the thread that holds the lock is in {method}"
            : $"{method} calls {string.Join(" > ", does.Calls)} while it holds the lock";
    }

    const string LessUnderLock = "Move code that does not need the lock out of the lock.";

    /// <summary>The place as part of a sentence: <c>a lambda in Orders.Run > Thread.Sleep</c>.</summary>
    public static string PlaceWithArticle(Blocker blocker) =>
        $"{(blocker is { IsLambda: true, Route: null } ? "a " : "")}{Place(blocker)}";

    // The work done while holding the lock is the part to change.
    static string Holder(Blocker blocker) =>
        blocker is { Owner: null, PastLock: { } past } ? $" {ProbableHolder(past)}. {LessUnderLock}" : "";
}
