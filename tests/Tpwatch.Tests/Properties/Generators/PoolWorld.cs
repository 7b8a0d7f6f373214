using System.Collections.Immutable;
using System.Globalization;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// A program with its pool, and how it is watched: everything that a simulated life needs.
/// Generated, and made smaller when a law fails in it.
/// </summary>
/// <param name="Processors">As the runtime counts them.</param>
/// <param name="Min">Min workers from the start.</param>
/// <param name="Max">Max workers from the start.</param>
/// <param name="Seconds">How long it is watched.</param>
sealed record PoolWorld(int Processors, int Min, int Max, double Seconds)
{
    /// <summary>The runtime's default on 64 bits.</summary>
    public const int NoMax = 32_767;

    public ImmutableArray<Load> Loads { get; init; } = [];

    /// <summary>Calls of SetMinThreads and SetMaxThreads from inside the program.</summary>
    public ImmutableArray<LimitCall> Calls { get; init; } = [];

    /// <summary>Changes of the goal by hill climbing.</summary>
    public ImmutableArray<Climb> Climbs { get; init; } = [];

    /// <summary>Whether the pool adds workers for waits for tasks; not where memory counts as high, or it is switched off.</summary>
    public bool Compensates { get; init; } = true;

    /// <summary>Step of the clock by which the gate measures, milliseconds.</summary>
    public double ClockStepMs { get; init; } = 1;

    /// <summary>How late the gate wakes at most beyond the usual, milliseconds.</summary>
    public double NoiseMs { get; init; }

    /// <summary>When the watcher attaches, milliseconds after the start; 0: it launched the program and sees everything.</summary>
    public double AttachMs { get; init; }

    /// <summary>From one reading of the counters to the next.</summary>
    public double BeatMs { get; init; } = 1000;

    /// <summary>From attaching to the first reading.</summary>
    public double FirstBeatMs { get; init; } = 100;

    /// <summary>In which order the three counters are read.</summary>
    public ReadingOrder Order { get; init; }

    /// <summary>From the first of the three to the last, milliseconds.</summary>
    public double SkewMs { get; init; }

    public override string ToString()
    {
        var said = new List<string>
        {
            string.Create(
                CultureInfo.InvariantCulture, $"{Processors} processors, min {Min}, max {(Max == NoMax ? "none" : Max)}, {Seconds} s"),
            string.Join(" + ", Loads),
        };
        said.AddRange(Calls.Select(call => call.ToString()));
        said.AddRange(Climbs.Select(climb => climb.ToString()));
        AddIf(said, !Compensates, $"no compensation");
        AddIf(said, ClockStepMs != 1, $"clock of {ClockStepMs} ms");
        AddIf(said, NoiseMs > 0, $"noise {NoiseMs} ms");
        AddIf(said, AttachMs > 0, $"attached at {AttachMs} ms");
        said.Add($"read every {BeatMs} ms from {FirstBeatMs} ms on");
        AddIf(said, SkewMs > 0, $"{Order} within {SkewMs} ms");
        return string.Join("; ", said);
    }

    static void AddIf(List<string> said, bool applies, FormattableString what)
    {
        if (applies)
        {
            said.Add(FormattableString.Invariant(what));
        }
    }
}

/// <summary>The order in which a heartbeat's counters are read.</summary>
enum ReadingOrder
{
    WorkersQueueCompleted,
    WorkersCompletedQueue,
    QueueWorkersCompleted,
    QueueCompletedWorkers,
    CompletedWorkersQueue,
    CompletedQueueWorkers,
}

/// <summary>The program sets min and max.</summary>
readonly record struct LimitCall(double AtMs, int Min, int Max)
{
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"min {Min} and max {Max} set at {AtMs}");
}

/// <summary>Hill climbing moves the goal; never below min, never above max.</summary>
readonly record struct Climb(double AtMs, int By)
{
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"climbs by {By} at {AtMs}");
}
