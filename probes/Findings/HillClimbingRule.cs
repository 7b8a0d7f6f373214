using System.Globalization;
using Tpwatch.Basics;
using Tpwatch.Findings.Clues;
using Tpwatch.Findings.Remedies;
using Tpwatch.Reports;

namespace Tpwatch.Findings;

/// <summary>Hill climbing moves the goal: harmless, unless it takes workers back while items wait and the processors are idle.</summary>
sealed class HillClimbingRule : IFindingRule
{
    /// <summary>One step down may be a probe that comes back; the second one while items still wait is a habit.</summary>
    const int WorthWarning = 2;

    public string Id => "TPW012";

    public string Title => "Hill-climbing moves";

    public RuleText Text { get; } = new(
        "As items end, the pool tries a worker more and a worker less and looks whether more items end for it. Steps up and down every few "
            + "hundred milliseconds are that probe, and no growth. "
        + "With few or long items it reads noise, and takes workers back that the waiting items need.",
        "The adjustment events with reasons Warmup to Stabilizing, and heartbeats that say whether items waited.",
        "Nothing, while nothing waits. Otherwise items that are short and do not block, since throughput then tells the pool the truth; "
            + "min or switching hill climbing off serve until then.",
        "Where the items' own dependency is the limit (a lock, a database), fewer workers are as good, and the step down is right.");

    public RuleAnswer Look(PoolReport report)
    {
        var moves = report.Gaps.Where(g =>
            g.Reason is <= AdjustmentReason.Stabilizing && g.GoalBefore is { } before && g.GoalAfter is { } after && after != before)
            .ToArray();
        if (moves.Length == 0)
        {
            return Unseen.ClearUnless(Unseen.Events(report, "a move"), Unseen.Older(report));
        }

        var taken = moves
            .Where(g => g.GoalAfter < g.GoalBefore && g.Backlog > 0 && Waits.ForWorkers(report).Any(e => e.Span.Touches(new(g.End, g.End))))
            .ToArray();
        return new RuleAnswer.Found(
            taken.Length >= WorthWarning && Waits.IsStarving(report) ? Harmful(report, moves, taken) : Harmless(report, moves));
    }

    Finding Harmless(PoolReport report, Gap[] moves)
    {
        var (net, wave) = (Trend(moves), Wave(moves));
        return new(
            Id, Title, Severity.Note, Confidence.High, moves[0].End, moves[^1].End,
            $"Hill climbing moved the goal {(moves.Length == 1 ? "once" : $"{Format.Count(moves.Length)} times")}"
            + (Math.Abs(net) <= wave
                ? ", up and down around the same number: its probe, no growth."
                : $", by {Signed(net)} workers in all.") + " That is harmless.",
            [.. Evidence(report, moves)],
            [new("Nothing: that is how the pool measures whether another worker pays.")]);
    }

    Finding Harmful(PoolReport report, Gap[] moves, Gap[] taken) => new(
        Id, Title, Severity.Warning, Confidence.Medium, moves[0].End, moves[^1].End,
        $"Hill climbing took workers back {Format.Count(taken.Length)} times while items waited; "
            + $"in all it moved the goal by {Signed(Trend(moves))}.",
        [
            new("Steps down while items waited", taken.Length, "adjustments", "event 55"),
            .. Evidence(report, moves),
        ],
        [
            new("Make the items short and let them await: with items that block, what ends in a few hundred "
                + "milliseconds tells the pool nothing."),
            MinThreadsRemedy.Of(report),
            new(
                "Where that does not serve: switch hill climbing off; then only the gate and task waits add workers.",
                "DOTNET_HillClimbing_Disable=1 (hexadecimal), or \"System.Threading.ThreadPool.HillClimbing.Disable\": "
                    + "true in runtimeconfig.json"),
        ]);

    static Evidence[] Evidence(PoolReport report, Gap[] moves)
    {
        var goals = moves.SelectMany(g => new[] { g.GoalBefore!.Value, g.GoalAfter!.Value }).ToArray();
        return
        [
            new("Moves", moves.Length, "adjustments", "event 55"),
            new("Lowest goal of them", goals.Min(), "workers", "event 55"),
            new("Highest goal of them", goals.Max(), "workers", "event 55"),
            new("Net of them", Trend(moves), "workers", "event 55"),
            new("Completions", Completions(report), "a second", "heartbeat"),
        ];
    }

    // The sum of its own steps: what other rules added or took between them is not its doing.
    static int Trend(Gap[] moves) => moves.Sum(g => g.GoalAfter!.Value - g.GoalBefore!.Value);

    static double Wave(Gap[] moves) => moves.Average(g => Math.Abs(g.GoalAfter!.Value - g.GoalBefore!.Value));

    static double? Completions(PoolReport report)
    {
        var counted = report.Timeline.Heartbeats.Where(b => b is { Completed: not null, IntervalMs: > 0 }).ToArray();
        return counted.Length == 0 ? null : counted.Sum(b => b.Completed!.Value) * 1000 / counted.Sum(b => b.IntervalMs!.Value);
    }

    static string Signed(int workers) => workers.ToString("+0;-0;0", CultureInfo.InvariantCulture);
}
