using Tpwatch.Recordings;
using Tpwatch.Stacks;

namespace Tpwatch.Watch;

/// <summary>Writes the contents of the flight recorder to a recording.</summary>
static class Retained
{
    /// <summary>
    /// Writes the recording. Throws <see cref="ForeseenException"/>: nothing is retained (exit code 1), the file exists or cannot be
    /// written (3).
    /// </summary>
    public static SavedFlight Save(string path, ISession session, Observation seen, TimeSpan? heartbeat)
    {
        // A complete tape equals a recording from the start; a cut one lacks the events with processors and limits.
        var target = seen.Tape.IsCut || session.Start is not null ? seen.Timeline.Target : session.Target;
        return SavedFlight.Save(path, seen.Tape, SideCarFile.Describe(target, seen.Tape.Clock) with
        {
            Source = session.Source,
            Process = [.. seen.Tape.Process.Select(SideCarProcess.Of)],
            HeartbeatMs = heartbeat?.TotalMilliseconds,
            Bursts = seen.Beside.Stacks is { } stacks ? BurstPacking.Pack(stacks) : null,
            Inside = seen.Beside.Stacks is { } read ? BurstPacking.PackInside(read) : null,
        });
    }
}
