using Tpwatch.Core;
using Tpwatch.Reports;

namespace Tpwatch.Scoring.Readings;

/// <summary>What somebody who looked at this moment could read of what comes next.</summary>
/// <param name="At">When it could be read: as much of the stream had come by then as the forecast rests on.</param>
/// <param name="Forecast">What was said.</param>
sealed record Reading(EventTime At, PoolForecast Forecast);
