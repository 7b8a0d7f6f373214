namespace Tpwatch.LiveTests.Terminal;

/// <summary>
/// The whole way on a real terminal: the built tool, a real target that begins to starve or starves already, every way out.
/// </summary>
public sealed class WatchScreenTests(StarvingTarget starving) : IClassFixture<StarvingTarget>
{
    const int Limit = 120_000;

    [Fact(Timeout = Limit)]
    public async Task Injections_appear_and_q_leaves_the_terminal_whole_with_a_summary()
    {
        await using var watched = await WatchedTarget.StartAsync(100, 30);
        Assert.Equal(("1", "0"), (await watched.Terminal.FlagAsync("alternate_on"), await watched.Terminal.FlagAsync("cursor_flag")));

        await watched.Terminal.PressAsync("q");
        var after = await watched.Terminal.WaitForAsync("exit=0");

        Assert.Contains("STARVED, now", after, StringComparison.Ordinal);
        await watched.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Limit)]
    public async Task One_key_names_the_call_that_blocks_while_it_starves()
    {
        await using var watched = await WatchedTarget.MetInTheMiddleAsync(starving, 100, 30);
        await watched.Terminal.WaitForAsync("t: take stacks every 5 s (each a pause of about 30 ms)");
        await watched.Terminal.PressAsync("t");
        await watched.Terminal.PressAsync("3");
        await watched.Terminal.WaitForAsync("PoolBurst.Run > Thread.Sleep");
        await watched.Terminal.PressAsync("q");
        await watched.Terminal.WaitForAsync("exit=0");
    }

    [Fact(Timeout = Limit)]
    public async Task Every_size_is_filled_and_survives_the_next()
    {
        await using var watched = await WatchedTarget.MetInTheMiddleAsync(starving, 80, 24);
        // The largest at the end: the report that is left there need not fit into the others.
        foreach (var (width, height, text) in new[] { (100, 30, "quit"), (40, 10, "60x16"), (80, 24, "quit"), (200, 50, "quit") })
        {
            await watched.Terminal.ResizeAsync(width, height);
            await watched.Terminal.WaitUntilAsync(
                s => s.Contains(text, StringComparison.Ordinal) && s.TrimEnd('\n').Split('\n').Length <= height, $"{width}x{height}");
        }

        await watched.Terminal.WaitUntilAsync(WatchedTarget.HasInjection, "the injections again");
        await watched.Terminal.PressAsync("q");
        Assert.Contains("STARVED, now", await watched.Terminal.WaitForAsync("exit=0"), StringComparison.Ordinal);
        await watched.Terminal.AssertWholeAsync();
    }

    [Theory(Timeout = Limit)]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")]
    public async Task A_signal_ends_it_in_order(string signal)
    {
        await using var watched = await WatchedTarget.MetInTheMiddleAsync(starving, 100, 30);
        await watched.SignalToolAsync(signal);
        Assert.Contains("STARVED, now", await watched.Terminal.WaitForAsync("exit=0"), StringComparison.Ordinal);
        await watched.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Limit)]
    public async Task Ctrl_c_ends_it_in_order()
    {
        await using var watched = await WatchedTarget.MetInTheMiddleAsync(starving, 100, 30);
        await watched.Terminal.PressAsync("C-c");
        await watched.Terminal.WaitForAsync("exit=0");
        await watched.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Limit)]
    public async Task Ctrl_z_leaves_the_target_alone_and_fg_goes_on()
    {
        await using var watched = await WatchedTarget.MetInTheMiddleAsync(starving, 100, 30);
        await watched.Terminal.PressAsync("C-z");
        await watched.Terminal.WaitForAsync("Stopped");
        await watched.Terminal.AssertWholeAsync();

        // While we are stopped another tool gets its own session at once.
        var pid = watched.TargetPid.ToString(System.Globalization.CultureInfo.InvariantCulture);
        Assert.Equal(0, await watched.RunToolAsync("report", "--pid", pid, "--duration", "3s"));

        await watched.Terminal.EnterAsync("clear; fg; echo exit=$?");
        await watched.Terminal.WaitForAsync("LIVE");
        await watched.Terminal.PressAsync("q");
        await watched.Terminal.WaitForAsync("exit=0");
        await watched.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Limit)]
    public async Task A_killed_target_leaves_its_data_on_the_screen_and_q_is_no_failure()
    {
        await using var watched = await WatchedTarget.StartAsync(100, 30);
        await watched.SignalTargetAsync("KILL");
        await watched.Terminal.WaitUntilAsync(s => s.Contains("EXITED", StringComparison.Ordinal) && WatchedTarget.HasInjection(s)
            && !s.Contains("take stacks", StringComparison.Ordinal), "what was seen, and no offer of stacks");
        await watched.Terminal.PressAsync("t");
        await watched.Terminal.WaitForAsync("tpwatch can measure nothing more");
        await watched.Terminal.PressAsync("q");
        await watched.Terminal.WaitForAsync("exit=0");
        await watched.Terminal.AssertWholeAsync();
    }
}
