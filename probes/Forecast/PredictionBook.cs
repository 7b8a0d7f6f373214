using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>Counts what became of predictions and keeps the newest, within bounds.</summary>
sealed class PredictionBook
{
    /// <summary>Predictions that are kept with their errors: a quarter of an hour of one a second.</summary>
    const int Capacity = 1000;

    /// <summary>The answer with which any prediction of ticks must be compared: right for three gaps in four.</summary>
    const int ConstantAnswer = 2;

    readonly List<InjectionPrediction> kept = [];
    readonly Dictionary<PredictionOutcome, int> outcomes = [];
    TickScore ticks = ForecastScore.None.Ticks;
    StepScore steps = ForecastScore.None.Steps;
    ForecastScore? score;

    /// <summary>The score so far; made anew only when something was added.</summary>
    public ForecastScore Score => score ??= Build();

    public void Add(InjectionPrediction prediction)
    {
        score = null;
        outcomes[prediction.Outcome] = Count(prediction.Outcome) + 1;
        if (prediction.IsScored && prediction.Ticks is not null)
        {
            AddTick(prediction);
        }
        else if (prediction.IsScored)
        {
            steps = steps with { Made = steps.Made + 1, Right = steps.Right + One(prediction.Outcome == PredictionOutcome.Right) };
        }

        kept.Add(prediction);
        if (kept.Count > Capacity)
        {
            kept.RemoveRange(0, Capacity / 10);
        }
    }

    void AddTick(InjectionPrediction prediction)
    {
        var right = prediction.Outcome == PredictionOutcome.Right;
        ticks = ticks with
        {
            Made = ticks.Made + 1,
            Right = ticks.Right + One(right),
            SureMade = ticks.SureMade + One(prediction.Sure),
            SureRight = ticks.SureRight + One(right && prediction.Sure),
            ConstantTwoRight = ticks.ConstantTwoRight + One(prediction.CameTicks == ConstantAnswer),
        };
    }

    ForecastScore Build() => new()
    {
        Ticks = ticks with { Error = Errors(p => p is { Ticks: not null, Outcome: PredictionOutcome.Right }) },
        Steps = steps with { Error = Errors(p => p is { Ticks: null, IsScored: true }) },
        NotForeseeable = Count(PredictionOutcome.NotForeseeable),
        ConditionNotMet = Count(PredictionOutcome.ConditionNotMet),
        Unknown = Count(PredictionOutcome.Unknown),
        Missed = Count(PredictionOutcome.Missed),
        Invented = Count(PredictionOutcome.Invented),
        Predictions = [.. kept],
    };

    ErrorSpread Errors(Func<InjectionPrediction, bool> which) =>
        ErrorSpread.Of(kept.Where(which).Select(p => p.ErrorMs).OfType<double>());

    int Count(PredictionOutcome outcome) => outcomes.GetValueOrDefault(outcome);

    static int One(bool yes) => yes ? 1 : 0;
}
