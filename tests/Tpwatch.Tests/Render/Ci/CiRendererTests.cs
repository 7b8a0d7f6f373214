using System.Xml.Linq;
using Tpwatch.Assertions;
using Tpwatch.Export;
using Tpwatch.Reports;
using Tpwatch.Text;

namespace Tpwatch.Tests.Render.Ci;

public sealed class CiRendererTests
{
    const string Hostile = "</code>|<script>alert(1)</script> `x` **b** ::error::%\n\u0001\uFFFE&\"'";

    public static TheoryData<string> Names => ["healthy", "starved", "silently-starved", "damaged"];

    [Theory]
    [MemberData(nameof(Names))]
    public void Documents_look_like_their_golden_files(string name)
    {
        var report = Named(name);
        var answers = Answers(report);
        Golden.Verify($"Render/ci-{name}.txt", BuildLogRenderer.Render(report, answers, TimeStyle.Utc));
        Golden.Verify($"Render/ci-{name}.md", GithubRenderer.Summary(report, answers));
        Golden.Verify($"Render/ci-{name}.log", string.Concat(GithubRenderer.Annotations(report, answers).Select(line => line + "\n")));
        Golden.Verify($"Render/ci-{name}.xml", JunitRenderer.Render(report, answers));
    }

    [Fact]
    public void Counts_of_a_suite_are_those_of_its_cases()
    {
        foreach (var suite in XDocument.Parse(JunitRenderer.Render(SampleReports.Starved(), Answers(SampleReports.Starved()))).Root!
            .Elements("testsuite"))
        {
            Assert.Equal((int)suite.Attribute("tests")!, suite.Elements("testcase").Count());
            Assert.Equal((int)suite.Attribute("failures")!, suite.Descendants("failure").Count());
            Assert.Equal((int)suite.Attribute("skipped")!, suite.Descendants("skipped").Count());
            Assert.True((int)suite.Attribute("failures")! > 0);
        }
    }

    [Fact]
    public void Names_from_the_target_stay_text()
    {
        var report = SampleReports.Starved();
        var hostile = report with
        {
            Headline = Hostile,
            Timeline = report.Timeline with { Target = report.Timeline.Target with { Name = Hostile } },
            Findings = [report.Findings[0] with { Headline = Hostile, Remedies = [new(Hostile, Hostile)] }],
        };
        var page = GithubRenderer.Summary(hostile, Answers(hostile));
        Assert.DoesNotContain("<script", page, StringComparison.Ordinal);
        Assert.DoesNotContain(" `x`", page, StringComparison.Ordinal);
        Assert.Contains("&lt;/code&gt;\\|&lt;script&gt;", page, StringComparison.Ordinal);
        var found = GithubRenderer.Annotations(hostile, []).Single();
        Assert.StartsWith("::error title=TPW001 Starvation by calls", found, StringComparison.Ordinal);
        Assert.EndsWith("%25 &\"'", found.Replace("\uFFFE", "", StringComparison.Ordinal), StringComparison.Ordinal);
        var text = (string?)XDocument.Parse(JunitRenderer.Render(hostile, [])).Descendants("failure").Single().Attribute("message");
        Assert.Contains("</code>|<script>alert(1)</script>", text, StringComparison.Ordinal);
    }

    static List<ConditionAnswer> Answers(PoolReport report) =>
        [.. ((Condition[])[new StarvationCondition("starvation"), new RuleFoundCondition("TPW003")]).Select(c => c.Look(report))];

    static PoolReport Named(string name) => name switch
    {
        "healthy" => SampleReports.Healthy(),
        "starved" => SampleReports.Starved(),
        "silently-starved" => SampleReports.SilentlyStarved(),
        _ => SampleReports.Damaged(),
    };
}
