using Microsoft.Diagnostics.Tracing;

namespace Tpwatch.Events;

/// <summary>
/// Reads events 1 and 2 of System.Runtime, which the runtime sends on every attach: AppContext switches (keyword 1) and the processor count
/// (keyword 2). The TraceEvent library has no typed class for these events.
/// </summary>
sealed class SystemRuntimeProbe : IProbe
{
    public const string Provider = "System.Runtime";
    const int AppContextSwitch = 1;
    const int ProcessorCount = 2;

    public ProviderNeed Need { get; } = new(Provider, ProviderNeed.Informational, 0x3);

    public void Subscribe(EventPipeEventSource source, EventClock clock, IFactSink sink) =>
        source.Dynamic.AddCallbackForProviderEvents(
            (provider, name) => provider != Provider ? EventFilterResponse.RejectProvider
                : name == "EventCounters" ? EventFilterResponse.RejectEvent : EventFilterResponse.AcceptEvent,
            e => Read(e, clock, sink));

    static void Read(TraceEvent e, EventClock clock, IFactSink sink)
    {
        switch ((int)e.ID)
        {
            case AppContextSwitch when e.PayloadNames.Length >= 2 && Number(e, 1) is { } on:
                sink.On(new SwitchSeen(clock.At(e), Convert.ToString(e.PayloadValue(0), CultureInfo.InvariantCulture) ?? "", on != 0));
                break;
            case ProcessorCount when e.PayloadNames.Length >= 1 && Number(e, 0) is > 0 and { } count:
                sink.On(new ProcessorsCounted(clock.At(e), count));
                break;
            case AppContextSwitch or ProcessorCount:
                sink.On(new EventUndecodable(clock.At(e), e.EventName));
                break;
        }
    }

    static int? Number(TraceEvent e, int index) =>
        int.TryParse(Convert.ToString(e.PayloadValue(index), CultureInfo.InvariantCulture), CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
}
