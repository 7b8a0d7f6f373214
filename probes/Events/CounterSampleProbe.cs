using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads counter samples on .NET 8 and earlier, from the runtime's event counters. All listeners of the process share the smallest
/// requested interval, even after the listener that requested it has left; tpwatch warns of this before an attach. With a null interval,
/// the probe requests no counters, and only reads event counters that another listener has enabled.
/// </summary>
sealed class CounterSampleProbe(TimeSpan? interval, CounterSource counterSamples) : IProbe
{
    const string Workers = "threadpool-thread-count";
    const string QueueLength = "threadpool-queue-length";
    const string Completed = "threadpool-completed-items-count";
    const string CpuPercent = "cpu-usage";

    /// <summary>The counters of a sample, each with the field that has its value.</summary>
    static readonly ImmutableDictionary<string, string> Fields = new Dictionary<string, string>
    {
        [Workers] = "Mean", [QueueLength] = "Mean", [Completed] = "Increment", [CpuPercent] = "Mean",
    }.ToImmutableDictionary(StringComparer.Ordinal);

    readonly Dictionary<string, double> seen = new(StringComparer.Ordinal);
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

        if (name is not string known || !Fields.TryGetValue(known, out var field))
        {
            return;
        }

        if (seen.ContainsKey(known))
        {
            // A counter that arrives again shows that an event of this sample was lost.
            seen.Clear();
        }

        if (counter.TryGetValue(field, out var value))
        {
            seen[known] = Convert.ToDouble(value, CultureInfo.InvariantCulture);
        }

        if (seen.Count == Fields.Count)
        {
            // The first increment and the first processor share also cover a time before the session, so both are left out.
            var fact = new CountersRead(
                at, before is { } b ? at.MsSince(b) : null, (int)seen[Workers], (long)seen[QueueLength],
                before is null ? null : (long)seen[Completed], new CpuUse(null, before is null ? null : seen[CpuPercent] / 100));
            counterSamples.FromCounters(fact, sink);
            before = at;
            seen.Clear();
        }
    }
}
