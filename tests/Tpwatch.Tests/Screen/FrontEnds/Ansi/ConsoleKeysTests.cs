using Tpwatch.Screen.FrontEnds.Ansi;
using Tpwatch.Screen.Keys;

namespace Tpwatch.Tests.Screen.FrontEnds.Ansi;

public sealed class ConsoleKeysTests
{
    [Fact]
    public void Ctrl_d_is_the_letter_with_ctrl() =>
        Assert.Equal(KeyPress.WithCtrl('d'),
            ConsoleKeys.ToPress(new ConsoleKeyInfo('\u0004', ConsoleKey.D, shift: false, alt: false, control: true)));

    [Fact]
    public void An_upper_case_letter_is_that_letter() =>
        Assert.Equal(KeyPress.Of('G'), ConsoleKeys.ToPress(new ConsoleKeyInfo('G', ConsoleKey.G, shift: true, alt: false, control: false)));

    [Fact]
    public void An_arrow_is_an_arrow() =>
        Assert.Equal(KeyPress.Of(Key.Left), ConsoleKeys.ToPress(new ConsoleKeyInfo('\0', ConsoleKey.LeftArrow, false, false, false)));

    [Fact]
    public void What_has_no_name_and_no_character_is_no_character() =>
        Assert.Equal(Key.Other, ConsoleKeys.ToPress(new ConsoleKeyInfo('\u0007', ConsoleKey.NoName, false, false, false)).Key);
}
