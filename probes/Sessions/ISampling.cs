using Tpwatch.Reports;

namespace Tpwatch.Sessions;

/// <summary>Looks at a target and its machine from outside for as long as a session lasts.</summary>
interface ISampling : IDisposable
{
    /// <summary>Whether the process was stopped at the last look; null where that cannot be seen.</summary>
    bool? IsStopped { get; }

    /// <summary>Told whether items wait: only then its looks must be close together.</summary>
    void ItemsWait(bool now);

    /// <summary>
    /// Ends the looks with one more, so that the sums cover all of the session; before its stream ends, for it to be read.
    /// </summary>
    void Conclude();

    /// <summary>The oldest reading of the clock, if it was taken until then.</summary>
    bool TryTake(EventTime until, out ClockReading reading);

    /// <summary>The oldest reading of the process, if it was taken until then.</summary>
    bool TryTake(EventTime until, out ProcessReading reading);
}
