using System.Collections.Immutable;
using Tpwatch.Basics;

namespace Tpwatch.Reports;

/// <summary>What became of a predicted injection.</summary>
enum PredictionOutcome
{
    /// <summary>It came when it was said to come: in the predicted tick, or in the window of the predicted step.</summary>
    Right,

    /// <summary>It came at another moment.</summary>
    Wrong,

    /// <summary>
    /// It was right or wrong, but the stream brings a fact later than it was due, so nobody could have read the prediction in time.
    /// </summary>
    NotForeseeable,

    /// <summary>
    /// Its condition did not hold: items completed meanwhile, nothing waited any more, another rule moved the goal, the process did not
    /// run, or no worker came and max, which was not known, may have been reached.
    /// </summary>
    ConditionNotMet,

    /// <summary>Whether its condition held is not known: no heartbeat covers it, or events were lost.</summary>
    Unknown,

    /// <summary>Its condition held, and no worker came.</summary>
    Invented,

    /// <summary>The other way round: a worker came although the rules said that none would.</summary>
    Missed,
}

/// <summary>A predicted injection and what became of it.</summary>
/// <param name="Made">The injection from which it was foretold; it rests on that fact and those before it.</param>
/// <param name="Expected">The moment foretold; for <see cref="PredictionOutcome.Missed"/> the moment it came.</param>
/// <param name="Mechanism">The mechanism: a gate tick or a cooperative step.</param>
/// <param name="Ticks">Which tick after <see cref="Made"/>; null for a step.</param>
/// <param name="Sure">Whether it was almost certain, in so far as such moments scatter on this machine.</param>
sealed record InjectionPrediction(EventTime Made, EventTime Expected, Mechanism Mechanism, int? Ticks, bool Sure)
{
    /// <summary>
    /// How late the gate's looks were as a rule when it was made, milliseconds: by more than a
    /// few where the target keeps its processors busy.
    /// </summary>
    public double UsuallyLateMs { get; init; }

    /// <summary>How likely it was to come then, 0 to 1, by what was known.</summary>
    internal double Chance { get; init; } = 1;

    /// <summary>When the injection came; null when none did.</summary>
    public EventTime? Came { get; init; }

    /// <summary>Which tick it really was; null for a step, and when none came.</summary>
    public int? CameTicks { get; init; }

    /// <summary>What became of it.</summary>
    public PredictionOutcome Outcome { get; init; }

    /// <summary>How much later than foretold it came, milliseconds; negative when earlier.</summary>
    public double? ErrorMs => Came?.MsSince(Expected);

    /// <summary>Whether it counts as right or wrong.</summary>
    public bool IsScored => Outcome is PredictionOutcome.Right or PredictionOutcome.Wrong;
}

/// <summary>Predictions of gate ticks that were scored.</summary>
/// <param name="Made">So many.</param>
/// <param name="Right">The number of ticks was right.</param>
/// <param name="SureMade">So many were called sure.</param>
/// <param name="SureRight">So many of those were right.</param>
/// <param name="ConstantTwoRight">So many the constant answer "two ticks" would have got right.</param>
/// <param name="Error">By how much the moment was off where the number was right.</param>
sealed record TickScore(int Made, int Right, int SureMade, int SureRight, int ConstantTwoRight, ErrorSpread Error);

/// <summary>Predictions of cooperative steps that were scored.</summary>
/// <param name="Made">So many.</param>
/// <param name="Right">The step came within its window of 20 ms.</param>
/// <param name="Error">By how much the countdown was off, of all.</param>
sealed record StepScore(int Made, int Right, ErrorSpread Error);

/// <summary>
/// Estimates of the start delay of a new item, scored from the counters: as many items were taken as waited then, by completions and
/// workers that came.
/// </summary>
/// <param name="Made">Estimates whose end has been seen.</param>
/// <param name="MedianError">Median relative error of those, a share; null when there are none.</param>
/// <param name="WithinBand">So many ends lay between the smallest and the largest value given, give or take a heartbeat.</param>
/// <param name="Bounds">Lower bounds whose end has been seen.</param>
/// <param name="BoundsBroken">So many of those were above the truth.</param>
sealed record StartDelayScore(int Made, double? MedianError, int WithinBand, int Bounds, int BoundsBroken);

/// <summary>How large errors were, without their sign, milliseconds; null when there are none.</summary>
sealed record ErrorSpread(double? P50Ms, double? P95Ms)
{
    /// <summary>Of the newest errors.</summary>
    public static ErrorSpread Of(IEnumerable<double> errors)
    {
        var sorted = errors.Select(Math.Abs).Order().ToArray();
        return sorted.Length == 0 ? new(null, null) : new(At(sorted, 0.5), At(sorted, 0.95));
    }

    static double At(double[] sorted, double share) => sorted[Math.Min(sorted.Length - 1, (int)(share * sorted.Length))];
}

/// <summary>What became of all predictions of this capture.</summary>
sealed record ForecastScore
{
    /// <summary>Nothing was predicted yet.</summary>
    public static ForecastScore None { get; } = new();

    /// <summary>Of gate ticks.</summary>
    public TickScore Ticks { get; init; } = new(0, 0, 0, 0, 0, new(null, null));

    /// <summary>Of cooperative steps.</summary>
    public StepScore Steps { get; init; } = new(0, 0, new(null, null));

    /// <summary>Of start delays.</summary>
    public StartDelayScore StartDelays { get; init; } = new(0, null, 0, 0, 0);

    /// <summary>Predictions of injections that count as right or wrong.</summary>
    public int Made => Ticks.Made + Steps.Made;

    /// <summary>Right ones among them.</summary>
    public int Right => Ticks.Right + Steps.Right;

    /// <summary>Injections that came sooner than the stream tells of what they follow from.</summary>
    public int NotForeseeable { get; init; }

    /// <summary>Predictions whose condition did not hold.</summary>
    public int ConditionNotMet { get; init; }

    /// <summary>Predictions of which it is not known whether their condition held.</summary>
    public int Unknown { get; init; }

    /// <summary>Injections that came although none was foretold.</summary>
    public int Missed { get; init; }

    /// <summary>Injections that were foretold and did not come.</summary>
    public int Invented { get; init; }

    /// <summary>The newest predictions with what became of them, oldest first; bounded.</summary>
    public ImmutableArray<InjectionPrediction> Predictions { get; init; } = [];
}
