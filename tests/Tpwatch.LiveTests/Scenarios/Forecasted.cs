using System.Globalization;
using Tpwatch.Explain.WhatIf.Study;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>What was imagined of a changed run beside what became of it.</summary>
sealed record Forecasted(string Change, string Source, WhatIfFigures Imagined, IReadOnlyList<RunTruth> Real)
{
    /// <summary>A difference below this is none, milliseconds.</summary>
    const double NothingMs = 5;

    /// <summary>One in twenty.</summary>
    const double Share = 0.05;

    /// <summary>A machine that steals more than a fiftieth of the time is not quiet.</summary>
    const double QuietShare = 0.02;

    /// <summary>There one in six and 30 ms must do, and as much besides as the machine stole.</summary>
    const double LoadedShare = 0.15;

    const double LoadedMs = 30;

    /// <summary>Items as the fixture wrote them down itself.</summary>
    public const string Exact = "exact";

    static readonly CultureInfo Invariant = CultureInfo.InvariantCulture;

    double RealTotal => Median(truth => truth.TotalMs()!.Value);

    double RealDelay => Median(truth => truth.Waits().Average());

    double RealLatency => Median(truth => truth.Items.Average(item => truth.Ms(item.Enqueued, item.Ended!.Value)));

    int RealWorkers => (int)Median(truth => truth.Appearances().Length);

    /// <summary>Time in which the machine did not let the fixture run, as a share.</summary>
    public double Stolen => Median(truth => truth.Hiccups.Sum(hiccup => hiccup.OvershootMs) / truth.TotalMs()!.Value);

    /// <summary>The figures side by side.</summary>
    public string Line => string.Create(
        Invariant,
        $"{Change}, {Source}: total {Imagined.TotalMs:0.0} / {RealTotal:0.0} ms, start delay {Imagined.StartDelayMs:0.0} / {RealDelay:0.0} ms, "
        + $"latency {Imagined.LatencyMs:0.0} / {RealLatency:0.0} ms, workers {Imagined.PeakWorkers} / {RealWorkers}, stolen {Stolen:0.0%}");

    // Counters tell one kind of item and a second at a time: how near they come is printed, and kept to the wider bound.
    bool IsExact => Stolen <= QuietShare && Source == Exact;

    /// <summary>Items that start late on a busy machine meet at more workers, or at fewer.</summary>
    int WorkersOff => IsExact ? 1 : 1 + (int)(RealWorkers * LoadedShare);

    /// <summary>Total, latency and workers, each that is further off than one in twenty and 5 ms, from exact items on a quiet machine; none when it came true.</summary>
    public IReadOnlyList<string> Misses() =>
    [
        .. Near(Imagined.TotalMs, RealTotal) ? [] : new[] { $"total: {Line}" },
        .. Near(Imagined.LatencyMs, RealLatency) ? [] : new[] { $"latency: {Line}" },
        .. Math.Abs((Imagined.PeakWorkers ?? 0) - RealWorkers) <= WorkersOff ? [] : new[] { $"workers: {Line}" },
    ];

    bool Near(double? imagined, double real) => Math.Abs((imagined ?? 0) - real)
        <= (IsExact ? Math.Max(NothingMs, real * Share) : Math.Max(LoadedMs, real * (LoadedShare + Stolen)));

    double Median(Func<RunTruth, double> figure) => Real.Select(figure).Order().ElementAt(Real.Count / 2);
}
