namespace Tpwatch.LiveTests.Terminal;

public sealed class ScreenExitTests
{
    const int Minute = 60_000;

    [Theory(Timeout = Minute)]
    [InlineData("q")]
    [InlineData("C-c")]
    [InlineData("C-d")]
    public async Task A_key_that_quits_leaves_the_terminal_whole(string key)
    {
        await using var screen = await DemoScreen.StartAsync(100, 30, "moving");
        Assert.Equal(("1", "0"), (await screen.Terminal.FlagAsync("alternate_on"), await screen.Terminal.FlagAsync("cursor_flag")));
        await screen.Terminal.PressAsync(key);
        var shown = await screen.Terminal.WaitForAsync("exit=0");
        Assert.Contains("summary", shown, StringComparison.Ordinal);
        await screen.Terminal.AssertWholeAsync();
    }

    [Theory(Timeout = Minute)]
    [InlineData("TERM")]
    [InlineData("HUP")]
    [InlineData("QUIT")]
    [InlineData("INT")]
    public async Task A_signal_ends_the_run_in_order(string signal)
    {
        await using var screen = await DemoScreen.StartAsync(80, 24, "moving");
        await screen.SignalAsync(signal);
        var shown = await screen.Terminal.WaitForAsync("exit=0");
        Assert.Contains("summary", shown, StringComparison.Ordinal);
        await screen.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Minute)]
    public async Task The_second_signal_leaves_at_once()
    {
        await using var screen = await DemoScreen.StartAsync(80, 24, "linger");
        await screen.SignalAsync("TERM");
        await screen.Terminal.WaitForAsync("summary");
        await screen.SignalAsync("TERM");
        await screen.Terminal.WaitForAsync("exit=143");
        await screen.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Minute)]
    public async Task The_second_signal_leaves_at_once_though_the_terminal_takes_no_output()
    {
        await using var screen = await DemoScreen.StartAsync(80, 24, "moving");
        await screen.Terminal.PressAsync("C-s");
        await Task.Delay(1000, TestContext.Current.CancellationToken);
        await screen.SignalAsync("TERM");
        await screen.SignalAsync("TERM");
        await screen.AssertEndsAsync();
        await screen.Terminal.PressAsync("C-q");
        await screen.Terminal.WaitForAsync("exit=");
        await screen.Terminal.AssertWholeAsync();
    }

    [Theory(Timeout = Minute)]
    [InlineData("crash", "the screen failed")]
    [InlineData("crash-thread", "a thread failed")]
    public async Task The_text_of_a_crash_lands_on_the_normal_screen(string how, string text)
    {
        await using var screen = await DemoScreen.StartAsync(100, 30, how);
        await screen.FailAsync();
        await screen.Terminal.WaitForAsync("exit=134");
        // The stack may be longer than the screen.
        var shown = await screen.Terminal.CaptureAllAsync();
        Assert.Contains($"Unhandled exception. System.InvalidOperationException: {text}", shown, StringComparison.Ordinal);
        Assert.Contains("ScreenDemo.", shown, StringComparison.Ordinal);
        Assert.DoesNotContain("q quit", shown, StringComparison.Ordinal);
        await screen.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Minute)]
    public async Task When_the_terminal_goes_away_the_process_ends()
    {
        await using var screen = await DemoScreen.StartAsync(80, 24, "moving");
        await screen.Terminal.DisposeAsync();
        await screen.AssertEndsAsync();
    }

    [Fact(Timeout = Minute)]
    public async Task Thousands_of_pasted_characters_do_no_harm()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        var random = new Random(9);
        var paste = new string([.. Enumerable.Range(0, 10_000).Select(_ => "abcxyz?[]+-=hlgG fÄé√."[random.Next(22)])]);
        foreach (var part in paste.Chunk(500))
        {
            await screen.Terminal.TypeAsync(new string(part));
        }

        for (var i = 0; i < 4; i++)
        {
            await screen.Terminal.PressAsync("Escape");
        }

        await screen.Terminal.PressAsync("1", "f", "=");
        await screen.Terminal.WaitForAsync("┘ 0.25s/col");
        await screen.Terminal.WaitForAsync("now follow");
        await screen.Terminal.PressAsync("q");
        await screen.Terminal.WaitForAsync("exit=0");
        await screen.Terminal.AssertWholeAsync();
    }
}
