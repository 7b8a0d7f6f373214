using System.Globalization;
using Tpwatch.Reports;
using Tpwatch.Run;
using Tpwatch.Screen;
using Tpwatch.Tests.Screen;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>
/// The real host with the real window over a report made up for it, so that every way out of a terminal can be tried without a
/// target. Options: <c>moving</c> (data arrives), <c>crash</c> and <c>crash-thread</c> (when it is time), <c>fail-resume</c>, <c>linger</c>
/// (after the screen), <c>no-mouse</c>, <c>stuck</c> (the session does not end before Ctrl+Z); a path takes notes.
/// </summary>
static class ScreenDemo
{
    const int LookAgainMs = 50;

    public static async Task<int> RunAsync(string[] options)
    {
        using var signals = new StopSignals(Environment.Exit);
        var notes = options.FirstOrDefault(o => o.Contains('/', StringComparison.Ordinal));
        await NoteAsync(notes, "pid " + Environment.ProcessId.ToString(CultureInfo.InvariantCulture));
        var start = TimeProvider.System.GetTimestamp();
        var look = AppearanceChoice.Of(ScreenAppearance.Default);
        var host = (ScreenAppearance.Default with { Mouse = !options.Contains("no-mouse") }).HostOptions(look) with
        {
            BeforeSuspend = async cancel =>
            {
                await NoteAsync(notes, "session ended");
                await Task.Delay(options.Contains("stuck") ? Timeout.InfiniteTimeSpan : TimeSpan.Zero, CancellationToken.None);
            },
            AfterResume = async cancel =>
            {
                await NoteAsync(notes, "session again");
                ThrowIf(options.Contains("fail-resume"), "the target is gone");
            },
        };
        if (options.Contains("crash-thread"))
        {
            new Thread(() => FailOnce(notes)) { IsBackground = true }.Start();
        }

        var model = new ScreenModel(() => Report(options, notes, TimeProvider.System.GetElapsedTime(start)), () => null, new());
        await ScreenHost.RunAsync(
            () => new(Sheets.Window(model, look), model.Tick)
            {
                Copies = copy => model.Copied += copy, Redraws = redraw => model.Redrawn += redraw,
            },
            host, signals.Stop);
        Console.WriteLine("summary");
        await Task.Delay(options.Contains("linger") ? TimeSpan.FromSeconds(30) : TimeSpan.Zero, CancellationToken.None);
        return 0;
    }

    /// <summary>The file by which it is told that it is time to fail.</summary>
    public static string FailureBy(string? notes) => notes + ".fail";

    // One thread, one failure: a timer that fires again while the first is being told would fail twice.
    static void FailOnce(string? notes)
    {
        while (!File.Exists(FailureBy(notes)))
        {
            Thread.Sleep(LookAgainMs);
        }

        throw new InvalidOperationException("a thread failed");
    }

    static PoolReport Report(string[] options, string? notes, TimeSpan elapsed)
    {
        ThrowIf(options.Contains("crash") && File.Exists(FailureBy(notes)), "the screen failed");
        return Some.StarvingBurst(options.Contains("moving") ? 5 + Math.Floor(elapsed.TotalSeconds * 10) / 10 : 18);
    }

    static void ThrowIf(bool condition, string text)
    {
        if (condition)
        {
            throw new InvalidOperationException(text);
        }
    }

    static Task NoteAsync(string? path, string line) => path is null ? Task.CompletedTask : File.AppendAllTextAsync(path, line + "\n");
}
