using Tpwatch.Reports;

namespace Tpwatch.Sessions;

/// <summary>Samples a target and its machine from outside the process for as long as a session lasts.</summary>
interface ISampling : IDisposable
{
    /// <summary>Whether the process was stopped at the last sample; null if that cannot be seen.</summary>
    bool? IsStopped { get; }

    /// <summary>Reports whether items wait; only then must samples be close together.</summary>
    void ItemsWait(bool now);

    /// <summary>
    /// Ends the sampling with one last sample, so that the sums in the readings cover the whole session. Callers call this method before
    /// the stream ends, so that the sample is read.
    /// </summary>
    void Conclude();

    /// <summary>Takes the oldest clock reading if it was taken no later than <paramref name="until"/>.</summary>
    bool TryTake(EventTime until, out ClockReading reading);

    /// <summary>Takes the oldest process reading if it was taken no later than <paramref name="until"/>.</summary>
    bool TryTake(EventTime until, out ProcessReading reading);
}
