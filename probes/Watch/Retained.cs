using Tpwatch.Recordings;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>Writes the contents of the flight recorder to a recording.</summary>
static class Retained
{
    /// <summary>
    /// Writes the recording. Throws <see cref="UserErrorException"/>: nothing is retained (exit code 1), the file exists or cannot be
    /// written (3).
    /// </summary>
    public static SavedFlight Save(string path, ISession session, Observation seen, TimeSpan? counterSample)
    {
        // A complete tape equals a recording from the start; a tape without its beginning lacks the events with processors and limits.
        var target = seen.Tape.IsCut || session.Start is not null ? seen.Timeline.Target : session.Target;
        return SavedFlight.Save(path, seen.Tape, SideCarFile.Describe(target, seen.Tape.Clock) with
        {
            Source = session.Source,
            Process = [.. seen.Tape.Process.Select(SideCarProcess.Of)],
            SampleIntervalMs = counterSample?.TotalMilliseconds,
            Bursts = seen.Side.Stacks is { } stacks ? BurstPacking.Pack(stacks) : null,
            Inside = seen.Side.Stacks is { } read ? BurstPacking.PackInside(read) : null,
        });
    }
}
