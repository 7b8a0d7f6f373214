using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Diagnosis;

/// <summary>
/// Detects a pool without events: they are managed events, and a program may be built without them (EventSourceSupport=false), which is the
/// default of a single-source-file program. Stacks are still available, because they come from the runtime itself.
/// </summary>
static class NoPoolEvents
{
    /// <summary>Whether no event of the pool has arrived. A runtime that sends any of them sends the processor count first.</summary>
    public static bool Is(TimelineSnapshot seen) =>
        seen.CounterSamples.IsEmpty && seen.Levels is { Workers: null, TargetThreads: null }
            && seen.Target.Processors.Source != SettingSource.Event;

    /// <summary>The setting that switches the events off; null when unknown, as for a single-file program.</summary>
    public static PoolSetting? Setting(TimelineSnapshot seen) =>
        seen.Target.Settings.FirstOrDefault(s =>
        s.Name == PoolSettings.EventsEntry && bool.TryParse(s.Value, out var on) && !on);
}
