namespace Tpwatch.Items;

/// <summary>
/// Decides when the deep probes cost more than they are worth, by the events that come; by event time alone, so that it can be replayed.
/// </summary>
sealed class FloodGuard(bool withStacks)
{
    /// <summary>
    /// Events a second, two an item. At 0.18 µs each, measured, that is an eighth of a processor; a reader decodes twice as many, and a
    /// session with 190 thousand items a second lost none.
    /// </summary>
    const double Most = 700_000;

    /// <summary>The same where each event carries its stack: 1.6 µs, measured on .NET 8.</summary>
    const double MostWithStacks = 60_000;

    /// <summary>A shorter burst is over before anybody is slowed, milliseconds.</summary>
    const double WindowMs = 1000;

    EventTime from;
    long told;

    /// <summary>Why to stop, one sentence; null while all is well.</summary>
    public string? Look(DeepTracker tracker)
    {
        if (tracker.HasLost)
        {
            return $"{tracker.Subject} are no longer watched: events were lost, "
                + "since they come faster than tpwatch can read them.";
        }

        if (from == default)
        {
            (from, told) = (tracker.Now, tracker.Told);
            return null;
        }

        var ms = tracker.Now.MsSince(from);
        if (ms < WindowMs)
        {
            return null;
        }

        var rate = (tracker.Told - told) * 1000 / ms;
        (from, told) = (tracker.Now, tracker.Told);
        return rate <= (withStacks ? MostWithStacks : Most) ? null
            : $"{tracker.Subject} are no longer watched: at {Format.Rate(rate / 2)} the events "
                + "would slow the process down too much. "
                + "Everything measured until then stays.";
    }
}
