using System.Globalization;
using System.Text;
using System.Text.Json;
using Tpwatch.Tests.Verbs;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Docs;

/// <summary>The pages about findings and rules say what the verb <c>rules</c> says.</summary>
[Collection(UserPages.Written)]
public sealed class RuleCatalogueTests
{
    [Fact]
    public async Task The_page_of_findings_has_every_finding_as_the_tool_tells_it() => GoldenPart.Verify(
        UserPages.Findings, "findings", Entries(await SaidAsync("rules"), "##"));

    [Fact]
    public async Task The_page_of_mechanisms_has_every_rule_as_the_tool_tells_it() => GoldenPart.Verify(
        UserPages.Mechanisms, "rules", Entries(await SaidAsync("codes"), "###"));

    [Fact]
    public void The_page_of_mechanisms_has_a_table_of_every_code()
    {
        var table = new StringBuilder("| code | the rule |\n|---|---|\n");
        foreach (var code in DelayWords.Codes)
        {
            table.Append(CultureInfo.InvariantCulture, $"| {code.Id} | {code.Title} |\n");
        }

        GoldenPart.Verify(UserPages.Mechanisms, "codes", table.ToString());
    }

    static async Task<IReadOnlyList<JsonElement>> SaidAsync(string kind)
    {
        var run = await CommandRun.Of("rules", "--format", "json");
        Assert.Equal(0, run.Code);
        JsonElement[] said = [.. JsonElement.Parse(run.Out).GetProperty(kind).EnumerateArray()];
        Assert.NotEmpty(said);
        return said;
    }

    static string Entries(IEnumerable<JsonElement> rules, string heading) => string.Join('\n', rules.Select(rule => $"""
        {heading} {Of(rule, "id")} {Of(rule, "title")}

        {Of(rule, "mechanism")}

        - **Evidence needed.** {Of(rule, "needs")}
        - **Remedy.** {Of(rule, "remedy")}
        - **False alarms.** {Of(rule, "falseAlarms")}

        """.ReplaceLineEndings("\n")));

    static string Of(JsonElement rule, string name) => rule.GetProperty(name).GetString()!;
}
