using Tpwatch.Reports;

namespace Tpwatch.Findings.Clues;

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
    public static Bottleneck? Of(PoolReport report) => Named(report)
        ?? (!DeepEvidence.HasStacks(report) && WorkerYield.Of(report) == Yield.Flat
            ? new("the same resource, such as a lock") { Shown = " So far, more threads have not helped." } : null);

    // The place that holds most of the workers decides; what holds a few beside it does not.
    static Bottleneck? Named(PoolReport report)
    {
        var main = DeepEvidence.Main(report);
        return main is not null && KnownResource.Of(main) is { IsLimited: true } known
            ? new($"{known.Name} ({DeepEvidence.Place(main)})") { Route = main.Routes is [{ Sure: true } one] ? one.Route : null }
            : null;
    }
}
