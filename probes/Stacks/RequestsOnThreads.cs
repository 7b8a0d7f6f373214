using Tpwatch.Reports;

namespace Tpwatch.Stacks;

/// <summary>The request that a thread ran at a moment, by its route.</summary>
/// <param name="Route">Method and path.</param>
/// <param name="Sure">It began on that thread, and its stack reaches back to there; otherwise it is the one that ended there next.</param>
readonly record struct RequestOn(string Route, bool Sure);

/// <summary>
/// Whose request a thread runs. One that has not awaited yet is on the thread on which it began, and its stack has the server's frames. Of
/// others no more is known than that the next request to end on a thread was, in all likelihood, on it before.
/// </summary>
sealed class RequestsOnThreads(RequestSnapshot? seen)
{
    readonly ILookup<int, ThreadStretch> byThread = (seen?.Stretches ?? []).ToLookup(s => s.ThreadId);

    /// <summary>The request of a stack that was sampled in a burst; null where that is not known, or several were.</summary>
    public RequestOn? Of(BurstSamples burst, SampledStack stack, StackShape shape)
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

    // Before a stretch that begins with the session a request may have begun on the thread; then the next to end there is the one.
    static RequestOn? Of(ThreadStretch stretch, EventTime at, StackShape shape) =>
        shape.HoldsRequest && stretch.Begun is { } begun ? new(begun, true)
        : stretch.Ended is { } ended && (stretch.EndedSince is not { } since || since <= at) ? new(ended, shape.HoldsRequest)
        : null;
}
