using System.Numerics;

namespace Tpwatch.Reports;

/// <summary>
/// Maps durations to buckets, 64 per octave: a bucket's width is 1.6 % of its durations or less, and its middle is 0.8 % off or less.
/// Durations below 64 ns have one bucket per nanosecond; the last bucket holds all above nine hours.
/// </summary>
static class DurationBuckets
{
    const int Bits = 6;
    const int AnOctave = 1 << Bits;
    const int LargestShift = 39;

    /// <summary>Number of buckets.</summary>
    public const int Count = (LargestShift + 2) * AnOctave;

    /// <summary>
    /// The bucket of a duration in nanoseconds; a negative duration (from the clock of another processor) belongs to the first bucket.
    /// </summary>
    public static int IndexOf(long nanoseconds)
    {
        if (nanoseconds < AnOctave)
        {
            return (int)Math.Max(0, nanoseconds);
        }

        var shift = BitOperations.Log2((ulong)nanoseconds) - Bits;
        return shift > LargestShift ? Count - 1 : shift * AnOctave + (int)(nanoseconds >> shift);
    }

    /// <summary>Shortest duration of a bucket, nanoseconds; the bucket ends before the shortest duration of the next one.</summary>
    public static long FromNs(int index)
    {
        var shift = Math.Max(0, index / AnOctave - 1);
        return (long)(index - shift * AnOctave) << shift;
    }
}
