using Tpwatch.Core;
using Tpwatch.Events;

namespace Tpwatch.Benchmarks;

/// <summary>Keeps the facts of a recording, to hand them on as often as wanted, each time so many milliseconds later.</summary>
sealed class RepeatedFacts : IFactSink
{
    readonly List<Action<IFactSink, double>> facts = [];
    StreamOpened opened;
    EventTime last;

    public int Count => facts.Count;

    /// <summary>From the start of the stream to its newest fact, milliseconds.</summary>
    public double LengthMs => last.MsSince(opened.At);

    public void Open(IFactSink sink) => sink.On(opened);

    public void HandOn(IFactSink sink, double laterMs)
    {
        foreach (var fact in facts)
            fact(sink, laterMs);
    }

    public void On(in StreamOpened fact) => opened = fact;

    public void On(in TargetThreadsChanged fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in ThroughputSampled fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in WorkerStarted fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in WorkerStopped fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in WorkerWaited fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in ThreadCreated fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in ThreadBegan fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in LimitsChanged fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in CountersRead fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in IntervalOverruled fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in ProcessorsCounted fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in SwitchSeen fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in ThreadsSuspended fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in ProcessSampled fact) =>
        Keep(fact, opened.At, (s, f, ms) =>
            s.On(new ProcessSampled(f.Reading with { At = f.At.PlusMs(ms), StoppedSince = f.Reading.StoppedSince?.PlusMs(ms) })));

    // Readings may come after the newest event; they do not make the recording longer.
    public void On(in ClockSeen fact) =>
        Keep(fact, opened.At, (s, f, ms) => s.On(new ClockSeen(f.Reading with { At = f.At.PlusMs(ms) })));

    public void On(in EventsLost fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    public void On(in EventUndecodable fact) => Keep(fact, fact.At, (s, f, ms) => s.On(f with { At = f.At.PlusMs(ms) }));

    void Keep<T>(T fact, EventTime at, Action<IFactSink, T, double> handOn)
    {
        last = at > last ? at : last;
        facts.Add((sink, ms) => handOn(sink, fact, ms));
    }
}
