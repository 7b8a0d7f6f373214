using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>One letter per adjustment or wait. A column shows the most important; different letters of equal rank become a star.</summary>
static class MarkerLane
{
    const char Several = '*';

    public static void DrawReasons(Pane plot, IEnumerable<Gap> gaps, TimeWindow window)
    {
        foreach (var column in gaps.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)))
        {
            var marks = Winners(column).Select(GapMark.Of).ToList();
            plot.Put(column.Key, 0, marks.Exists(m => m.Letter != marks[0].Letter) ? Several : marks[0].Letter, marks[0].Role);
        }
    }

    /// <summary>The most important events of a column, which are drawn.</summary>
    public static IEnumerable<Gap> Winners(IEnumerable<Gap> column)
    {
        var first = column.Min(gap => GapMark.Of(gap).Rank);
        return column.Where(gap => GapMark.Of(gap).Rank == first);
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
