using Kind = Tpwatch.Serve.InstrumentKind;
using OfUs = Tpwatch.Serve.Instrument<Tpwatch.Serve.OwnState>;

namespace Tpwatch.Serve;

/// <summary>The instruments of the watcher itself.</summary>
static class OwnInstruments
{
    public static ImmutableArray<OfUs> All { get; } =
    [
        new("tpwatch_build", Kind.Info, "The version of tpwatch.", own => [new($"version=\"{TargetLabels.Escaped(own.Version)}\"", 1)]),
        new("tpwatch_targets", Kind.Gauge, "Number of processes by state: watched, or waiting because the limit is reached.", own =>
            [new("state=\"watched\"", own.Watched), new("state=\"waiting\"", own.Waiting)]),
        new("tpwatch_targets_limit", Kind.Gauge, "Maximum number of processes watched at once.", own => [new("", own.Limit)]),
        new("tpwatch_targets_refused", Kind.Counter, "Failed attempts to watch a process.", own => [new("", own.Refused)]),
        new("tpwatch_targets_ended", Kind.Counter, "Watched processes that ended.", own => [new("", own.Ended)]),
        new("tpwatch_incidents", Kind.Counter,
            "Starvation episodes for which tpwatch saved, or failed to save, a recording and a report, by result.",
            own => [new("result=\"kept\"", own.IncidentsKept), new("result=\"failed\"", own.IncidentsFailed)]),
        new("process_cpu_seconds", Kind.Counter, "Processor time of tpwatch, user and system.", own => [new("", own.ProcessorSeconds)]),
        new("process_resident_memory_bytes", Kind.Gauge, "Resident memory of tpwatch.", own => [new("", own.ResidentBytes)]),
        new("process_start_time_seconds", Kind.Gauge, "Start time of tpwatch, in seconds since 1970.", own => [new("", own.StartedAt)]),
    ];
}
