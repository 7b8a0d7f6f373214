using System.Text;
using Tpwatch.Reports;
using Tpwatch.Scoring.Checks;
using Tpwatch.Tests.Stored;

namespace Tpwatch.Tests.Scores;

/// <summary>
/// What is said of the kinds of programs that the tool was wrong on when it met them, sick and healthy, most of them attached to late: a
/// page that is written from the stored runs and holds what comes out now.
/// </summary>
public sealed class OnceWrongTests
{
    const string Page = "tests/ONCE-WRONG.md";

    /// <summary>Programs with nothing wrong, of the usual catalogue, met late as well.</summary>
    static readonly string[] Healthy =
        ["steady.late", "healthy-burst.late", "oscillation.late", "async-items", "dedicated-threads", "healthy-burst"];

    [Fact]
    public async Task The_page_says_what_is_said_now() => Golden.VerifyPage(Page, await WriteAsync());

    [Fact]
    public async Task No_verdict_is_wrong_and_no_healthy_program_is_alarmed()
    {
        var rows = await RowsAsync();

        Assert.Empty(rows.Where(row => !row.True.Contains(row.Said)).Select(row => row.Plan.Name));
        Assert.Empty(rows.Where(row => row.True is ["healthy"] && row.First is { Severity: > Severity.Note }).Select(row => row.Plan.Name));
        Assert.True(rows.Count(row => row.Plan.LateMs is not null) >= 10, "too few are met late");
    }

    [Fact]
    public async Task Min_is_never_advised_where_it_changes_nothing()
    {
        var rows = await RowsAsync();

        Assert.Empty(rows.Where(row => row.Said is "starvedAtMax" or "wedged" or "held" && row.AdvisesMin).Select(row => row.Plan.Name));
    }

    static async Task<string> WriteAsync()
    {
        var text = new StringBuilder("""
            # What is said of programs that it was wrong on

            Fixtures of the kinds of programs on which the tool was wrong when it met them, and healthy ones. Each run is stored with its own record; what is
            true is computed from that record alone. A test writes this page and holds it against what comes out now.

            | program | runtime | met late | said | true | first finding |
            |---|---|---|---|---|---|

            """.ReplaceLineEndings("\n"));
        foreach (var row in await RowsAsync())
        {
            text.Append(
                $"| `{string.Join(' ', row.Plan.Words)}` | {row.Plan.RuntimeName} | "
                    + $"{(row.Plan.LateMs is null ? "" : "yes")} | {row.Said} | "
                    + $"{string.Join(" or ", row.True)} | {(row.First is { } first ? $"{first.Id} {first.Title}" : "none")} |\n");
        }

        return text.ToString();
    }

    static async Task<Row[]> RowsAsync() =>
        await Task.WhenAll(RunMatrix.StoredWild.Concat(Healthy.Select(RunMatrix.Of)).Select(RowAsync));

    static async Task<Row> RowAsync(RunPlan plan)
    {
        var run = await StoredRuns.OfAsync(plan.Name);
        var report = run.Report;
        return new(
            plan, ExpectationCheck.Word(report.Verdict), [.. TrueVerdict.Of(run.Truth, plan.Row.Expectation.Work, run.From)],
            report.Findings.IsEmpty ? null : report.Findings[0],
            report.Findings.SelectMany(f => f.Remedies)
                .Any(r => r.Setting?.Contains("MinWorkerThreads", StringComparison.Ordinal) == true));
    }

    sealed record Row(RunPlan Plan, string Said, string[] True, Finding? First, bool AdvisesMin);
}
