using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Reports;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Readings;

/// <summary>
/// A recorded stream as it came: no read goes beyond what had been delivered together, and whoever reads on has worked off what came
/// before. Tells that moment.
/// </summary>
/// <param name="inner">The stream.</param>
/// <param name="delivered">How much had come when; ascending.</param>
/// <param name="workedOff">Told the time of each delivery when all of it was read.</param>
sealed class DeliveredStream(Stream inner, ImmutableArray<Delivery> delivered, Action<EventTime> workedOff) : ForwardOnlyStream
{
    int next;
    long passed;

    public override int Read(Span<byte> buffer)
    {
        while (next < delivered.Length && passed >= delivered[next].Bytes)
        {
            workedOff(delivered[next++].At);
        }

        var together = next < delivered.Length ? (int)Math.Min(buffer.Length, delivered[next].Bytes - passed) : buffer.Length;
        var count = inner.Read(buffer[..together]);
        passed += count;
        return count;
    }
}

/// <summary>What somebody who looked at this moment could read of what comes next.</summary>
/// <param name="At">When it could be read: as much of the stream had come by then as the forecast rests on.</param>
/// <param name="Forecast">What was said.</param>
sealed record Reading(EventTime At, PoolForecast Forecast);
