using Tpwatch.Screen.Commands;

namespace Tpwatch.Tests.Screen;

/// <summary>Keys of the views of stacks, items and moves; commands and their words.</summary>
public sealed class DetailKeysTests
{
    [Theory]
    [InlineData("th", "theme ")]
    [InlineData("theme d", "theme dark")]
    [InlineData("theme ", "theme ")]
    [InlineData("go", "goto ")]
    [InlineData("whatif mi", "whatif min ")]
    [InlineData("whatif min 5 as", "whatif min 5 async")]
    [InlineData("speed m", "speed max")]
    [InlineData("f", "f")]
    [InlineData("fr", "freeze")]
    [InlineData("zzz", "zzz")]
    [InlineData("zzz a", "zzz a")]
    public void Commands_and_their_words_are_completed(string typed, string completed) =>
        Assert.Equal(completed, TypedCommands.Complete(typed));

    [Fact]
    public void Looks_change_while_watching()
    {
        var frames = ScreenScript.Of(Some.Found(), 100, 30).Press(":").Type("glyphs ascii")
            .Press("enter").Press(":").Type("theme mono").Press("enter").Run().Frames;
        Assert.DoesNotContain(frames[^1].ToString(), c => c >= 0x80);
        Assert.All(Enumerable.Range(0, 100), x => Assert.Equal(Colour.Own, frames[^1][x, 4].Fg));
        ScreenScript.Of(Some.Found(), 100, 30).Press(":").Type("theme pink").Press("enter").Expect("There is no theme 'pink'").Run();
    }

    [Fact]
    public void Stacks_are_walked_through_grouped_and_unfolded()
    {
        ScreenScript.Of(SomeDeep.Stacks(), 100, 30).Press("3").Expect("[3 Stacks (3)]").Expect("86%")
            .Expect("=> OrderApi.OrderRepo.Load").Expect("2 framework frames hidden").Expect("cannot detect that this call blocks")
            .Press("b").Expect("System.Threading.SemaphoreSlim.Wait")
            .ExpectNot("folded").Press("b", "down").Expect("=> OrderApi.PriceCache.Get")
            .Press("c").Expect("by kind").Expect("2 places, mainly OrderApi.OrderRepo.Load").Run();
        Assert.Contains("OrderApi.OrderRepo.Load",
            Assert.Single(ScreenScript.Of(SomeDeep.Stacks(), 100, 30).Press("3", "y").Run().Clips), StringComparison.Ordinal);
    }

    [Fact]
    public void Waits_and_run_times_of_items_are_shown_by_percentiles() => ScreenScript.Of(SomeDeep.Stacks(), 100, 30).Press("4")
        .Expect("Single items").Expect("1 842 timed").Expect("wait")
        .Expect("p99.9").Expect("6 110").Press("p").ExpectNot("p99.9").Expect("p99")
        .Press("u").Expect("run").ExpectNot("6 110").Press("u").Expect("6 110").Run();

    [Fact]
    public void Moves_that_moved_nothing_are_hidden()
    {
        var burst = Some.StarvingBurst();
        var report = burst with
        {
            InjectionDelays = [.. burst.InjectionDelays
            .Select(g => g.Number == 2 ? g with { TargetThreadsBefore = 9, TargetThreadsAfter = 9 } : g)]
        };
        Assert.Equal([13, 2, 1], DelayRows.Climbing(new(report, new())).Select(g => g.Number));
        Assert.Equal([13, 1], DelayRows.Climbing(new(report, new() { Show = new() { MovesOnly = true } })).Select(g => g.Number));
        var frames = ScreenScript.Of(report, 100, 30).Press("5", "d", "d").Run().Frames;
        Assert.NotEqual(frames[1].ToString(), frames[2].ToString());
        Assert.Equal(View(frames[1]), View(frames[3]));
    }

    // The last line says what the key did.
    static string View(CellGrid grid) => string.Join('\n', Enumerable.Range(0, grid.Height - 1).Select(grid.Row));
}
