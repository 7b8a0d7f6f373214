using Tpwatch.Reports;
using Tpwatch.Text;

namespace Tpwatch.Tests.Render.Text;

public sealed class TextReportRendererTests
{
    public static TheoryData<string> Names => ["healthy", "starved", "silently-starved", "damaged"];

    [Theory]
    [MemberData(nameof(Names))]
    public void Reports_look_like_their_golden_files(string name) =>
        Golden.Verify($"Render/report-{name}.txt", TextReportRenderer.Render(Named(name), TimeStyle.Utc, showCommandLine: false));

    [Theory]
    [MemberData(nameof(Names))]
    public void Short_reports_look_like_their_golden_files(string name) =>
        Golden.Verify($"Render/short-{name}.txt", ShortReportRenderer.Render(Named(name), TimeStyle.Utc, showCommandLine: false));

    [Theory]
    [MemberData(nameof(Names))]
    public void Summaries_look_like_their_golden_files(string name) =>
        Golden.Verify($"Render/summary-{name}.txt", SummaryRenderer.Render(Named(name), TimeStyle.Elapsed) + "\n");

    [Theory]
    [MemberData(nameof(Names))]
    public void No_line_is_longer_than_a_hundred_columns(string name) =>
        Assert.All(TextReportRenderer.Render(Named(name), TimeStyle.Utc, showCommandLine: true).Split('\n'),
            line => Assert.True(line.Length <= 100, line));

    [Theory]
    [MemberData(nameof(Names))]
    public void In_a_narrow_terminal_the_short_report_says_the_same_in_narrower_lines(string name)
    {
        static string[] Words(string text) => text.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        var whole = ShortReportRenderer.Render(Named(name), TimeStyle.Utc, showCommandLine: true);
        var narrow = ShortReportRenderer.Render(Named(name), TimeStyle.Utc, showCommandLine: true, TextLayout.In(80));

        Assert.All(narrow.Split('\n'), line => Assert.True(line.Length <= 80, line));
        Assert.Equal(Words(whole), Words(narrow));
    }

    [Theory]
    [InlineData(null, 100)]
    [InlineData(200, 100)]
    [InlineData(80, 80)]
    [InlineData(20, 60)]
    public void A_report_is_as_wide_as_its_terminal_within_bounds(int? terminal, int width) => Assert.Equal(width, TextLayout.In(terminal));

    [Fact]
    public void A_word_longer_than_a_line_is_broken()
    {
        var report = SampleReports.Healthy() with { Headline = new string('x', 250) };
        Assert.All(TextReportRenderer.Render(report, TimeStyle.Utc, false).Split('\n'), line => Assert.True(line.Length <= 100, line));
    }

    [Fact]
    public void The_verdict_is_the_first_line() =>
        Assert.StartsWith("STARVED for 25.9 s, over now: ",
            TextReportRenderer.Render(SampleReports.Starved(), TimeStyle.Utc, false), StringComparison.Ordinal);

    [Fact]
    public void The_command_line_is_whole_only_when_asked()
    {
        Assert.DoesNotContain(
            "secret", TextReportRenderer.Render(SampleReports.Starved(), TimeStyle.Utc, showCommandLine: false), StringComparison.Ordinal);
        Assert.Contains(
            "secret", TextReportRenderer.Render(SampleReports.Starved(), TimeStyle.Utc, showCommandLine: true), StringComparison.Ordinal);
    }

    [Fact]
    public void The_table_keeps_what_does_not_fit_and_says_how_many_it_leaves_out()
    {
        var delays = Enumerable.Range(1, 500).Select(SampleReports.GateCheck).ToArray();
        delays[250] = delays[250] with { Verdict = DelayVerdict.NoRule, Mechanism = Mechanism.None, Because = "nothing explains it" };
        var lines = InjectionDelayRenderer.Lines(SampleReports.With(delays), TimeStyle.Utc).ToList();
        Assert.Contains(lines, l => l.Contains("nothing explains it", StringComparison.Ordinal));
        Assert.Contains(lines, l => l.Contains("480 less important rows left out", StringComparison.Ordinal));
        Assert.True(lines.Count < 2 * InjectionDelayRenderer.MaxRows, $"{lines.Count} lines");
    }

    static PoolReport Named(string name) => name switch
    {
        "healthy" => SampleReports.Healthy(),
        "starved" => SampleReports.Starved(),
        "silently-starved" => SampleReports.SilentlyStarved(),
        _ => SampleReports.Damaged(),
    };
}
