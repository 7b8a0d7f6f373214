using Tpwatch.Core;

namespace Tpwatch.Scoring.Scores;

/// <summary>One measure of the table: what was to be reached, and what was.</summary>
/// <param name="Met">Whether the goal is met; null where there is none, or nothing was measured.</param>
sealed record ScoreRow(string Measure, string TargetThreads, string Measured, bool? Met)
{
    public static ScoreRow AtLeast(string measure, double targetThreads, Share share) =>
        new(measure, FormattableString.Invariant($"at least {targetThreads * 100:0} %"),
            share.ToString(), share.Of == 0 ? null : share.Ratio >= targetThreads);

    /// <summary>A share that another one of the same cases may not exceed.</summary>
    public static ScoreRow NotBelow(string measure, string targetThreads, Share share, Share other) =>
        new(measure, $"not below {targetThreads}", share.ToString(), share.Of == 0 ? null : share.Ratio >= other.Ratio);

    public static ScoreRow Under(string measure, double targetThreads, Share share) =>
        new(measure, FormattableString.Invariant($"under {targetThreads * 100:0} %"), share.ToString(), share.Of == 0 ? null
            : share.Ratio < targetThreads);

    public static ScoreRow Zero(string measure, int count, string of) => new(measure, "0", $"{Format.Count(count)} of {of}", count == 0);

    public static ScoreRow Without(string measure, string measured) => new(measure, "", measured, null);

    /// <summary>The goals of a command that prints these rows.</summary>
    public static Goals GoalsOf(IEnumerable<ScoreRow> rows) =>
        rows.Aggregate(new Goals(), (goals, row) => goals.Add($"{row.Measure}: {row.Measured}, goal {row.TargetThreads}",
            row.Met != false));

    /// <summary>A value of many errors, such as their median, that may be so large at most.</summary>
    public static ScoreRow AtMost(string measure, string targetThreads, (double Value, double Limit, string Text) error, int count) =>
        count == 0
        ? new(measure, targetThreads, "none", null)
        : new(measure, targetThreads, $"{error.Text} ({Format.Count(count)})", error.Value <= error.Limit);
}
