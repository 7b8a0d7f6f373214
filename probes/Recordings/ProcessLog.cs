using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// The readings of the process that a recording keeps, bounded. The sampler leaves out what says nothing new already; when there are too
/// many all the same, every second goes, but none that tells of a stop.
/// </summary>
sealed class ProcessLog
{
    // Four hours of a machine so busy that every second says something; 2 MB of side-car.
    const int MostReadings = 16_384;

    readonly List<ProcessReading> kept = [];

    /// <summary>What was kept, oldest first.</summary>
    public IReadOnlyList<ProcessReading> Readings => kept;

    /// <summary>Takes the next reading.</summary>
    public void Add(ProcessReading reading)
    {
        if (kept.Count >= MostReadings)
        {
            ProcessReading[] fewer = [.. kept.Where((r, i) => i % 2 == 0 || r.StoppedSince is not null).TakeLast(MostReadings / 2)];
            kept.Clear();
            kept.AddRange(fewer);
        }

        kept.Add(reading);
    }
}
