namespace Tpwatch.Items;

/// <summary>
/// Decides from the event rate when the deep probes cost more than they are worth. Uses event time only, so a replay decides the same.
/// </summary>
sealed class FloodGuard(bool withStacks)
{
    /// <summary>
    /// Maximum number of events a second; an item has two. At the measured 0.18 µs per event, this rate takes an eighth of a processor. A
    /// reader decodes twice this rate, and a session with 190 thousand items a second lost no event.
    /// </summary>
    const double Most = 700_000;

    /// <summary>Maximum number of events a second if each event carries its stack: 1.6 µs per event, measured on .NET 8.</summary>
    const double MostWithStacks = 60_000;

    /// <summary>Time over which the rate is measured, milliseconds; a shorter flood ends before it slows the process.</summary>
    const double WindowMs = 1000;

    EventTime from;
    long told;

    /// <summary>Returns why the deep probes must stop, as text for the user; null while they may continue.</summary>
    public string? Look(DeepTracker tracker)
    {
        if (tracker.HasLost)
        {
            return $"{tracker.Subject} are no longer watched: events were lost, since they come faster than tpwatch can read them.";
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
                + "would slow the process down too much. Everything measured until then stays.";
    }
}
