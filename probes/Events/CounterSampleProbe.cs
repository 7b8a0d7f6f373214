using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads counter samples on .NET 8 and earlier, from the runtime's event counters. All listeners of the process share the smallest
/// requested interval, even after the listener that requested it has left; tpwatch warns of this before an attach. With a null interval,
/// the probe requests no counters, and only reads event counters that another listener has enabled.
/// </summary>
sealed class CounterSampleProbe(TimeSpan? interval, CounterSource counterSamples) : IProbe
{
    double? workers;
    double? queueLength;
    double? completed;
    double? cpuPercent;
    EventTime? before;

    public ProviderNeed Need { get; } = interval is { } every
        ? new(
            SystemRuntimeProbe.Provider, ProviderNeed.Informational, 0x3,
            new Dictionary<string, string>
            {
                ["EventCounterIntervalSec"] = every.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture),
            })
        : new(SystemRuntimeProbe.Provider, ProviderNeed.Informational, 0x3);

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Dynamic.AddCallbackForProviderEvent(SystemRuntimeProbe.Provider, "EventCounters", e => Read(e, clock.At(e), sink));

    void Read(TraceEvent e, EventTime at, IFactSink sink)
    {
        if (e.PayloadValue(0) is not IDictionary<string, object> outer
            || !outer.TryGetValue("Payload", out var payload)
            || payload is not IDictionary<string, object> counter || !counter.TryGetValue("Name", out var name))
        {
            sink.On(new EventUndecodable(at, "EventCounters"));
            return;
        }

        BeginAnewWhenSeen(name as string);
        Take(name as string, counter);
        if (workers is not null && queueLength is not null && completed is not null && cpuPercent is not null)
        {
            var fact = new CountersRead(
                at, before is { } b ? at.MsSince(b) : null, (int)workers, (long)queueLength,
                // The first increment and the first processor share also cover a time before the session, so both are left out.
                before is null ? null : (long)completed, new CpuUse(null, before is null ? null : cpuPercent / 100));
            counterSamples.FromCounters(fact, sink);
            before = at;
            (workers, queueLength, completed, cpuPercent) = (null, null, null, null);
        }
    }

    /// <summary>Discards the current sample if one of its counters arrives again, because then an event of this sample was lost.</summary>
    void BeginAnewWhenSeen(string? name)
    {
        var seen = name switch
        {
            "threadpool-thread-count" => workers,
            "threadpool-queue-length" => queueLength,
            "threadpool-completed-items-count" => completed,
            "cpu-usage" => cpuPercent,
            _ => null,
        };
        if (seen is not null)
        {
            (workers, queueLength, completed, cpuPercent) = (null, null, null, null);
        }
    }

    void Take(string? name, IDictionary<string, object> counter)
    {
        switch (name)
        {
            case "threadpool-thread-count": workers = Number(counter, "Mean"); break;
            case "threadpool-queue-length": queueLength = Number(counter, "Mean"); break;
            case "threadpool-completed-items-count": completed = Number(counter, "Increment"); break;
            case "cpu-usage": cpuPercent = Number(counter, "Mean"); break;
        }
    }

    static double? Number(IDictionary<string, object> counter, string field) =>
        counter.TryGetValue(field, out var value) ? Convert.ToDouble(value, CultureInfo.InvariantCulture) : null;
}
