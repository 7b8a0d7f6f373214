using Tpwatch.Output;
using Tpwatch.Render.Shared;
using Tpwatch.Screen.Frame;
using Tpwatch.Screen.FrontEnds;
using Tpwatch.Screen.State;
using Tpwatch.Watching;
using Tpwatch.World;

namespace Tpwatch.Verbs;

/// <summary>Puts the screen together: what it shows, how it looks, and the terminal it is on.</summary>
sealed class TerminalScreen(IFrontEnd front)
{
    /// <inheritdoc cref="ShowScreen"/>
    public Task ShowAsync(IWatch watch, ScreenRequest request, CancellationToken stop)
    {
        var app = new UiApp(new PacedReports(watch.Report, TimeProvider.System).Take, () => Notices(watch), ScreenLook.Of(request))
        {
            Save = report => SavedReport.Write(report, request.Time, "."),
            Links = LinksTo(watch, request.Time),
        };
        var options = new FrontEndOptions
        {
            Tick = TimeSpan.FromSeconds(1.0 / request.FramesPerSecond),
            BeforeSuspend = watch.SuspendAsync,
            AfterResume = watch.ResumeAsync,
        };
        return new ScreenThread(front).RunAsync(app, options, stop);
    }

    /// <inheritdoc cref="ShowWaitingIn"/>
    public Task WaitAsync(WaitingFor what, ScreenRequest look, CancellationToken stop) =>
        new ScreenThread(front).RunAsync(new WaitingApp(what, ScreenLook.Of(look), TimeProvider.System), new(), stop);

    static ScreenLinks LinksTo(IWatch watch, TimeStyle time) => new()
    {
        Export = (report, path) => path is not null && SavedReport.IsDocument(path)
            ? SavedReport.Write(report, time, ".", path)
            : SavedRetained.Write(watch, report, path),
        Imagine = Imagined.Of,
        Playback = watch.Playback,
        Probes = () => watch.Probes,
        Forget = watch.Forget,
        Again = watch.CanWatchAgain ? watch.Again : null,
    };

    // In whole seconds and tenths: the screen is drawn anew when a banner changes.
    static string? Notices(IWatch watch) => watch switch
    {
        { Awaits: { } awaits } => awaits,
        { Silence: { } silence } => "NO DATA"
            + $"{silence with { For = TimeSpan.FromSeconds(Math.Floor(silence.For.TotalSeconds)) }}"["no data".Length..],
        { Behind: { } behind } => $"BEHIND {Format.Duration(Math.Floor(behind.TotalSeconds) * 1000)}: tpwatch cannot read events "
            + "fast enough. L shows details",
        _ => null,
    };
}
