using Tpwatch.Render.Tui;
using Tpwatch.Render.Tui.Terminal;

namespace Tpwatch.Commands;

/// <summary>Puts the screen together: what it shows, how it looks, and the terminal it is on.</summary>
internal static class TerminalScreen
{
    /// <inheritdoc cref="ShowScreen"/>
    public static Task ShowAsync(IWatch watch, ScreenRequest request, CancellationToken stop)
    {
        var app = new UiApp(watch.Report, () => Notices(watch), LookOf(request))
        {
            Save = report => SavedReport.Write(report, request.Time, "."),
            Links = LinksTo(watch),
        };
        var options = new FrontEndOptions
        {
            Tick = TimeSpan.FromSeconds(1.0 / request.FramesPerSecond),
            BeforeSuspend = watch.SuspendAsync,
            AfterResume = watch.ResumeAsync,
        };
        return OnThread(app, options, stop);
    }

    /// <inheritdoc cref="ShowWaitingIn"/>
    public static Task WaitAsync(WaitingFor what, ScreenRequest look, CancellationToken stop) =>
        OnThread(new WaitingApp(what, LookOf(look), TimeProvider.System), new(), stop);

    // A thread of its own: reading keys and drawing must go on whatever our own pool does.
    static Task OnThread(IUiApp app, FrontEndOptions options, CancellationToken stop)
    {
        var shown = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() => Run(app, options, shown, stop)) { Name = "tpwatch screen" }.Start();
        return shown.Task;
    }

    static void Run(IUiApp app, FrontEndOptions options, TaskCompletionSource shown, CancellationToken stop)
    {
#pragma warning disable CA1031 // the failure belongs to whoever awaits the screen; the terminal has been reset by then
        try
        {
            new AnsiFrontEnd().Run(app, options, stop);
            shown.SetResult();
        }
        catch (Exception e)
        {
            shown.SetException(e);
        }
#pragma warning restore CA1031
    }

    static ScreenLinks LinksTo(IWatch watch) => new()
    {
        Export = (report, path) => SavedRetained.Write(watch, report, path),
        Imagine = Imagined.Of,
        Playback = watch.Playback,
        Probes = watch.Probes,
        Forget = watch.Forget,
        Again = watch.CanWatchAgain ? watch.Again : null,
    };

    // In whole seconds and tenths: the screen is drawn anew when a banner changes.
    static string? Notices(IWatch watch) => watch switch
    {
        { Awaits: { } awaits } => awaits,
        { Silence: { } silence } => $"SILENT {silence with { For = TimeSpan.FromSeconds(Math.Floor(silence.For.TotalSeconds)) }}",
        { Behind: { } behind } => $"BEHIND {Format.Duration(Math.Floor(behind.TotalSeconds) * 1000)}: events come faster than they are read, and now is so old.  L",
        _ => null,
    };

    static Look LookOf(ScreenRequest request)
    {
        var depth = ColorChoice.Decide(Color(request.Color), Environment.GetEnvironmentVariable, isTerminal: true);
        var utf8 = Console.OutputEncoding.CodePage == 65001;
        return new(
            Theme.Decide(ThemeNamed(request.Theme), depth, Environment.GetEnvironmentVariable),
            GlyphChoice.Decide(Enum.Parse<GlyphMode>(request.Glyphs, ignoreCase: true), Environment.GetEnvironmentVariable, utf8))
        {
            Depth = depth,
        };
    }

    static ColorMode Color(string word) => word == "16" ? ColorMode.Sixteen : Enum.Parse<ColorMode>(word, ignoreCase: true);

    static ThemeMode ThemeNamed(string? word) => word switch
    {
        null => ThemeMode.Auto,
        "16" => ThemeMode.Sixteen,
        _ => Enum.Parse<ThemeMode>(word, ignoreCase: true),
    };
}
