using Tpwatch.Reports;

namespace Tpwatch.Recordings;

/// <summary>
/// The process readings of a recording, bounded. The sampler already leaves out readings without new information; above the limit, every
/// second reading is removed, except those that show a stop.
/// </summary>
sealed class ProcessLog
{
    // Four hours on a machine so busy that every reading per second has new information; 2 MB in the side-car.
    const int MostReadings = 16_384;

    readonly List<ProcessReading> kept = [];

    /// <summary>The kept readings, oldest first.</summary>
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
