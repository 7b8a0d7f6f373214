using Tpwatch.Options;
using Tpwatch.Run;

namespace Tpwatch.Cli;

/// <summary>How a process is looked at, and how long.</summary>
/// <param name="Options">What is switched on in it.</param>
/// <param name="Duration">The longest; null: until it ends.</param>
/// <param name="EndsEarly">Whether it ends as soon as it is known what blocks.</param>
sealed record LookLength(WatchOptions Options, TimeSpan? Duration, bool EndsEarly)
{
    /// <summary>As a sentence goes on with it.</summary>
    public string Words => Duration is { } d
        ? $"for {Format.Duration(d.TotalMilliseconds)}{(EndsEarly ? ", or until tpwatch knows the blocking call" : "")}"
        : "until the process ends";

    /// <summary>Whether a report says enough to end now; then that is told.</summary>
    public bool IsEnough(PoolReport seen, CommandContext context)
    {
        var enough = EndsEarly && EnoughSeen.In(seen);
        if (enough)
        {
            context.Note(EnoughSeen.Words(seen));
        }

        return enough;
    }
}
