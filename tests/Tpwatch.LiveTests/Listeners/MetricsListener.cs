using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Diagnostics.Tracing;
using Tpwatch.Core;
using Tpwatch.Sessions;

namespace Tpwatch.LiveTests.Listeners;

/// <summary>Another tool that reads the target's meters, with the very settings of dotnet-counters but for the interval.</summary>
sealed class MetricsListener
{
    public const string ProviderName = "System.Diagnostics.Metrics";
    const int CollectionStop = 3;
    static readonly int[] Errors = [9, 15, 17];

    readonly string client = Guid.NewGuid().ToString();
    readonly ConcurrentQueue<EventTime> collections = new();
    readonly ConcurrentQueue<string> errors = new();

    MetricsListener(int seconds) => Provider = new(ProviderName, EventLevel.Informational, 2, new Dictionary<string, string>
    {
        ["SessionId"] = "SHARED",
        ["Metrics"] = "System.Runtime",
        ["RefreshInterval"] = seconds.ToString(CultureInfo.InvariantCulture),
        ["MaxTimeSeries"] = "1000",
        ["MaxHistograms"] = "10",
        ["ClientId"] = client,
    }.ToImmutableSortedDictionary(StringComparer.Ordinal));

    PlannedProvider Provider { get; }

    /// <summary>Moments at which a collection ended, oldest first.</summary>
    public EventTime[] Collections => [.. collections];

    /// <summary>Complaints of the runtime that name this listener.</summary>
    public string[] ErrorsOfOurs => [.. errors];

    public static async Task<(MetricsListener Listener, SecondListener Session)> OpenAsync(int pid, int seconds, CancellationToken cancel)
    {
        var listener = new MetricsListener(seconds);
        return (listener, await SecondListener.OpenAsync(pid, listener.Subscribe, cancel, listener.Provider));
    }

    void Subscribe(EventPipeEventSource source) => source.Dynamic.AddCallbackForProviderEvents(
        (provider, _) => provider == ProviderName ? EventFilterResponse.AcceptEvent : EventFilterResponse.RejectProvider, Read);

    void Read(TraceEvent e)
    {
        if ((int)e.ID == CollectionStop)
        {
#pragma warning disable CS0618 // on Linux the stream's ticks are event time
            collections.Enqueue(new(e.TimeStampQPC));
#pragma warning restore CS0618
        }
        else if (Errors.Contains((int)e.ID) && Convert.ToString(e.PayloadByName("clientId"), CultureInfo.InvariantCulture) is var named
            && (named?.Length is 0 or null || named == client))
        {
            errors.Enqueue(e.ToString());
        }
    }
}
