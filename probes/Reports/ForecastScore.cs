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

/// <summary>Predictions of gate ticks that were scored.</summary>
/// <param name="Made">So many.</param>
/// <param name="Right">The number of ticks was right.</param>
/// <param name="SureMade">So many were called sure.</param>
/// <param name="SureRight">So many of those were right.</param>
/// <param name="ConstantTwoRight">So many the constant answer "two ticks" would have got right.</param>
sealed record TickScore(int Made, int Right, int SureMade, int SureRight, int ConstantTwoRight);

/// <summary>Predictions of cooperative steps that were scored.</summary>
/// <param name="Made">So many.</param>
/// <param name="Right">The step came within its window of 20 ms.</param>
sealed record StepScore(int Made, int Right);

/// <summary>What became of all predictions of this capture.</summary>
sealed record ForecastScore
{
    /// <summary>Nothing was predicted yet.</summary>
    public static ForecastScore None { get; } = new();

    /// <summary>Of gate ticks.</summary>
    public TickScore Ticks { get; init; } = new(0, 0, 0, 0, 0);

    /// <summary>Of cooperative steps.</summary>
    public StepScore Steps { get; init; } = new(0, 0);

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
}
