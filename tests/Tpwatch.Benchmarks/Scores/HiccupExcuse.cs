using Tpwatch.Explain.Gaps;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Benchmarks.Scores;

/// <summary>Whether a late gap is late because the machine did not run the fixture, by what the fixture's own hiccup log says.</summary>
internal static class HiccupExcuse
{
    public static bool Holds(Gap gap, RunTruth truth)
    {
        if (gap is not { Verdict: GapVerdict.Late, Start: { } start, ObservedMs: { } observed })
            return false;
        var allowed = gap.Windows.Where(w => w.MaxMs < observed).Select(w => w.MaxMs).DefaultIfEmpty(double.MaxValue).Max();
        var stolen = truth.Hiccups
            .Where(h => new EventTime(h.At) >= start && new EventTime(h.At).PlusMs(-h.OvershootMs) <= gap.End)
            .Sum(h => h.OvershootMs);
        return stolen >= observed - allowed;
    }
}
