using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// A resource that lets only a limited number of threads through at a time, however many worker threads wait for it: named by the stacks,
/// or shown by completions that do not grow with the threads.
/// </summary>
/// <param name="Words">The name of the resource, as part of a sentence.</param>
sealed record Bottleneck(string Words)
{
    /// <summary>The only route whose requests wait there; null when several do, or none is certain.</summary>
    public string? Route { get; init; }

    /// <summary>Why more worker threads do not help, as part of a sentence.</summary>
    public string OnlyWait => $"more threads would only wait for {Words}.{Shown}";

    // A further sentence with the evidence, if it does not come from stacks.
    string Shown { get; init; } = "";

    /// <summary>The bottleneck; null when there is no evidence for one.</summary>
    public static Bottleneck? Of(PoolEvidence report)
    {
        // The place that holds most worker threads decides; a place that holds a few others does not.
        var main = DeepEvidence.Main(report);
        var known = main is null ? null : KnownResource.Of(main);
        return known?.Threads == MoreThreads.DoNotHelp ? Named(main!, known)
            : IsOpen(report, main, known) && ThreadScaling.Of(report) == Yield.Flat
                ? (known is null ? new Bottleneck("the same resource, such as a lock") : Named(main!, known)) with
                {
                    Shown = " So far, more threads have not helped.",
                }
            : null;
    }

    // If the stacks show only that more threads may help, or a task with an unknown end, the completions decide.
    static bool IsOpen(PoolEvidence report, Blocker? main, KnownResource? known) =>
        main is null ? !DeepEvidence.HasStacks(report) : known?.Threads == MoreThreads.MayHelp || main.Resource == Resource.Task;

    static Bottleneck Named(Blocker main, KnownResource known) => new($"{known.Name} ({DeepEvidence.Place(main)})")
    {
        Route = main.Routes is [{ Sure: true } one] ? one.Route : null,
    };
}
