using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Views;

/// <summary>What the moves of hill climbing come to.</summary>
/// <param name="Summary">Numbers, as many as fit on a line.</param>
/// <param name="Sentence">Whether they harm, and what is not known.</param>
sealed record ClimbReading(ImmutableArray<string> Summary, string Sentence)
{
    /// <summary>A heartbeat before and after: the one in which the move fell holds both.</summary>
    const double HeartbeatMs = 1000;

    /// <summary>Rates vary by so much from one heartbeat to the next without any cause.</summary>
    const double Noise = 0.05;

    /// <summary>
    /// Up and down by so many workers, or so large a share of the goal, is what the algorithm does all the time: it tries.
    /// </summary>
    const int SmallSwing = 2;

    const double SmallShare = 0.2;

    public static ClimbReading Of(Scene scene)
    {
        var moves = GapRows.Climbing(scene);
        var net = moves.Sum(g => (g.GoalAfter - g.GoalBefore) ?? 0);
        var counts = moves.GroupBy(GapMark.Of).Select(g => $"{g.Key.Letter}{Format.Brief(g.Count())}");
        var forced = scene.Events.Count(GapMark.IsInjection);
        return new(
            [
                $"{Format.Plural(moves.Length, "adjustment")} {string.Join(' ', counts)}".TrimEnd(),
                FormattableString.Invariant($"net {net:+0;-0;0}"),
                moves.IsEmpty ? "" : $"largest swing {Format.Brief(Swing(moves))}",
                $"{Format.Plural(forced, "injection")} by other rules",
            ],
            Judgement(scene, moves) + (scene.Timeline.Heartbeats.IsEmpty && scene.Timeline.Levels.CompletedPerSecond is null
                ? " Without counter samples the items per second are not known."
                : " Items per second are from the counter samples."));
    }

    /// <summary>Items per second in the heartbeat before the move and in the one after: <c>418 -> 452</c>.</summary>
    public static string Rates(Scene scene, Gap move)
    {
        var (before, after) = Around(scene, move);
        return $"{Rate(before)} -> {Rate(after)}";
    }

    /// <summary>What the move is, and what followed it.</summary>
    public static string Meaning(Scene scene, Gap move)
    {
        switch (move.Reason)
        {
            case AdjustmentReason.Warmup: return "first measurements";
            case AdjustmentReason.Initializing: return "starts again";
            case AdjustmentReason.RandomMove: return "a random try";
            case AdjustmentReason.Stabilizing: return "settles";
        }

        var (before, after) = Around(scene, move);
        var change = before > 0 ? after / before - 1 : double.NaN;
        return (move.GoalAfter - move.GoalBefore) switch
        {
            null => "",
            0 => "no change",
            var threads when double.IsNaN(change) =>
                $"{(threads is 1 or -1 ? "one thread" : "threads")} {(threads > 0 ? "more" : "fewer")}",
            > 0 => Math.Abs(change) <= Noise ? "more, no effect" : $"more threads; items/s {Signed(change)}",
            _ => Math.Abs(change) <= Noise ? "fewer, no loss" : $"fewer, then items/s {Signed(change)}",
        };
    }

    // Only what followed: other things change with the threads.
    static string Signed(double change) => $"{(change > 0 ? "+" : "-")}{Format.Percent(Math.Abs(change))}";

    static (double Before, double After) Around(Scene scene, Gap move) =>
        (RateAt(scene.Timeline, move.End.PlusMs(-HeartbeatMs)), RateAt(scene.Timeline, move.End.PlusMs(HeartbeatMs)));

    static double RateAt(TimelineSnapshot timeline, EventTime at) =>
        at > timeline.Now ? double.NaN : timeline.Buckets[timeline.Buckets.IndexOf(at)].CompletedPerSecond;

    static string Rate(double rate) => double.IsNaN(rate) ? "?" : Format.Brief(rate);

    // Over moves that follow one another: what the gate forced in between is not hill climbing's doing.
    static int Swing(ImmutableArray<Gap> moves)
    {
        var (swing, min, max, last) = (0, 0, 0, (int?)null);
        foreach (var move in moves.Reverse())
        {
            if (move is not { GoalBefore: { } before, GoalAfter: { } after })
            {
                continue;
            }

            (min, max) = before == last ? (Math.Min(min, after), Math.Max(max, after)) : (Math.Min(before, after), Math.Max(before, after));
            (swing, last) = (Math.Max(swing, max - min), after);
        }

        return swing;
    }

    // The rule knows more than this view; what it says counts.
    static string Judgement(Scene scene, ImmutableArray<Gap> moves)
    {
        if (scene.Report.Findings.FirstOrDefault(f => f.Id == Scene.ClimbingRule) is { } finding)
        {
            return $"{finding.Id}: {finding.Headline}";
        }

        if (moves.IsEmpty)
        {
            return "Hill climbing changed nothing: it acts when items complete, and does nothing while the pool starves.";
        }

        var (swing, goal) = (Swing(moves), moves.Max(g => g.GoalAfter ?? 0));
        return swing <= Math.Max(SmallSwing, goal * SmallShare)
            ? $"Normal: hill climbing changes the target by at most {Format.Plural(swing, "thread")}, "
                + "to measure whether more items complete."
            : $"Wide: hill climbing changed the target by up to {Format.Plural(swing, "thread")}. That does harm if more threads "
                + "complete no more items.";
    }
}
