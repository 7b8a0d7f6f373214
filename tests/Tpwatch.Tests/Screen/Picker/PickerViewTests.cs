using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Picker;

namespace Tpwatch.Tests.Screen.Picker;

public sealed class PickerViewTests
{
    public static TheoryData<string> Pictures => [.. All.Keys];

    static Dictionary<string, (PickerState State, int Width, int Height, Look Look)> All { get; } = new()
    {
        ["picker.100x30.braille.dark"] = (SomeProcesses.Scanned, 100, 30, new(Theme.Dark, GlyphSet.Braille)),
        ["picker.80x24.ascii.mono"] = (SomeProcesses.Scanned with { Filter = "srv" }, 80, 24, new(Theme.Mono, GlyphSet.Ascii)),
        ["picker-refused.80x24.braille.dark"] = (SomeProcesses.Scanned with
        {
            Pid = 39950,
            Flash = "tpwatch cannot watch 39950. The reason is above.",
        },
            80, 24, new(Theme.Dark, GlyphSet.Braille)),
        ["picker-filtered.60x16.block.16"] = (SomeProcesses.Scanned with { Filter = "order", Typing = true },
            60, 16, new(Theme.Sixteen, GlyphSet.Block)),
        ["picker-nobody.80x24.braille.light"] = (new() { Rows = [] }, 80, 24, new(Theme.Light, GlyphSet.Braille)),
    };

    [Theory]
    [MemberData(nameof(Pictures))]
    public void The_picture_is_the_golden_one(string name)
    {
        var (state, width, height, look) = All[name];
        Golden.Verify($"Tui/{name}.txt", GridText.Of(PickerView.Of(state, look, width, height), look.Theme));
    }

    [Fact]
    public void No_secret_of_a_command_line_is_shown_or_found()
    {
        Assert.DoesNotContain("secret",
            PickerView.Of(SomeProcesses.Scanned, new(Theme.Dark, GlyphSet.Braille), 200, 50).ToString(), StringComparison.Ordinal);
        Assert.Empty((SomeProcesses.Scanned with { Filter = "secret" }).Shown);
    }

    [Fact]
    public void Every_size_can_be_drawn()
    {
        for (var width = 0; width < 130; width += 3)
        {
            for (var height = 0; height < 40; height++)
            {
                var grid = PickerView.Of(SomeProcesses.Scanned with { Pid = 39950 }, new(Theme.Dark, GlyphSet.Ascii), width, height);
                Assert.Equal((width, height), (grid.Width, grid.Height));
            }
        }
    }
}
