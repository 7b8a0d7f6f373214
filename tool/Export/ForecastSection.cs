using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>The forecast if nothing else happens, and the score of earlier predictions.</summary>
sealed record ForecastSection(
    double At, NextInjectionSection? NextInjection, QueueEmptySection? BacklogGone,
    StartDelaySection? StartDelayOfNewItem, ScoreSection Score)
{
    /// <summary>Converts a forecast; null if the report has none.</summary>
    public static ForecastSection? Of(PoolForecast? forecast, TimelineSnapshot timeline) => forecast is null ? null : new(
        Numbers.At(timeline, forecast.At), NextInjectionSection.Of(forecast.NextInjection, forecast.At),
        QueueEmptySection.Of(forecast.QueueEmpty, timeline), StartDelaySection.Of(forecast.StartDelayOfNewItem, timeline),
        ScoreSection.Of(forecast.Score));
}

/// <summary>The next thread injection; countdown and windows in milliseconds after the forecast's moment.</summary>
sealed record NextInjectionSection(double? InMs, IReadOnlyList<WindowSection> Windows, string? Rule, string Condition, bool Sure)
{
    /// <summary>Converts the part of the forecast; null if it is not known.</summary>
    public static NextInjectionSection? Of(NextInjection? next, EventTime now) => next is null ? null : new(
        Numbers.Ms(next.At.MsSince(now)),
        [.. next.Windows.Select(w => new WindowSection(Numbers.Ms(w.From.MsSince(now)), Numbers.Ms(w.To.MsSince(now))))],
        Words.Code(next.Mechanism), next.Condition, next.Sure);
}

/// <summary>When the queue becomes empty, in milliseconds after the start of the capture.</summary>
sealed record QueueEmptySection(double? AtMs, bool Never, string Basis)
{
    /// <summary>Converts the part of the forecast; null if it is not known.</summary>
    public static QueueEmptySection? Of(QueueEmpty? gone, TimelineSnapshot timeline) => gone is null ? null : new(
        gone.At is { } at ? Numbers.At(timeline, at) : null, gone.Never, gone.Basis);
}

/// <summary>The expected queue time of an item queued at <paramref name="At"/>, milliseconds.</summary>
sealed record StartDelaySection(double At, double? MinMs, double? MaxMs, double? EstimateMs, string Basis)
{
    /// <summary>Converts the part of the forecast; null if it is not known.</summary>
    public static StartDelaySection? Of(StartDelay? delay, TimelineSnapshot timeline) => delay is null ? null : new(
        Numbers.At(timeline, delay.At), Numbers.Ms(delay.MinMs), Numbers.Ms(delay.MaxMs), Numbers.Ms(delay.EstimateMs), delay.Basis);
}

/// <summary>The score of this capture's predictions. Start delays are no longer scored; the schema keeps the field.</summary>
sealed record ScoreSection(
    int Made, int Right, int NotForeseeable, int ConditionNotMet, int Unknown, int Missed, int Invented,
    CheckScoreSection Ticks, StepScoreSection Steps, object? StartDelays = null)
{
    /// <summary>Converts the part of the forecast; null if it is not known.</summary>
    public static ScoreSection Of(ForecastScore s) => new(
        s.Made, s.Right, s.NotForeseeable, s.ConditionNotMet, s.Unknown, s.Missed, s.Invented,
        new(s.Ticks.Made, s.Ticks.Right, s.Ticks.SureMade, s.Ticks.SureRight, s.Ticks.ConstantTwoRight), new(s.Steps.Made, s.Steps.Right));
}

/// <summary>Predicted gate checks, compared with the constant answer "second check". Errors in time are no longer counted.</summary>
sealed record CheckScoreSection(
    int Made, int Right, int SureMade, int SureRight, int ConstantTwoRight,
    double? ErrorP50Ms = null, double? ErrorP95Ms = null);

/// <summary>Predicted steps of blocking compensation. Errors in time are no longer counted.</summary>
sealed record StepScoreSection(int Made, int Right, double? ErrorP50Ms = null, double? ErrorP95Ms = null);
