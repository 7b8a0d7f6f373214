using System.Collections.Immutable;
using Tpwatch.Benchmarks.Runs;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>What was said before it came, against what came. Lists, since a median over all runs needs every one.</summary>
/// <param name="Ticks">Injections by the gate of which the number of ticks was right.</param>
/// <param name="SureTicks">Those of which the tool said that it was sure.</param>
/// <param name="TwoTicks">The same injections by the constant answer "two ticks".</param>
/// <param name="TimeErrorsMs">Error of the time where the number was right.</param>
/// <param name="CountdownErrorsMs">Error of the countdown to a cooperative step that was foreseeable.</param>
/// <param name="StartDelayErrors">Error of the start delay of an item queued now, as a share of the true one.</param>
internal sealed record PredictionScore(
    Share Ticks, Share SureTicks, Share TwoTicks,
    ImmutableArray<double> TimeErrorsMs, ImmutableArray<double> CountdownErrorsMs, ImmutableArray<double> StartDelayErrors)
{
    public static PredictionScore None { get; } = new(default, default, default, [], [], []);

    public static PredictionScore Of(AttachedRun run) => None with { TwoTicks = ConstantAnswer.Of(run.Report) };

    public static PredictionScore operator +(PredictionScore one, PredictionScore other) => new(
        one.Ticks + other.Ticks, one.SureTicks + other.SureTicks, one.TwoTicks + other.TwoTicks,
        [.. one.TimeErrorsMs, .. other.TimeErrorsMs], [.. one.CountdownErrorsMs, .. other.CountdownErrorsMs],
        [.. one.StartDelayErrors, .. other.StartDelayErrors]);
}
