using Tpwatch.Lab.Hostile;

namespace Tpwatch.LiveTests.Hostile;

/// <summary>The quick half of the hostile suite; `dotnet run build.cs -- hostile` tries all of it and writes tests/HOSTILE.md.</summary>
public sealed class HostileSuiteTests
{
    const int Limit = 180_000;

    const int Least = 150;

    public static TheoryData<string> Kinds => [.. HostileSuite.All().Where(c => c.Fast).Select(c => c.Group).Distinct()];

    [Theory(Timeout = Limit)]
    [MemberData(nameof(Kinds))]
    public async Task Nothing_hostile_does_harm(string kind)
    {
        List<CaseResult> harm = [];
        foreach (var one in HostileSuite.All().Where(c => c.Fast && c.Group == kind))
        {
            var result = await HostileSuite.TryAsync(one);
            harm.AddRange(result.Harm is null ? [] : [result]);
        }

        Assert.True(harm.Count == 0, string.Join('\n', harm.Select(h => $"{h.Case.Name}: {h.Harm} {h.How}")));
    }

    [Fact(Timeout = Limit)]
    public async Task Every_failure_of_the_first_list_has_its_case()
    {
        await Task.Yield();
        var all = HostileSuite.All();
        Assert.InRange(all.Count, Least, int.MaxValue);
        Assert.Equal(all.Count, all.DistinctBy(c => (c.Group, c.Name)).Count());
        Assert.All(FirstFailures.All, row => Assert.Contains(all, c => c.Rows.Contains(row.Number)));
    }

    /// <summary>A suite that cannot fail proves nothing.</summary>
    [Fact(Timeout = Limit)]
    public async Task Harm_is_seen()
    {
        Assert.Equal(Harm.Crashed, await HarmOfAsync(_ => Done(() => new ToolResult(70, "", "").Is(0))));
        Assert.Equal(Harm.WrongCode, await HarmOfAsync(_ => Done(() => new ToolResult(3, "", "").Is(0))));
        Assert.Equal(Harm.WrongCode, await HarmOfAsync(_ => Done(() => new ToolResult(0, "\e[2J", "").Clean())));
        Assert.Equal(Harm.LeftBehind, await HarmOfAsync(ground => Done(() => File.WriteAllText(Path.Combine(ground.Temporary, "x"), ""))));
    }

    static Task Done(Action action)
    {
        action();
        return Task.CompletedTask;
    }

    static async Task<Harm?> HarmOfAsync(Func<Ground, Task> run) =>
        (await HostileSuite.TryAsync(new("", "", [], run))).Harm;
}
