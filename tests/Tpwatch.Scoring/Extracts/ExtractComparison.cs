using System.Globalization;
using Tpwatch.Events;
using Tpwatch.Recordings;
using Tpwatch.Reports;

namespace Tpwatch.Scoring.Extracts;

/// <summary>
/// A recording read twice: by the library alone, and by way of its extract. Both must tell the same facts in the same order, and end alike.
/// </summary>
/// <param name="Difference">The first fact in which they differ; null where there is none.</param>
/// <param name="ReadAsItIs">Why there is no extract, as a part of a sentence; null where there is one.</param>
/// <param name="Facts">How many there are.</param>
sealed record ExtractComparison(string? Difference, string? ReadAsItIs, int Facts)
{
    /// <summary>Reads a file with the probes of a recording, or with those of the pool alone, which leave more of it out.</summary>
    public static async Task<ExtractComparison> OfAsync(string file, bool poolAlone)
    {
        var (whole, end, _) = await ReadAsync(file, poolAlone, asExtract: false);
        var (left, endOfExtract, why) = await ReadAsync(file, poolAlone, asExtract: true);
        var difference = Enumerable.Range(0, Math.Max(whole.Count, left.Count))
            .Where(i => i >= whole.Count || i >= left.Count || !whole[i].Equals(left[i]))
            .Select(i => $"fact {i} of {whole.Count}: {whole.ElementAtOrDefault(i)}, by the extract {left.ElementAtOrDefault(i)}")
            .FirstOrDefault();
        return new(difference ?? (end == endOfExtract ? null : $"{end}, by the extract {endOfExtract}"), why, whole.Count);
    }

    static async Task<(IReadOnlyList<IFact> Facts, SessionEnd End, string? Why)> ReadAsync(string file, bool poolAlone, bool asExtract)
    {
        await using var session = RecordedSession.Open(file);
        var probes = poolAlone ? ProbeSet.Basic(runtimeMajor: null, counterSample: null) : ProbeSet.ForRecording();
        FactLog log = new();
        var extract = asExtract ? session.Extract(probes.Wanted()) : null;
        var whole = new EventDecoder(session, probes).Decode(new(extract ?? session.Events), log);
        return (log.Facts, session.Ended(whole), extract?.Why);
    }
}

/// <summary>Every fact in order, so that two readings of one stream can be compared. Whatever is made of facts follows from them.</summary>
sealed class FactLog : IFactSink
{
    readonly List<IFact> facts = [];

    /// <summary>As they came.</summary>
    public IReadOnlyList<IFact> Facts => facts;

    public void On(in StreamOpened fact) => facts.Add(fact);
    public void On(in TargetThreadsChanged fact) => facts.Add(fact);
    public void On(in ThroughputSampled fact) => facts.Add(fact);
    public void On(in WorkerStarted fact) => facts.Add(fact);
    public void On(in WorkerStopped fact) => facts.Add(fact);
    public void On(in WorkerWaited fact) => facts.Add(fact);
    public void On(in ThreadCreated fact) => facts.Add(fact);
    public void On(in ThreadBegan fact) => facts.Add(fact);
    public void On(in LimitsChanged fact) => facts.Add(fact);
    public void On(in CountersRead fact) => facts.Add(fact);
    public void On(in IntervalOverruled fact) => facts.Add(fact);
    public void On(in ProcessorsCounted fact) => facts.Add(fact);
    public void On(in SwitchSeen fact) => facts.Add(fact);
    public void On(in ThreadsSuspended fact) => facts.Add(fact);
    public void On(in ProcessSampled fact) => facts.Add(fact);
    public void On(in ClockSeen fact) => facts.Add(fact);
    public void On(in EventsLost fact) => facts.Add(fact);
    public void On(in EventUndecodable fact) => facts.Add(fact);
}

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
