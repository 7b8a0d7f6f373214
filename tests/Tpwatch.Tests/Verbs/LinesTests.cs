namespace Tpwatch.Tests.Verbs;

/// <summary>What a watch prints where there is no terminal.</summary>
public sealed class LinesTests
{
    [Fact]
    public async Task Watching_without_a_terminal_prints_each_injection_once_and_a_summary()
    {
        var run = await CommandRun.Of("-p", "41822");
        Assert.Equal(0, run.Code);
        var injections = run.Out.Split('\n').Where(l => l.Contains(" threads after ", StringComparison.Ordinal)).ToList();
        Assert.Equal(25, injections.Count);
        Assert.Equal(25, injections.Distinct().Count());
        Assert.All(injections, line => Assert.InRange(line.Length, 1, 100));
        Assert.Single(run.Out.Split('\n'), l => l.EndsWith("Z STARVED over after 25.9 s", StringComparison.Ordinal));
        Assert.Single(run.Out.Split('\n'), l => l.Contains("TPW001 serious", StringComparison.Ordinal));
        Assert.Contains("\nSTARVED for 25.9 s, over now: ", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Verbose_prints_each_decision_with_its_reason()
    {
        var run = await CommandRun.Of("-p", "41822", "--verbose");
        Assert.Equal(0, run.Code);
        var decisions = run.Out.Split('\n')
            .Where(l => l.Contains(" goal ", StringComparison.Ordinal) && l.StartsWith("2026", StringComparison.Ordinal)).ToList();
        Assert.Equal(26, decisions.Count);
        Assert.Equal(26, decisions.Distinct().Count());
        Assert.Contains("TPW001 serious", run.Out, StringComparison.Ordinal);
        Assert.Contains("\n  adjustments ", run.Out, StringComparison.Ordinal);
    }
}
