using Tpwatch.Core;
using Tpwatch.Events;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>What can be done with a fact that is kept as data.</summary>
static class FactData
{
    public static EventTime At(object fact) => fact switch
    {
        StreamOpened f => f.At,
        TargetThreadsChanged f => f.At,
        ThroughputSampled f => f.At,
        WorkerStarted f => f.At,
        WorkerStopped f => f.At,
        WorkerWaited f => f.At,
        ThreadCreated f => f.At,
        ThreadBegan f => f.At,
        LimitsChanged f => f.At,
        CountersRead f => f.At,
        IntervalOverruled f => f.At,
        ProcessorsCounted f => f.At,
        SwitchSeen f => f.At,
        ThreadsSuspended f => f.At,
        ProcessSampled f => f.At,
        ClockSeen f => f.At,
        EventsLost f => f.At,
        EventUndecodable f => f.At,
        _ => throw new ArgumentException($"{fact.GetType().Name} is no fact", nameof(fact)),
    };

    /// <summary>The same fact so much later.</summary>
    public static object Later(object fact, double ms) => fact switch
    {
        StreamOpened f => f with { At = f.At.PlusMs(ms), Utc = f.Utc.AddMilliseconds(ms) },
        TargetThreadsChanged f => f with { At = f.At.PlusMs(ms) },
        ThroughputSampled f => f with { At = f.At.PlusMs(ms) },
        WorkerStarted f => f with { At = f.At.PlusMs(ms) },
        WorkerStopped f => f with { At = f.At.PlusMs(ms) },
        WorkerWaited f => f with { At = f.At.PlusMs(ms) },
        ThreadCreated f => f with { At = f.At.PlusMs(ms) },
        ThreadBegan f => f with { At = f.At.PlusMs(ms) },
        LimitsChanged f => f with { At = f.At.PlusMs(ms) },
        CountersRead f => f with { At = f.At.PlusMs(ms) },
        ProcessorsCounted f => f with { At = f.At.PlusMs(ms) },
        ClockSeen f => f with { Reading = f.Reading with { At = f.Reading.At.PlusMs(ms) } },
        EventsLost f => f with { At = f.At.PlusMs(ms) },
        ThreadsSuspended f => f with { At = f.At.PlusMs(ms) },
        _ => throw new ArgumentException($"{fact.GetType().Name} is not shifted anywhere yet", nameof(fact)),
    };

    public static void Tell(this IFactSink sink, object fact)
    {
        switch (fact)
        {
            case StreamOpened f: sink.On(f); break;
            case TargetThreadsChanged f: sink.On(f); break;
            case ThroughputSampled f: sink.On(f); break;
            case WorkerStarted f: sink.On(f); break;
            case WorkerStopped f: sink.On(f); break;
            case WorkerWaited f: sink.On(f); break;
            case ThreadCreated f: sink.On(f); break;
            case ThreadBegan f: sink.On(f); break;
            case LimitsChanged f: sink.On(f); break;
            case CountersRead f: sink.On(f); break;
            case IntervalOverruled f: sink.On(f); break;
            case ProcessorsCounted f: sink.On(f); break;
            case SwitchSeen f: sink.On(f); break;
            case ThreadsSuspended f: sink.On(f); break;
            case ProcessSampled f: sink.On(f); break;
            case ClockSeen f: sink.On(f); break;
            case EventsLost f: sink.On(f); break;
            case EventUndecodable f: sink.On(f); break;
            default: throw new ArgumentException($"{fact.GetType().Name} is no fact", nameof(fact));
        }
    }
}
