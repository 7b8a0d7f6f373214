using System.Numerics;

namespace Tpwatch.Reports;

/// <summary>
/// How durations are put into buckets: 64 an octave, so that none is wider than 1.6 % of what it holds and its middle is at most 0.8 % off.
/// Nanoseconds below 64 have a bucket each; above nine hours all are in the last.
/// </summary>
static class DurationBuckets
{
    const int Bits = 6;
    const int AnOctave = 1 << Bits;
    const int LargestShift = 39;

    /// <summary>How many there are.</summary>
    public const int Count = (LargestShift + 2) * AnOctave;

    /// <summary>The bucket of a duration in nanoseconds; what is negative (another processor's clock) belongs to the first.</summary>
    public static int IndexOf(long nanoseconds)
    {
        if (nanoseconds < AnOctave)
        {
            return (int)Math.Max(0, nanoseconds);
        }

        var shift = BitOperations.Log2((ulong)nanoseconds) - Bits;
        return shift > LargestShift ? Count - 1 : shift * AnOctave + (int)(nanoseconds >> shift);
    }

    /// <summary>Shortest duration of a bucket, nanoseconds; that of the next is the first it does not hold.</summary>
    public static long FromNs(int index)
    {
        var shift = Math.Max(0, index / AnOctave - 1);
        return (long)(index - shift * AnOctave) << shift;
    }
}
