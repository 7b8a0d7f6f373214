using Tpwatch.Render.Tui;

namespace Tpwatch.Commands;

/// <summary>Puts the screen together: what it shows, how it looks, and the terminal it is on.</summary>
internal sealed class TerminalScreen(IFrontEnd front)
{
    /// <inheritdoc cref="ShowScreen"/>
    public Task ShowAsync(IWatch watch, ScreenRequest request, CancellationToken stop)
    {
        var app = new UiApp(watch.Report, () => Notice(watch.Silence), ScreenLook.Of(request)) { Save = report => SavedReport.Write(report, request.Time, ".") };
        var options = new FrontEndOptions
        {
            Tick = TimeSpan.FromSeconds(1.0 / request.FramesPerSecond),
            BeforeSuspend = watch.SuspendAsync,
            AfterResume = watch.ResumeAsync,
        };
        return new ScreenThread(front).RunAsync(app, options, stop);
    }

    // In whole seconds: the screen is drawn anew when a banner changes.
    static string? Notice(TargetSilence? silence) =>
        silence is null ? null : $"SILENT {silence with { For = TimeSpan.FromSeconds(Math.Floor(silence.For.TotalSeconds)) }}";
}
