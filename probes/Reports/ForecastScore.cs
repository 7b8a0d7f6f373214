namespace Tpwatch.Reports;

/// <summary>The outcome of a predicted injection.</summary>
enum PredictionOutcome
{
    /// <summary>The injection came at the predicted gate check, or in the window of the predicted compensation step.</summary>
    Right,

    /// <summary>The injection came at another moment.</summary>
    Wrong,

    /// <summary>
    /// The stream delivered a fact only after the injection was due, so no reader could have seen the prediction in time, right or wrong.
    /// </summary>
    NotForeseeable,

    /// <summary>
    /// The condition of the prediction did not hold: items completed meanwhile, the queue became empty, another rule changed the target
    /// thread count, the process did not run, or no thread came and MaxThreads, which was not known, may have been reached.
    /// </summary>
    ConditionNotMet,

    /// <summary>It is unknown whether the condition held: no counter sample covers it, or events were lost.</summary>
    Unknown,

    /// <summary>The condition held, and no injection came.</summary>
    Invented,

    /// <summary>An injection came although the rules predicted none.</summary>
    Missed,
}

/// <summary>Scores of predicted gate checks.</summary>
/// <param name="Made">Number of predictions.</param>
/// <param name="Right">Predictions with the right number of gate checks.</param>
/// <param name="SureMade">Predictions that were marked certain.</param>
/// <param name="SureRight">Right ones among those that were marked certain.</param>
/// <param name="ConstantTwoRight">Predictions that the constant answer "two gate checks" would have got right.</param>
sealed record CheckScore(int Made, int Right, int SureMade, int SureRight, int ConstantTwoRight);

/// <summary>Scores of predicted steps of blocking compensation.</summary>
/// <param name="Made">Number of predictions.</param>
/// <param name="Right">Predictions whose step came within its window of 20 ms.</param>
sealed record StepScore(int Made, int Right);

/// <summary>The outcomes of all predictions of this capture.</summary>
sealed record ForecastScore
{
    /// <summary>A score without any prediction.</summary>
    public static ForecastScore None { get; } = new();

    /// <summary>Predictions of gate checks.</summary>
    public CheckScore Ticks { get; init; } = new(0, 0, 0, 0, 0);

    /// <summary>Predictions of blocking compensation steps.</summary>
    public StepScore Steps { get; init; } = new(0, 0);

    /// <summary>Number of predicted injections that were right or wrong.</summary>
    public int Made => Ticks.Made + Steps.Made;

    /// <summary>Number of those that were right.</summary>
    public int Right => Ticks.Right + Steps.Right;

    /// <summary>Number of injections that came before the stream delivered the facts that they follow from.</summary>
    public int NotForeseeable { get; init; }

    /// <summary>Number of predictions whose condition did not hold.</summary>
    public int ConditionNotMet { get; init; }

    /// <summary>Number of predictions for which it is unknown whether their condition held.</summary>
    public int Unknown { get; init; }

    /// <summary>Number of injections that came although none was predicted.</summary>
    public int Missed { get; init; }

    /// <summary>Number of injections that were predicted and did not come.</summary>
    public int Invented { get; init; }
}
