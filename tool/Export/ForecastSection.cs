using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>JSON object for the forecast, which assumes that nothing else happens.</summary>
sealed record ForecastSection(
    double At, NextInjectionSection? NextInjection, QueueEmptySection? BacklogGone,
    StartDelaySection? StartDelayOfNewItem)
{
    /// <summary>Converts a forecast; null if the report has none.</summary>
    public static ForecastSection? Of(PoolForecast? forecast, TimelineSnapshot timeline) => forecast is null ? null : new(
        Numbers.At(timeline, forecast.At), NextInjectionSection.Of(forecast.NextInjection, forecast.At),
        QueueEmptySection.Of(forecast.QueueEmpty, timeline), StartDelaySection.Of(forecast.StartDelayOfNewItem, timeline));
}

/// <summary>The next thread injection; the countdown and the windows are in milliseconds after the time of the forecast.</summary>
sealed record NextInjectionSection(double? InMs, IReadOnlyList<WindowSection> Windows, string? Rule, string Condition, bool Sure)
{
    /// <summary>Converts the forecast of the next injection; null if it is not known.</summary>
    public static NextInjectionSection? Of(NextInjection? next, EventTime now) => next is null ? null : new(
        Numbers.Ms(next.At.MsSince(now)),
        [.. next.Windows.Select(w => new WindowSection(Numbers.Ms(w.From.MsSince(now)), Numbers.Ms(w.To.MsSince(now))))],
        Words.Code(next.Mechanism), next.Condition, next.Sure);
}

/// <summary>When the queue becomes empty, in milliseconds after the start of the capture.</summary>
sealed record QueueEmptySection(double? AtMs, bool Never, string Basis)
{
    /// <summary>Converts the forecast of the empty queue; null if it is not known.</summary>
    public static QueueEmptySection? Of(QueueEmpty? gone, TimelineSnapshot timeline) => gone is null ? null : new(
        gone.At is { } at ? Numbers.At(timeline, at) : null, gone.Never, gone.Basis);
}

/// <summary>The expected queue time of an item queued at <paramref name="At"/>; all in milliseconds.</summary>
sealed record StartDelaySection(double At, double? MinMs, double? MaxMs, double? EstimateMs, string Basis)
{
    /// <summary>Converts the forecast of the queue time; null if it is not known.</summary>
    public static StartDelaySection? Of(StartDelay? delay, TimelineSnapshot timeline) => delay is null ? null : new(
        Numbers.At(timeline, delay.At), Numbers.Ms(delay.MinMs), Numbers.Ms(delay.MaxMs), Numbers.Ms(delay.EstimateMs), delay.Basis);
}
