namespace Tpwatch.LiveTests.Terminal;

public sealed class ScreenSuspendTests
{
    const int Minute = 60_000;

    [Fact(Timeout = Minute)]
    public async Task Ctrl_z_ends_the_session_and_gives_the_shell_back_and_fg_brings_the_screen_whole()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        var before = await screen.Terminal.CaptureAsync();
        await screen.Terminal.PressAsync("C-z");
        await screen.Terminal.WaitForAsync("Stopped");
        Assert.Contains("session ended", await screen.NotesAsync(), StringComparison.Ordinal);
        await screen.Terminal.AssertWholeAsync();
        await screen.Terminal.EnterAsync("clear; fg; echo exit=$?");
        Assert.Equal(before, await screen.Terminal.WaitForAsync("q quit"));
        Assert.Equal(("1", "0"), (await screen.Terminal.FlagAsync("alternate_on"), await screen.Terminal.FlagAsync("cursor_flag")));
        await screen.Terminal.PressAsync("2");
        await screen.Terminal.WaitForAsync("[2 Injections");
        await screen.Terminal.PressAsync("q");
        await screen.Terminal.WaitForAsync("exit=0");
        // The session goes on beside the screen; at the end it has.
        Assert.EndsWith("session ended\nsession again\n", await screen.NotesAsync(), StringComparison.Ordinal);
        await screen.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Minute)]
    public async Task It_can_be_stopped_again_and_at_another_size()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        for (var round = 0; round < 3; round++)
        {
            await screen.Terminal.PressAsync("C-z");
            await screen.Terminal.WaitForAsync("Stopped");
            await screen.Terminal.ResizeAsync(80 + round, 24);
            await screen.Terminal.EnterAsync("clear; fg");
            await screen.Terminal.WaitUntilAsync(
                s => s.Split('\n')[0].Length == 79 + round && s.Contains("q quit", StringComparison.Ordinal), "the new size");
        }
    }

    [Fact(Timeout = Minute)]
    public async Task It_can_be_stopped_again_at_once_after_fg()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        for (var round = 0; round < 3; round++)
        {
            await screen.Terminal.PressAsync("C-z");
            await screen.Terminal.WaitUntilAsync(s => s.TrimEnd().EndsWith('$'), "the shell");
            await screen.Terminal.EnterAsync("clear; fg");
            await screen.Terminal.WaitUntilAsync(s => !s.Contains('$', StringComparison.Ordinal), "fg");
        }

        await screen.Terminal.WaitForAsync("q quit");
        await screen.Terminal.PressAsync("q");
        await screen.Terminal.WaitForAsync("$");
        await screen.AssertEndsAsync();
        await screen.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = 2 * Minute)]
    public async Task Started_as_two_processes_the_whole_job_is_stopped_continued_and_killed()
    {
        var tool = CommandLine.ToolRun.Tool;
        var recording = Path.Combine(Packaging.SourceBuild.Root, "tests", "Recordings", "pool-burst.nettrace");
        await using var terminal = await TmuxTerminal.StartAsync(100, 30);
        // The host looks for a command of that name, and runs it as its child.
        var folder = Directory.CreateTempSubdirectory("tpwatch-command-").FullName;
        var command = Path.Combine(folder, "dotnet-tpwatch");
        await File.WriteAllTextAsync(command, $"#!/bin/sh\nexec dotnet exec {tool} \"$@\"\n", TestContext.Current.CancellationToken);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(command, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        await terminal.EnterAsync($"PATH={folder}:$PATH dotnet tpwatch replay {recording}");
        for (var round = 0; round < 2; round++)
        {
            await terminal.WaitForAsync("q quit");
            await terminal.PressAsync("C-z");
            await terminal.WaitForAsync("Stopped");
            await terminal.AssertWholeAsync();
            await terminal.EnterAsync("clear; fg");
        }

        await terminal.WaitForAsync("q quit");
        await terminal.PressAsync("C-z");
        await terminal.WaitForAsync("Stopped");
        await terminal.EnterAsync("clear; kill %1; wait; echo go''ne");
        // The host may set the terminal's keypad mode once more when tpwatch has ended; docs/terminal-gui.md says so.
        await terminal.WaitForAsync("\ngone");
    }

    [Fact(Timeout = 2 * Minute)]
    public async Task Reports_of_several_processes_are_written_before_the_shell_is_back_and_fg_ends_them()
    {
        await using var one = await CommandLine.Fixture.StartAsync();
        await using var other = await CommandLine.Fixture.StartAsync();
        var folder = Directory.CreateTempSubdirectory("tpwatch-several-").FullName;
        await using var terminal = await TmuxTerminal.StartAsync(200, 30);
        await terminal.EnterAsync(FormattableString.Invariant(
            $"dotnet {CommandLine.ToolRun.Tool} report -p {one.Pid},{other.Pid} -o {folder}/r.json --format json --duration 5m"));
        await terminal.WaitUntilAsync(s => s.Split(": Watching").Length > 2, "both are watched");
        await terminal.PressAsync("C-z");
        await terminal.WaitForAsync("Stopped");
        Assert.Equal(2, Directory.GetFiles(folder).Count(file => new FileInfo(file).Length > 0));
        await terminal.EnterAsync("clear; fg; echo exit=$?");
        await terminal.WaitForAsync("exit=0");
        Directory.Delete(folder, recursive: true);
    }

    [Fact(Timeout = Minute)]
    public async Task A_session_that_never_ends_does_not_keep_the_shell_waiting()
    {
        await using var screen = await DemoScreen.StartAsync(80, 24, "stuck");
        await screen.Terminal.PressAsync("C-z");
        await screen.Terminal.WaitForAsync("Stopped");
        await screen.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Minute)]
    public async Task A_session_that_cannot_be_opened_again_ends_the_run_on_the_normal_screen()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30, "fail-resume");
        await screen.Terminal.PressAsync("C-z");
        await screen.Terminal.WaitForAsync("Stopped");
        await screen.Terminal.EnterAsync("clear; fg; echo exit=$?");
        Assert.Contains("the target is gone", await screen.Terminal.WaitForAsync("exit=134"), StringComparison.Ordinal);
        await screen.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Minute)]
    public async Task A_stopped_screen_can_be_killed()
    {
        await using var screen = await DemoScreen.StartAsync(80, 24);
        await screen.Terminal.PressAsync("C-z");
        await screen.Terminal.WaitForAsync("Stopped");
        await screen.Terminal.EnterAsync("clear; kill %1");
        await screen.AssertEndsAsync();
        // The shell knows how it ended.
        await screen.Terminal.EnterAsync("wait %1; echo ended=$?");
        var shown = await screen.Terminal.WaitForAsync("ended=0");
        Assert.Contains("summary", shown, StringComparison.Ordinal);
        await screen.Terminal.AssertWholeAsync();
    }

    [Fact(Timeout = Minute)]
    public async Task In_the_background_it_leaves_the_terminal_alone()
    {
        await using var screen = await DemoScreen.StartAsync(100, 30);
        var before = await screen.Terminal.CaptureAsync();
        await screen.Terminal.PressAsync("C-z");
        await screen.Terminal.WaitForAsync("Stopped");
        await screen.Terminal.EnterAsync("bg");
        await Task.Delay(500, TestContext.Current.CancellationToken);
        await screen.Terminal.AssertWholeAsync();
        Assert.DoesNotContain("again", await screen.NotesAsync(), StringComparison.Ordinal);
        await screen.Terminal.EnterAsync("clear; fg");
        Assert.Equal(before, await screen.Terminal.WaitForAsync("q quit"));
    }
}
