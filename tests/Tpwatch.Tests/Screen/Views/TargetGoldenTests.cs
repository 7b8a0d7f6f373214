using Tpwatch.Lab.Pictures;
using Tpwatch.Reports;
using Tpwatch.Screen.Commands;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Screen.Views;

/// <summary>
/// Six real targets, each attached to in its middle, with stacks: the first view at both sizes, and the words in it without which the
/// question of the night has no answer.
/// </summary>
public sealed class TargetGoldenTests
{
    static readonly (int Width, int Height)[] Sizes = [(80, 24), (100, 30)];

    // What a replay does not offer.
    static readonly ViewState Replayed = new() { MayTakeStacks = false, MayMeasureItems = false };

    public static TheoryData<string, Verdict, string[]> Targets => new()
    {
        { "lock", Verdict.Starved, ["LockConvoy", "lock"] },
        { "task-result", Verdict.Starved, ["GET /", "Task.Wait"] },
        { "silent", Verdict.SilentlyStarved, ["Trickle"] },
        { "at-max", Verdict.StarvedAtMax, ["MaxThreads", "Ceiling"] },
        { "processor", Verdict.Saturated, ["SATURATED", "Burning.Until"] },
        { "healthy", Verdict.Healthy, ["HEALTHY"] },
    };

    [Theory]
    [MemberData(nameof(Targets))]
    public async Task The_first_view_names_verdict_and_culprit(string name, Verdict verdict, string[] words)
    {
        var report = await TestRecordings.ReplayAsync(Path.Combine(TestRecordings.Folder, "Targets", name + ".nettrace"));
        Assert.Equal(verdict, report.Verdict);
        foreach (var (width, height) in Sizes)
        {
            var grid = HeadlessScreen.FrameOf(new Scene(report, Replayed), new(Theme.Dark, GlyphSet.Braille), width, height);
            var seen = grid.ToString();
            Assert.All(words, word => Assert.Contains(word, seen, StringComparison.Ordinal));
            Golden.Verify($"Tui/Targets/{name}.{width}x{height}.txt", GridText.Of(grid, Theme.Dark));
        }
    }
}
