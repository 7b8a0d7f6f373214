using Tpwatch.Diagnosis;
using Tpwatch.Reports;

namespace Tpwatch.Tests.Replay;

/// <summary>
/// Every rule on real recordings: one that trips it, a near miss that must not, and the near miss again as a poor capture brought it, which
/// leaves the rule undecided.
/// </summary>
public sealed class RuleRecordingTests
{
    /// <summary>
    /// What no stored recording shows; their rules' own tests trip them with streams that are written by hand.
    /// </summary>
    static readonly Dictionary<string, string> Synthesised = new()
    {
        ["TPW019"] = "no stored recording has requests in it; services of the live tests trip it and pass it by",
    };

    /// <summary>
    /// The rule, the recording that trips it, and one that is near: the same symptom with another cause, or the same cause without harm.
    /// </summary>
    public static TheoryData<string, string, string> Cases => new()
    {
        { "TPW001", "pool-burst", "pool-burst-min-100" },
        { "TPW002", "sync-over-async", "web-async" },
        { "TPW003", "trickle", "steady" },
        { "TPW004", "idle-timeout", "healthy-burst" },
        { "TPW005", "ceiling", "pool-burst" },
        { "TPW006", "ten-counting-items", "count-alone" },
        { "TPW007", "Deep/mixed-blocking", "sync-over-async" },
        { "TPW008", "memory-veto", "sync-over-async" },
        { "TPW009", "pool-burst", "healthy-burst" },
        { "TPW010", "deadlock", "pool-burst" },
        { "TPW011", "late-callbacks", "steady" },
        { "TPW012", "oscillation", "pool-burst" },
        { "TPW013", "idle-timeout", "pool-burst" },
        { "TPW014", "suspended", "pool-burst" },
        { "TPW015", "one-processor", "pool-burst" },
        { "TPW016", "wedged", "pool-burst" },
        { "TPW017", "detector-disabled", "pool-burst" },
        { "TPW018", "held", "pool-burst" },
        { "TPW020", "Deep/parked", "pool-burst" },
        { "TPW021", "Deep/outside", "pool-burst" },
        { "TPW022", "Deep/lock-deadlock", "pool-burst" },
    };

    [Fact]
    public void Every_rule_has_its_recordings() =>
        Assert.Equal(FindingRuleSet.All.Select(rule => rule.Id).Order(),
            Cases.Select(row => row.Data.Item1).Concat(Synthesised.Keys).Order());

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_rule_finds_it_lets_a_near_miss_pass_and_is_undecided_over_a_poor_capture(string id, string trips, string near)
    {
        Assert.StartsWith("found", Answer(await TestRecordings.ReplayAsync(TestRecordings.File(trips)), id), StringComparison.Ordinal);
        Assert.Equal("clear", Answer(await TestRecordings.ReplayAsync(TestRecordings.File(near)), id));

        var poor = await LossyRecording.ReadAsync(near);
        Assert.True(poor.Timeline.Quality.Lost > 0 && poor.Timeline.CounterSamples.IsEmpty);
        Assert.StartsWith("undecided", Answer(poor, id), StringComparison.Ordinal);
    }

    static string Answer(PoolReport report, string id) =>
        report.Findings.FirstOrDefault(f => f.Id == id) is { } finding ? $"found: {finding.Headline}"
        : report.Undecided.FirstOrDefault(u => u.Id == id) is { } open ? $"undecided: {open.Missing}"
        : report.Clear.Contains(id) ? "clear"
        : "no answer";
}
