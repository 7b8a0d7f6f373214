using System.Text.Json;
using Tpwatch.Diagnosis;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Verbs;

public sealed class RulesCommandTests
{
    [Fact]
    public async Task Without_an_id_every_rule_and_every_code_is_listed()
    {
        var run = await CommandRun.Of("rules");

        Assert.Equal((0, ""), (run.Code, run.Error));
        Assert.All(FindingCatalogue.Findings.Concat(DelayWords.Codes),
            entry => Assert.Contains(run.Out.Split('\n'), line => line.StartsWith($"  {entry.Id} ", StringComparison.Ordinal)));
        Assert.All(run.Out.Split('\n'), line => Assert.InRange(line.Length, 0, 100));
    }

    [Theory]
    [InlineData("TPW003")]
    [InlineData("tpw003")]
    public async Task An_id_is_explained_at_length_however_its_letters_are_written(string id)
    {
        var run = await CommandRun.Of("rules", id);
        var text = FindingCatalogue.Find(id)!.Text;

        Assert.Equal(0, run.Code);
        Assert.StartsWith("TPW003 Undetected starvation (SILENTLY STARVED)\n\nMechanism\n  ", run.Out, StringComparison.Ordinal);
        var flat = string.Join(' ', run.Out.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        Assert.All((string[])[text.Mechanism, text.Needs, text.Remedy, text.FalseAlarms],
            part => Assert.Contains(part, flat, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_gap_code_is_explained_too() =>
        Assert.StartsWith("G7 Task waits get no extra threads", (await CommandRun.Of("rules", "g7")).Out, StringComparison.Ordinal);

    [Fact]
    public async Task Json_holds_all_or_the_one_that_was_asked_for()
    {
        var all = JsonDocument.Parse((await CommandRun.Of("rules", "--format", "json")).Out).RootElement;
        var one = JsonDocument.Parse((await CommandRun.Of("rules", "G12", "--format", "json")).Out).RootElement;

        Assert.Equal("tpwatch-rules/1", all.GetProperty("schema").GetString());
        Assert.Equal(
            (FindingCatalogue.Findings.Length, 16), (all.GetProperty("rules").GetArrayLength(), all.GetProperty("codes").GetArrayLength()));
        Assert.Equal(0, one.GetProperty("rules").GetArrayLength());
        var code = Assert.Single(one.GetProperty("codes").EnumerateArray());
        Assert.Equal(["id", "title", "mechanism", "needs", "remedy", "falseAlarms"], code.EnumerateObject().Select(p => p.Name));
        Assert.Equal("G12", code.GetProperty("id").GetString());
    }

    [Theory]
    [InlineData("TPW3", "Did you mean 'TPW003' (Undetected starvation (SILENTLY STARVED))?")]
    [InlineData("TWP003", "Did you mean 'TPW003' (Undetected starvation (SILENTLY STARVED))?")]
    [InlineData("G16", "Did you mean 'G15' (Idle worker threads ended and are needed again)?")]
    [InlineData("silent", "Did you mean 'TPW003' (Undetected starvation (SILENTLY STARVED))?")]
    [InlineData("xyzzy", "'dotnet tpwatch rules' lists all findings and rules.")]
    [InlineData("4711", "'dotnet tpwatch rules' lists all findings and rules.")]
    public async Task An_unknown_id_is_code_3_with_the_nearest(string asked, string hint)
    {
        var run = await CommandRun.Of("rules", asked);

        Assert.Equal((3, ""), (run.Code, run.Out));
        Assert.Equal([$"tpwatch: There is no finding or rule '{asked}'.", $"  {hint}"], run.ErrorLines);
    }
}
