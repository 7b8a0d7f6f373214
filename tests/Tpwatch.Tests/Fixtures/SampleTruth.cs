using System.Collections.Immutable;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Tests.Fixtures;

/// <summary>Truths made by hand; times in milliseconds after the run began.</summary>
static class SampleTruth
{
    const long Begin = 5_000_000_000;

    public static RunTruth Of(double endMs, params (double Enqueued, double? Started, double? Ended, int Thread)[] items) => new(
        Header(),
        [.. items.Select((item, id) => new TruthItem
        {
            Id = id,
            Enqueued = At(item.Enqueued),
            Started = item.Started is { } started ? At(started) : null,
            Ended = item.Ended is { } ended ? At(ended) : null,
            ManagedThread = item.Started is null ? null : item.Thread,
            OsThread = item.Started is null ? null : 4_000 + item.Thread,
        })],
        [new TruthHiccup { At = At(3), OvershootMs = 2.345 }],
        new TruthEnd
        {
            At = At(endMs),
            Queued = items.Length,
            Started = items.Count(item => item.Started is not null),
            Completed = items.Count(item => item.Ended is not null),
            Because = "time",
        });

    static TruthHeader Header() => new()
    {
        Scenario = "pool-burst",
        Options = ImmutableSortedDictionary<string, long?>.Empty.Add("items", 3).Add("min", null),
        Processors = 8,
        MinWorkers = 8,
        MaxWorkers = 32_767,
        SettingCalls = [new SettingCall("SetMaxThreads(4, 1000)", Answered: false)],
        StopwatchFrequency = 1_000_000_000,
        Anchor = new ClockAnchor(new DateTime(2026, 11, 21, 2, 29, 6, 600, DateTimeKind.Utc), Begin),
        Pid = 4_242,
        Runtime = ".NET 10.0.12",
    };

    /// <summary>The same with what the program noted besides its items.</summary>
    public static RunTruth Noting(this RunTruth truth, params (string Name, double Value)[] figures) => truth with
    {
        Figures = [.. figures.Select(figure => new TruthFigure { Name = figure.Name, Value = figure.Value, Unit = "ms", At = At(1) })],
    };

    /// <summary>The same with other options and another min.</summary>
    public static RunTruth With(this RunTruth truth, int min, params (string Name, long Value)[] options) => truth with
    {
        Header = truth.Header with
        {
            MinWorkers = min,
            Options = options.ToImmutableSortedDictionary(option => option.Name, option => (long?)option.Value),
        },
    };

    static long At(double ms) => Begin + (long)(ms * 1e6);
}
