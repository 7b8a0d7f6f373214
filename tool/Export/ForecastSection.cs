using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>What comes next if nothing else happens, and how good such predictions have been.</summary>
sealed record ForecastSection(
    double At, NextInjectionSection? NextInjection, BacklogGoneSection? BacklogGone,
    StartDelaySection? StartDelayOfNewItem, ScoreSection Score)
{
    /// <summary>From the vocabulary's own; null where nobody was asked.</summary>
    public static ForecastSection? Of(PoolForecast? forecast, TimelineSnapshot timeline) => forecast is null ? null : new(
        Numbers.At(timeline, forecast.At), NextInjectionSection.Of(forecast.NextInjection, forecast.At),
        BacklogGoneSection.Of(forecast.BacklogGone, timeline), StartDelaySection.Of(forecast.StartDelayOfNewItem, timeline),
        ScoreSection.Of(forecast.Score));
}

/// <summary>The next worker; countdown and windows in milliseconds after the forecast's moment.</summary>
sealed record NextInjectionSection(double? InMs, IReadOnlyList<WindowSection> Windows, string? Rule, string Condition, bool Sure)
{
    /// <summary>From the vocabulary's own.</summary>
    public static NextInjectionSection? Of(NextInjection? next, EventTime now) => next is null ? null : new(
        Numbers.Ms(next.At.MsSince(now)),
        [.. next.Windows.Select(w => new WindowSection(Numbers.Ms(w.From.MsSince(now)), Numbers.Ms(w.To.MsSince(now))))],
        Words.Code(next.Mechanism), next.Condition, next.Sure);
}

/// <summary>When the backlog is gone; the moment in milliseconds after the start of the capture.</summary>
sealed record BacklogGoneSection(double? AtMs, bool Never, string Basis)
{
    /// <summary>From the vocabulary's own.</summary>
    public static BacklogGoneSection? Of(BacklogGone? gone, TimelineSnapshot timeline) => gone is null ? null : new(
        gone.At is { } at ? Numbers.At(timeline, at) : null, gone.Never, gone.Basis);
}

/// <summary>How long an item queued at <paramref name="At"/> waits.</summary>
sealed record StartDelaySection(double At, double? MinMs, double? MaxMs, double? EstimateMs, string Basis)
{
    /// <summary>From the vocabulary's own.</summary>
    public static StartDelaySection? Of(StartDelay? delay, TimelineSnapshot timeline) => delay is null ? null : new(
        Numbers.At(timeline, delay.At), Numbers.Ms(delay.MinMs), Numbers.Ms(delay.MaxMs), Numbers.Ms(delay.EstimateMs), delay.Basis);
}

/// <summary>What became of the predictions of this capture. Start delays are not scored any more; a schema keeps its fields.</summary>
sealed record ScoreSection(
    int Made, int Right, int NotForeseeable, int ConditionNotMet, int Unknown, int Missed, int Invented,
    TickScoreSection Ticks, StepScoreSection Steps, object? StartDelays = null)
{
    /// <summary>From the vocabulary's own.</summary>
    public static ScoreSection Of(ForecastScore s) => new(
        s.Made, s.Right, s.NotForeseeable, s.ConditionNotMet, s.Unknown, s.Missed, s.Invented,
        new(s.Ticks.Made, s.Ticks.Right, s.Ticks.SureMade, s.Ticks.SureRight, s.Ticks.ConstantTwoRight), new(s.Steps.Made, s.Steps.Right));
}

/// <summary>Predicted gate ticks, beside the constant answer "two ticks". Errors in time are not counted any more.</summary>
sealed record TickScoreSection(
    int Made, int Right, int SureMade, int SureRight, int ConstantTwoRight,
    double? ErrorP50Ms = null, double? ErrorP95Ms = null);

/// <summary>Predicted cooperative steps. Errors in time are not counted any more.</summary>
sealed record StepScoreSection(int Made, int Right, double? ErrorP50Ms = null, double? ErrorP95Ms = null);
