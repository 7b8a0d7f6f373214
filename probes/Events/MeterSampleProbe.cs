using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads counter samples on .NET 9 and later: three meters of the pool, and the process's processor time. The probe uses the shared metrics
/// session with exactly the settings of dotnet-counters, so that tpwatch and dotnet-counters do not disturb each other. If another listener
/// came first with other settings, the runtime sends an error event, and values arrive at that listener's interval.
/// </summary>
sealed class MeterSampleProbe(TimeSpan interval, CounterSource counterSamples) : IProbe
{
    /// <summary>Prefix of tpwatch's client ids, which distinguishes errors for tpwatch from errors for other listeners.</summary>
    const string ClientPrefix = "tpwatch-";

    public const string Provider = "System.Diagnostics.Metrics";
    const string Meter = "System.Runtime";
    const long TimeSeriesValues = 0x2;
    const int CollectionStop = 3;
    const int CounterRate = 4;
    const int Error = 9;
    const int MultipleSessionsNotSupported = 15;
    const int UpDownCounterRate = 16;
    const int MultipleSessionsConfiguredIncorrectly = 17;

    readonly MeterReading reading = new();

    public ProviderNeed Need { get; } = new(Provider, ProviderNeed.Informational, TimeSeriesValues, new Dictionary<string, string>
    {
        ["SessionId"] = "SHARED",
        ["Metrics"] = string.Join(',', MeterReading.Instruments.Select(i => $@"{Meter}\{i}")),
        ["RefreshInterval"] = interval.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture),
        ["MaxTimeSeries"] = "1000",
        ["MaxHistograms"] = "10",
        ["ClientId"] = ClientPrefix + Guid.NewGuid().ToString("N"),
    });

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Dynamic.AddCallbackForProviderEvents(
            (provider, _) => provider == Provider ? EventFilterResponse.AcceptEvent : EventFilterResponse.RejectProvider,
            e => Read(e, clock.At(e), sink));

    void Read(TraceEvent e, EventTime at, IFactSink sink)
    {
        switch ((int)e.ID)
        {
            case CounterRate or UpDownCounterRate when Text(e, "meterName") == Meter:
                reading.Take(Text(e, "instrumentName"), Text(e, "tags"), Text(e, "value"));
                break;
            case CollectionStop when reading.Finish(at) is { } fact:
                counterSamples.FromMeters(fact, sink);
                break;
            case Error or MultipleSessionsNotSupported or MultipleSessionsConfiguredIncorrectly:
                Overruled(e, at, sink);
                break;
        }
    }

    /// <summary>Reports an error event with tpwatch's client id, or with no client id, as older runtimes send it.</summary>
    void Overruled(TraceEvent e, EventTime at, IFactSink sink)
    {
        var client = Text(e, "clientId");
        if (client.Length == 0 || client.StartsWith(ClientPrefix, StringComparison.Ordinal))
        {
            sink.On(new IntervalOverruled(at, Message(e)) { IntervalMs = Imposed(e) });
        }
    }

    static string Message(TraceEvent e) => (int)e.ID switch
    {
        MultipleSessionsConfiguredIncorrectly => "another tool listens already; the process sends counters every "
            + Text(e, "expectedRefreshInterval") + " s, as that tool asked, not every " + Text(e, "actualRefreshInterval") + " s",
        MultipleSessionsNotSupported => "another tool holds this runtime's only metrics session",
        _ => Text(e, "errorMessage"),
    };

    static double? Imposed(TraceEvent e) => (int)e.ID == MultipleSessionsConfiguredIncorrectly
        && double.TryParse(Text(e, "expectedRefreshInterval"), NumberStyles.Float, CultureInfo.InvariantCulture, out var seconds)
        && seconds > 0
            ? seconds * 1000
            : null;

    static string Text(TraceEvent e, string field) => Convert.ToString(e.PayloadByName(field), CultureInfo.InvariantCulture) ?? "";
}

/// <summary>Collects the values of one counter sample. Each instrument and tag set has its own event with an absolute value.</summary>
sealed class MeterReading
{
    const string Threads = "dotnet.thread_pool.thread.count";
    const string Queue = "dotnet.thread_pool.queue.length";
    const string Items = "dotnet.thread_pool.work_item.count";
    const string CpuTime = "dotnet.process.cpu.time";

    public static readonly string[] Instruments = [Threads, Queue, Items, CpuTime];

    double? threads;
    double? queue;
    double? items;
    double? cpuSeconds;
    double? itemsBefore;
    double? cpuBefore;
    EventTime? before;

    public void Take(string instrument, string tags, string value)
    {
        if (!double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number))
        {
            return;
        }

        switch (instrument)
        {
            case Threads: threads = number; break;
            case Queue: queue = number; break;
            case Items: items = number; break;
            // User time and system time arrive as separate time series; the runtime's rule uses their sum.
            case CpuTime when tags.Contains("cpu.mode", StringComparison.Ordinal): cpuSeconds = (cpuSeconds ?? 0) + number; break;
        }
    }

    /// <summary>Returns the collected values as a counter sample; null if no value of the pool arrived.</summary>
    public CountersRead? Finish(EventTime at)
    {
        CountersRead? fact = threads is null && queue is null && items is null
            ? null
            : new CountersRead(
                at, before is { } b ? at.MsSince(b) : null, (int?)threads, (long?)queue,
                (long?)Grown(items, itemsBefore), new CpuUse(Grown(cpuSeconds, cpuBefore), null));
        if (fact is not null)
        {
            // A value that this counter sample lacks becomes null here, so that the next difference does not cover two intervals.
            (before, itemsBefore, cpuBefore) = (at, items, cpuSeconds);
        }

        (threads, queue, items, cpuSeconds) = (null, null, null, null);
        return fact;
    }

    static double? Grown(double? now, double? then) => now is { } n && then is { } t && n >= t ? n - t : null;
}
