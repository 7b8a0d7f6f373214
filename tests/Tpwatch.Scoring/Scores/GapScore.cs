using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

/// <summary>How well the waits of a run are accounted for.</summary>
/// <param name="Timed">Closed waits that a rule with a clock judged, of all but those with a loss inside.</param>
/// <param name="Inside">Of those, the ones that lie in a window of at most 20 ms.</param>
/// <param name="Widened">Of those, the ones that fit in a wider window only: wider by what kept the
/// process from running, as seen from outside.</param>
/// <param name="Excused">Of those late, how many the machine made late by the fixture's own hiccup
/// log; they count as outside all the same.</param>
/// <param name="Unexplained">Closed waits that no rule explains, of all but those with a loss inside.</param>
readonly record struct GapScore(Share Timed, Share Inside, Share Widened, Share Excused, Share Unexplained)
{
    /// <summary>A window of 20 ms, and what rounding makes of it.</summary>
    const double WidestMs = 20.001;

    public static GapScore Of(PoolReport report, RunTruth truth)
    {
        var closed = report.InjectionDelays.Where(g => g.Verdict is not (DelayVerdict.Open or DelayVerdict.NoData) && g.IsWait).ToArray();
        var timed = closed.Where(HasClock).ToArray();
        var late = timed.Where(g => g.Verdict == DelayVerdict.Late).ToArray();
        return new(
            new(timed.Length, closed.Length),
            new(timed.Count(IsInside), timed.Length),
            new(timed.Count(g => g.Verdict == DelayVerdict.AsExpected && !IsInside(g)), timed.Length),
            new(late.Count(g => TrueStandstill.Excuses(g, truth)), late.Length),
            new(closed.Count(g => g.Verdict == DelayVerdict.NoRule || g.Mechanism == Mechanism.None), closed.Length));
    }

    public static GapScore operator +(GapScore one, GapScore other) => new(
        one.Timed + other.Timed, one.Inside + other.Inside, one.Widened + other.Widened,
        one.Excused + other.Excused, one.Unexplained + other.Unexplained);

    /// <summary>
    /// A silent wait is proven by counters, without a moment at which a worker had to come; then it fits without a window.
    /// </summary>
    static bool HasClock(InjectionDelay delay) => delay.Verdict is DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule
        || delay is { Verdict: DelayVerdict.AsExpected, Windows.IsEmpty: false };

    static bool IsInside(InjectionDelay delay) => delay.Verdict == DelayVerdict.AsExpected && delay.ObservedMs is { } ms
        && delay.Windows.Any(w => w.MaxMs - w.MinMs <= WidestMs && w.MinMs <= ms && ms <= w.MaxMs);
}
