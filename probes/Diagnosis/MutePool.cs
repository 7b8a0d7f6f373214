using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Diagnosis;

/// <summary>
/// A pool that tells nothing: its events are managed, and a program may be built without them (EventSourceSupport=false), as one of a
/// single source file is unless it says otherwise. What its threads do can be seen all the same, for stacks come from the runtime itself.
/// </summary>
static class MutePool
{
    /// <summary>Whether nothing of the pool has come. A runtime that sends anything of it tells the processors first.</summary>
    public static bool Is(TimelineSnapshot seen) =>
        seen.Heartbeats.IsEmpty && seen.Levels is { Workers: null, Goal: null } && seen.Target.Processors.Source != SettingSource.Event;

    /// <summary>The setting that switches the events off; null where none is known, as of a single file.</summary>
    public static PoolSetting? Setting(TimelineSnapshot seen) =>
        seen.Target.Settings.FirstOrDefault(s =>
        s.Name == PoolSettings.EventsEntry && bool.TryParse(s.Value, out var on) && !on);
}
