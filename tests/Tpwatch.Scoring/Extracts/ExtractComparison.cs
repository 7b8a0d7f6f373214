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
