using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Scoring.Truths;

/// <summary>The stretches in which some item had waited for a second or more, by the fixture's own record.</summary>
static class TrueWaits
{
    /// <summary>What the contract calls a wait that matters, milliseconds.</summary>
    public const double LongMs = 1_000;

    /// <summary>Two stretches with less between them are one incident to whoever looks once a second.</summary>
    const double SameMs = 1_500;

    /// <summary>How long each item waited after somebody looked, milliseconds: what waited before was not seen to.</summary>
    public static IEnumerable<double> Seen(RunTruth truth, EventTime from) =>
        truth.Items.Select(item => Seen(item, truth, from).Ms).Where(ms => ms > 0);

    /// <summary>
    /// The stretches, in their order, each from the moment its first item was queued or somebody looked to the start of its last.
    /// </summary>
    /// <param name="truth">The record.</param>
    /// <param name="from">When somebody began to look.</param>
    /// <param name="atLeastMs">A wait of so long counts.</param>
    public static ImmutableArray<EventSpan> Stretches(RunTruth truth, EventTime from, double atLeastMs = LongMs)
    {
        var stretches = ImmutableArray.CreateBuilder<EventSpan>();
        foreach (var wait in truth.Items.Select(item => Seen(item, truth, from))
            .Where(wait => wait.Ms >= atLeastMs).OrderBy(wait => wait.From))
        {
            if (stretches is [.., var last] && wait.From.MsSince(last.To) <= SameMs)
            {
                stretches[^1] = last with { To = EventTime.Max(last.To, wait.To) };
            }
            else
            {
                stretches.Add(wait);
            }
        }

        return stretches.ToImmutable();
    }

    static EventSpan Seen(TruthItem item, RunTruth truth, EventTime from) =>
        new(EventTime.Max(from, ObservedRun.At(item.Enqueued)), ObservedRun.At(item.Started ?? truth.End.At));
}
