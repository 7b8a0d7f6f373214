using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>
/// A real terminal: tmux with a server of its own and a shell in it. Everything is waited for by looking, never by sleeping blindly.
/// </summary>
sealed class TmuxTerminal : IAsyncDisposable
{
    /// <summary>Between two looks.</summary>
    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(40);

    /// <summary>A busy machine takes a while to start a runtime; nothing here takes longer.</summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(45);

    readonly string server = "tpwatch-" + Guid.NewGuid().ToString("N")[..12];

    TmuxTerminal()
    {
    }

    /// <summary>Whether tmux is on the machine.</summary>
    public static bool IsAvailable =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Any(p => File.Exists(Path.Combine(p, "tmux")));

    /// <summary>A terminal of that size with a shell; skips the test where there is no tmux.</summary>
    public static async Task<TmuxTerminal> StartAsync(int width, int height, string environment = "")
    {
        Assert.SkipUnless(IsAvailable, "tmux is not installed; apt-get install tmux");
        var terminal = new TmuxTerminal();
        await terminal.TmuxAsync("start-server", ";", "set", "-g", "status", "off", ";", "set", "-s", "escape-time", "0", ";",
            "new-session", "-d", "-x", Text(width), "-y", Text(height),
            $"env LANG=C.UTF-8 PS1='$ ' {environment} bash --norc --noprofile");
        await terminal.WaitForAsync("$");
        return terminal;
    }

    /// <summary>Types a command line and presses enter.</summary>
    public async Task EnterAsync(string line)
    {
        await TypeAsync(line);
        await PressAsync("Enter");
    }

    /// <summary>Types characters as they are.</summary>
    public Task TypeAsync(string text) => TmuxAsync("send-keys", "-l", "--", text);

    /// <summary>Presses keys by tmux's names: <c>q</c>, <c>C-c</c>, <c>Left</c>, <c>Escape</c>.</summary>
    public Task PressAsync(params string[] keys) => TmuxAsync(["send-keys", .. keys]);

    /// <summary>Sends bytes as they are: what a terminal sends for the mouse or a paste.</summary>
    public Task SendAsync(string text) => TmuxAsync(
        ["send-keys", "-H", .. System.Text.Encoding.UTF8.GetBytes(text).Select(b => b.ToString("x2", CultureInfo.InvariantCulture))]);

    public Task ResizeAsync(int width, int height) => TmuxAsync("resize-window", "-x", Text(width), "-y", Text(height));

    /// <summary>What is shown, row by row, blanks at the right dropped.</summary>
    public Task<string> CaptureAsync() => TmuxAsync("capture-pane", "-p");

    /// <summary>The same with what has left the screen at the top.</summary>
    public Task<string> CaptureAllAsync() => TmuxAsync("capture-pane", "-p", "-J", "-S", "-");

    /// <summary>The same with its escape sequences.</summary>
    public Task<string> CaptureStyledAsync() => TmuxAsync("capture-pane", "-p", "-e");

    /// <summary>A variable of tmux: <c>alternate_on</c>, <c>cursor_flag</c>, <c>mouse_any_flag</c>, <c>pane_width</c>.</summary>
    public async Task<string> FlagAsync(string name) => (await TmuxAsync("display-message", "-p", $"#{{{name}}}")).Trim();

    public Task<string> WaitForAsync(string text) => WaitUntilAsync(s => s.Contains(text, StringComparison.Ordinal), $"\"{text}\"");

    /// <summary>Looks until the screen is as wanted; fails with what is there instead.</summary>
    public async Task<string> WaitUntilAsync(Func<string, bool> wanted, string what)
    {
        var start = TimeProvider.System.GetTimestamp();
        while (true)
        {
            var shown = await CaptureAsync();
            if (wanted(shown))
            {
                return shown;
            }

            Assert.True(TimeProvider.System.GetElapsedTime(start) < Limit, $"waited {Limit.TotalSeconds} s for {what}; there is:\n{shown}");
            await Task.Delay(Look, TestContext.Current.CancellationToken);
        }
    }

    /// <summary>The shell is back, the normal screen, the cursor, and what is typed can be seen.</summary>
    public async Task AssertWholeAsync()
    {
        await EnterAsync("echo who''le");
        var shown = await WaitUntilAsync(s => s.Contains("\nwhole", StringComparison.Ordinal), "the shell's echo");
        Assert.Contains("echo who''le", shown, StringComparison.Ordinal);
        Assert.Equal(("0", "1", "0"), (await FlagAsync("alternate_on"), await FlagAsync("cursor_flag"), await FlagAsync("mouse_any_flag")));
        Assert.Equal(("0", "1"), (await FlagAsync("keypad_cursor_flag"), await FlagAsync("wrap_flag")));
    }

    public async ValueTask DisposeAsync() => await TmuxAsync("kill-server");

    async Task<string> TmuxAsync(params string[] arguments)
    {
        using var tmux = Process.Start(new ProcessStartInfo("tmux", ["-L", server, "-u", "-f", "/dev/null", .. arguments])
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        using var limit = new CancellationTokenSource(Limit);
        var output = await tmux.StandardOutput.ReadToEndAsync(limit.Token);
        await tmux.WaitForExitAsync(limit.Token);
        return output;
    }

    static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
