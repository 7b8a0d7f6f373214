using Tpwatch.Render.Shared;
using Tpwatch.Reports;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Lanes;

/// <summary>One letter a decision of the pool. The most important wins a column; equals that differ become a star.</summary>
static class MarkerLane
{
    const char Several = '*';

    public static void DrawReasons(Pane plot, IEnumerable<Gap> gaps, TimeWindow window)
    {
        foreach (var column in gaps.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)))
        {
            var marks = column.Select(GapMark.Of).ToList();
            var first = marks.MinBy(m => m.Rank)!;
            var letter = marks.Any(m => m.Rank == first.Rank && m.Letter != first.Letter) ? Several : first.Letter;
            plot.Put(column.Key, 0, letter, first.Role);
        }
    }

    public static void DrawVerdicts(Pane plot, IEnumerable<Gap> gaps, TimeWindow window)
    {
        foreach (var column in gaps.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)))
        {
            var (mark, role) = VerdictWords.Letter(column.MinBy(g => Rank(g.Verdict))!.Verdict);
            plot.Put(column.Key, 0, mark, role);
        }
    }

    static int Rank(GapVerdict verdict) => verdict switch
    {
        GapVerdict.NoRule => 0,
        GapVerdict.Early or GapVerdict.Late => 1,
        GapVerdict.Open => 2,
        GapVerdict.NoData => 3,
        GapVerdict.Fits => 4,
        _ => 5,
    };
}
