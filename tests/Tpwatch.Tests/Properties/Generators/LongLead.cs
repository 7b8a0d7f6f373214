using System.Collections.Immutable;
using Tpwatch.Events;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// A program that has little to do for a while before its trouble begins, and the same trouble after an hour of little to do.
/// </summary>
static class LongLead
{
    /// <summary>Until then there is light work alone, milliseconds.</summary>
    const double TroubleMs = 45_000;

    /// <summary>A stretch of light work in which everything has settled, and which repeats itself.</summary>
    const double FromMs = 25_000;

    public const double ToMs = 35_000;

    const int Times = 360;

    public const double LongerMs = Times * (ToMs - FromMs);

    /// <summary>One item every two and a half seconds; the gate sleeps in between.</summary>
    static readonly Load Light = new(200, 18, 2500, Holds.Sleep, 5);

    /// <summary>
    /// The world with its trouble put off, light work before it, and heartbeats that fall on the same moments of every stretch.
    /// </summary>
    public static PoolWorld PutOff(PoolWorld world) => world with
    {
        Seconds = world.Seconds + TroubleMs / 1000,
        AttachMs = 0,
        BeatMs = 1000,
        Loads = [Light, .. world.Loads.Select(load => load with { AtMs = load.AtMs + TroubleMs })],
        Calls = [.. world.Calls.Select(call => call with { AtMs = call.AtMs + TroubleMs })],
        Climbs = [.. world.Climbs.Select(climb => climb with { AtMs = climb.AtMs + TroubleMs })],
    };

    /// <summary>
    /// The facts with an hour of light work put in; the trouble comes at the same time of day, since the capture began an hour earlier.
    /// </summary>
    public static ImmutableArray<object> WithAnHourMore(ImmutableArray<object> facts)
    {
        var stretch = facts.Where(fact => Watcher.Ms(FactData.At(fact)) is > FromMs and <= ToMs).ToArray();
        return
        [
            .. facts.TakeWhile(fact => Watcher.Ms(FactData.At(fact)) <= ToMs)
                .Select(fact => fact is StreamOpened opened ? opened with { Utc = opened.Utc.AddMilliseconds(-LongerMs) } : fact),
            .. Enumerable.Range(1, Times).SelectMany(n => stretch.Select(fact => FactData.Later(fact, n * (ToMs - FromMs)))),
            .. facts.SkipWhile(fact => Watcher.Ms(FactData.At(fact)) <= ToMs).Select(fact => FactData.Later(fact, LongerMs)),
        ];
    }
}
