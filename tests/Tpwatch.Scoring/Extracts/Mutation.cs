using System.Globalization;

namespace Tpwatch.Scoring.Extracts;

/// <summary>A recording damaged in one of many ways, the same each time a number is given.</summary>
static class Mutation
{
    /// <summary>What makes a recording a recording.</summary>
    const int Signature = 32;

    const int MostChanges = 8;
    const int LongestPart = 4096;

    /// <summary>The bytes of the damaged recording, and what was done to it.</summary>
    public static (byte[] Bytes, string What) Of(byte[] whole, int number)
    {
        var random = new Random(number);
        var what = number.ToString(CultureInfo.InvariantCulture);
        return random.Next(6) switch
        {
            0 => (whole[..random.Next(Signature, whole.Length)], $"{what}: cut"),
            1 => (Without(whole, random), $"{what}: a part is missing"),
            2 => (Twice(whole, random), $"{what}: a part twice"),
            _ => (Flipped(whole, random), $"{what}: flipped"),
        };
    }

    static byte[] Flipped(byte[] whole, Random random)
    {
        var bytes = whole.ToArray();
        for (var i = random.Next(1, MostChanges); i > 0; i--)
        {
            bytes[random.Next(Signature, bytes.Length)] ^= (byte)random.Next(1, 256);
        }

        return bytes;
    }

    static byte[] Without(byte[] whole, Random random)
    {
        var (from, length) = Part(whole, random);
        return [.. whole[..from], .. whole[(from + length)..]];
    }

    static byte[] Twice(byte[] whole, Random random)
    {
        var (from, length) = Part(whole, random);
        return [.. whole[..(from + length)], .. whole[from..]];
    }

    static (int From, int Length) Part(byte[] whole, Random random)
    {
        var from = random.Next(Signature, whole.Length - 1);
        return (from, random.Next(1, Math.Min(LongestPart, whole.Length - from)));
    }
}
