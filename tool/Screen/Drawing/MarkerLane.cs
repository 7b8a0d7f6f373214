using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>Draws one letter per adjustment or wait; in a column the most important one, or a star for equal ranks.</summary>
static class MarkerLane
{
    const char Several = '*';

    public static void DrawReasons(Pane plot, IEnumerable<InjectionDelay> delays, TimeWindow window)
    {
        foreach (var column in delays.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)))
        {
            var marks = Winners(column).Select(DelayMark.Of).ToList();
            plot.Put(column.Key, 0, marks.Exists(m => m.Letter != marks[0].Letter) ? Several : marks[0].Letter, marks[0].Role);
        }
    }

    /// <summary>Returns the most important events of a column, which are drawn.</summary>
    public static IEnumerable<InjectionDelay> Winners(IEnumerable<InjectionDelay> column)
    {
        var first = column.Min(delay => DelayMark.Of(delay).Rank);
        return column.Where(delay => DelayMark.Of(delay).Rank == first);
    }

    public static void DrawVerdicts(Pane plot, IEnumerable<InjectionDelay> delays, TimeWindow window)
    {
        foreach (var column in delays.Where(g => window.Shows(g.End)).GroupBy(g => window.XOf(g.End)))
        {
            var (mark, role) = Letter(column.MinBy(g => Rank(g.Verdict))!.Verdict);
            plot.Put(column.Key, 0, mark, role);
        }
    }

    /// <summary>One character for a judgement; blank if not timed.</summary>
    static (char Mark, Role Role) Letter(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.AsExpected => ('=', Role.AsExpected),
        DelayVerdict.Early or DelayVerdict.Late => ('!', Role.Alarm),
        DelayVerdict.NoRule => ('?', Role.Alarm),
        DelayVerdict.NoData => ('x', Role.Lost),
        DelayVerdict.Open => ('o', Role.Starvation),
        _ => (' ', Role.Text),
    };

    static int Rank(DelayVerdict verdict) => verdict switch
    {
        DelayVerdict.NoRule => 0,
        DelayVerdict.Early or DelayVerdict.Late => 1,
        DelayVerdict.Open => 2,
        DelayVerdict.NoData => 3,
        DelayVerdict.AsExpected => 4,
        _ => 5,
    };
}
