using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>What stacks and items add to a finding, where they were watched; nothing where they were not.</summary>
static class DeepEvidence
{
    /// <summary>Fewer of the samples are a by-catch, not a cause.</summary>
    public const double WorthNaming = 0.1;

    /// <summary>The place that holds most workers by a wait of one of these kinds; null where none was seen.</summary>
    public static Blocker? Main(PoolReport report, params BlockKind[] kinds) =>
        (report.Blockers ?? []).FirstOrDefault(b => b.Share >= WorthNaming && (kinds.Length == 0 || kinds.Contains(b.Kind)));

    /// <summary>Whether stacks were taken and say something.</summary>
    public static bool HasStacks(PoolReport report) => report.Blockers is { IsEmpty: false };

    /// <summary>The share of the workers' samples in waits of a kind; 0 where stacks were not taken.</summary>
    public static double Share(PoolReport report, BlockKind kind) => (report.Blockers ?? []).Where(b => b.Kind == kind).Sum(b => b.Share);

    /// <summary><c>Orders.Load > NpgsqlConnection.Open > SemaphoreSlim.Wait</c>, the service's own method first.</summary>
    public static string Place(Blocker blocker) => blocker.Chain;

    /// <summary>The places that hold workers, as evidence.</summary>
    public static IEnumerable<Evidence> Stacks(PoolReport report, params BlockKind[] kinds)
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

    /// <summary>Queue delay in starved time, as evidence; of all time where none starved.</summary>
    public static IEnumerable<Evidence> Delay(PoolReport report)
    {
        var (part, half) = report.Items?.StarvedDelay is { } starved
            ? (starved, "While the pool starved, half") : (report.QueueDelay, "Half");
        return part is not { IsKnown: true } ? [] :
        [
            .. part.HasEnoughFor(LowerBounds.P50)
                ? [new($"{half} of the items waited at least", part.P50Ms, "ms", "events 30 and 31")] : Array.Empty<Evidence>(),
            .. part.HasEnoughFor(LowerBounds.P99) && !IsOfHalf(part)
                ? [new("One in a hundred items waited at least", part.P99Ms, "ms", "events 30 and 31")] : Array.Empty<Evidence>(),
            new(Lasts(part) ? "Longest queue time: at least" : "Longest queue time", part.MaxMs, "ms", "events 30 and 31"),
        ];
    }

    /// <summary>Whether what is true of the slowest in a hundred is true of half of them: then half is what to tell.</summary>
    public static bool IsOfHalf(Distribution part) =>
        part.HasEnoughFor(LowerBounds.P50) && Format.Duration(part.P50Ms) == Format.Duration(part.P99Ms);

    // Who still waits may wait longer than all who have been taken.
    static bool Lasts(Distribution part) => part.Unfinished > 0 || part.AtLeast.HasFlag(LowerBounds.Max);

    /// <summary>How long items held their workers, as evidence.</summary>
    public static IEnumerable<Evidence> Run(PoolReport report) => report.RunTime is not { IsKnown: true } run ? [] :
    [
        .. run.HasEnoughFor(LowerBounds.P50)
            ? [new("Half of the items held their thread for at least", run.P50Ms, "ms", "event 31")] : Array.Empty<Evidence>(),
        run.HasEnoughFor(LowerBounds.P99)
            ? new("One in a hundred items held its thread for at least", run.P99Ms, "ms", "event 31")
            : new($"{LongestOf(run)} held its thread for at least", run.MaxMs, "ms", "event 31"),
    ];

    static string LongestOf(Distribution run) => run.Counted == 1 ? "The only item" : $"The longest of {Format.Count(run.Counted)} items";

    /// <summary>What to do about what holds the workers; where no stacks tell that, how to find it.</summary>
    public static Remedy Mend(PoolReport report, Blocker? blocker, string otherwise) => blocker is null
        ? new(otherwise)
        : blocker.OwnerDoes is { } does
        ? new($"{KnownResource.Of(blocker, report.Bursts?.WaitsFor).Remedy}: {WhileHolding(does)}. "
            + $"In {Samples(report, blocker)}, the threads wait for this lock"
            + $"{(blocker.OwnerIsOutside ? "" : " or hold it")} ({Place(blocker)}). "
            + LessUnderLock)
        : new($"{KnownResource.Of(blocker, report.Bursts?.WaitsFor).Remedy}: {Place(blocker)}. "
            + $"{Samples(report, blocker)} are in this call.{Holder(blocker)}");

    // Of threads it would be read as a count, which another sentence tells.
    static string Samples(PoolReport report, Blocker blocker) => $"{Format.Percent(blocker.Share)} of the "
        + (IsRead(report) ? "busy worker threads" : "stack samples of busy worker threads");

    /// <summary>Of what a blocker has its share: <c>stack samples</c>.</summary>
    public static string Sampled(PoolReport report) => IsRead(report) ? "busy worker threads" : "stack samples";

    // A reading looks once at each thread.
    static bool IsRead(PoolReport report) => report.Bursts is { AreReadings: true };

    /// <summary>The same where nothing else is known of what blocks than that the pool cannot detect it.</summary>
    public static Remedy MendUndetected(PoolReport report) => Mend(report, Main(report),
        "Find the call that blocks the worker threads (lock, semaphore, sleep, synchronous I/O) "
            + "and replace it with an asynchronous one." + Waits.NamedBy(report));

    /// <summary>
    /// What else is waited for at a place, <c>33% of them wait for a connection of HttpClient's connection pool</c>; null where nothing is.
    /// </summary>
    public static string? OtherWaits(Blocker blocker)
    {
        // Beside those that wait for a lock is who has it.
        var others = (blocker.Kind == BlockKind.Lock ? [] : blocker.Waits)
            .Where(w => w.Share >= WorthNaming && w.Resource != blocker.Resource)
            .Select(w => (w.Share, Known: KnownResource.Of(blocker with { Resource = w.Resource }))).Where(w => w.Known.SaysMore)
            .Select(w => $"{Format.Percent(w.Share)} of them wait for {w.Known.Name}").ToArray();
        return others.Length == 0 ? null : string.Join(", ", others);
    }

    /// <summary>Who holds a lock that tells no owner, as far as stacks show; without a full stop.</summary>
    public static string ProbableHolder(string past) =>
        $"One thread in the same method does not wait for the lock and probably holds it: {past}";

    // What is called is told as a call, so that nobody takes it for the way to the lock.
    static string WhileHolding(string does) => does.Split(" > ", 2) is [var method, var call]
        ? $"{A(method)} calls {call} while it holds the lock" : $"the thread that holds the lock is in {A(does)}";

    const string LessUnderLock = "Move code that does not need the lock out of the lock.";

    /// <summary>The same where a sentence goes on with it: <c>a lambda in Orders.Run > Thread.Sleep</c>.</summary>
    public static string PlaceWithArticle(Blocker blocker) => A(Place(blocker));

    static string A(string place) => place.StartsWith("lambda in", StringComparison.Ordinal) ? $"a {place}" : place;

    // What is done under the lock is what to change.
    static string Holder(Blocker blocker) =>
        blocker is { Owner: null, PastLock: { } past } ? $" {ProbableHolder(past)}. {LessUnderLock}" : "";
}
