using Tpwatch.Reports;
using Tpwatch.Tests.Replay;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Reporting;

/// <summary>What one part of a report says, no other part of it denies.</summary>
public sealed class AgreementTests
{
    [Fact]
    public async Task Where_MaxThreads_is_reached_no_next_thread_is_foretold()
    {
        var atMax = 0;
        foreach (var (name, report) in await AllAsync())
        {
            if (report is not { IsNow: true, Verdict: Verdict.StarvedAtMax })
            {
                continue;
            }

            atMax++;
            Assert.True(report.Forecast?.NextInjection is null, $"{name} foretells a thread: {report.Forecast?.NextInjection}");
            Assert.DoesNotContain(
                report.InjectionDelays, g =>
                    g.Verdict == DelayVerdict.Open && g.Because.Contains("adds the next", StringComparison.Ordinal));
            Assert.Contains("none: MaxThreads ", TestRecordings.Text(report), StringComparison.Ordinal);
        }

        Assert.True(atMax > 2, $"only {atMax} recordings end at MaxThreads");
    }

    [Fact]
    public async Task No_report_advises_a_larger_MinThreads_and_against_it()
    {
        var both = (await AllAsync()).Where(one => one.Report.Findings.SelectMany(f => f.Remedies).ToArray() is var remedies
            && remedies.Any(r => r.Kind == RemedyKind.Refusal && r.Text.Contains("MinThreads", StringComparison.Ordinal))
            && remedies.Any(r => r.Setting?.Contains("SetMinThreads", StringComparison.Ordinal) == true)).ToArray();

        Assert.True(both.Length == 0, string.Join('\n', both.Select(one => $"{one.Name}: {one.Report.Verdict} "
            + string.Join(", ", one.Report.Findings.Select(f => f.Id)))));
    }

    [Theory]
    [InlineData(2, 0, 0, 0, "2, both as expected")]
    [InlineData(1, 0, 0, 0, "1, as expected")]
    [InlineData(0, 0, 0, 3, "none. Thread count adjustments that are not timed: 3")]
    [InlineData(5, 1, 1, 1, "7 (5 as expected, 1 late, 1 not over yet). Thread count adjustments that are not timed: 1")]
    public void Injection_delays_are_counted_apart_from_other_adjustments(int fits, int late, int open, int moves, string told) =>
        Assert.Equal(told, DelayWords.Tally(new(fits + late + open + moves, fits, 0, late, 0, 0, moves, open) { Moves = moves }));

    static async Task<List<(string Name, PoolReport Report)>> AllAsync()
    {
        List<(string, PoolReport)> all = [];
        foreach (var name in TestRecordings.All)
        {
            all.Add((name, await TestRecordings.ReplayAsync(TestRecordings.File(name))));
        }

        return all;
    }
}
