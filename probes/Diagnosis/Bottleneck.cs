using Tpwatch.Reports;

namespace Tpwatch.Diagnosis;

/// <summary>
/// What lets only so many through at a time, however many workers wait at it: named by the stacks, or shown by completions that do
/// not grow.
/// </summary>
/// <param name="Words">What it is, as a sentence goes on with it.</param>
sealed record Bottleneck(string Words)
{
    /// <summary>The only route whose requests wait there; null where several do, or none is known for certain.</summary>
    public string? Route { get; init; }

    /// <summary>Why more worker threads are of no use, as a sentence goes on with it.</summary>
    public string OnlyWait => $"more threads would only wait for {Words}.{Shown}";

    // The sentence behind it that says what shows it, where no stacks do.
    string Shown { get; init; } = "";

    /// <summary>The bottleneck; null where nothing shows one.</summary>
    public static Bottleneck? Of(PoolReport report)
    {
        // The place that holds most of the workers decides; what holds a few beside it does not.
        var main = DeepEvidence.Main(report);
        var known = main is null ? null : KnownResource.Of(main);
        return known?.Threads == MoreThreads.DoNotHelp ? Named(main!, known)
            : IsOpen(report, main, known) && WorkerYield.Of(report) == Yield.Flat
                ? (known is null ? new Bottleneck("the same resource, such as a lock") : Named(main!, known)) with
                {
                    Shown = " So far, more threads have not helped.",
                }
            : null;
    }

    // Stacks that show no more than that threads may help, or a task, whatever it waits for, leave it to the completions.
    static bool IsOpen(PoolReport report, Blocker? main, KnownResource? known) =>
        main is null ? !DeepEvidence.HasStacks(report) : known?.Threads == MoreThreads.MayHelp || main.Resource == Resource.Task;

    static Bottleneck Named(Blocker main, KnownResource known) => new($"{known.Name} ({DeepEvidence.Place(main)})")
    {
        Route = main.Routes is [{ Sure: true } one] ? one.Route : null,
    };
}
