namespace Tpwatch.LiveTests.Inside;

/// <summary>The documented table of what is known on which runtime, against what the reader says that it does not know.</summary>
[Collection(InsideCollection.Name)]
public sealed class InsideTableTests(InsideRuns runs)
{
    const int LimitMs = 6 * 60 * 1000;

    static readonly string[] Parts = ["limits", "queue", "stacks", "waits", InsideTable.Locks];

    public static TheoryData<TargetRuntime> Runtimes { get; } = [.. InsideRuns.Runtimes];

    [Fact(Timeout = LimitMs)]
    public Task It_has_a_row_for_every_part()
    {
        Assert.Equal(Parts.Order(StringComparer.Ordinal), InsideTable.Read().Rows.Keys.Order(StringComparer.Ordinal));
        return Task.CompletedTask;
    }

    [Theory(Timeout = LimitMs)]
    [MemberData(nameof(Runtimes))]
    public async Task What_it_says_to_be_known_is_known_and_the_rest_is_not(TargetRuntime runtime)
    {
        var table = InsideTable.Read();
        foreach (var mode in InsideRuns.Modes)
        {
            var (_, seen) = await runs.OfAsync(runtime, mode);
            Assert.DoesNotContain("all", seen.Unknown);
            foreach (var part in Parts)
            {
                var cell = table.Cell(part, runtime);
                Assert.Equal(seen.Unknown.Contains(part) ? "no" : "yes", cell);
            }
        }
    }
}
