using Tpwatch.Options;
using Tpwatch.Run;
using Tpwatch.Screen;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Views;
using Tpwatch.WhatIf;

namespace Tpwatch.Cli;

/// <summary>Creates the screens of an observation and of a wait, and runs them in the terminal.</summary>
static class TerminalScreen
{
    /// <inheritdoc cref="ShowScreen"/>
    public static Task ShowAsync(IWatch watch, ScreenRequest request, CancellationToken stop)
    {
        var look = ScreenLook.Of(request);
        return ScreenHost.RunAsync(
            () =>
            {
                var model = new ScreenModel(
                    new PacedReports(watch.Report, TimeProvider.System).Take, () => Notices(watch), LinksTo(watch, request));
                return new(Sheets.Window(model, look), model.Tick)
                {
                    Copies = copy => model.Copied += copy, Redraws = redraw => model.Redrawn += redraw,
                };
            },
            request.HostOptions(look) with { BeforeSuspend = watch.SuspendAsync, AfterResume = watch.ResumeAsync }, stop);
    }

    /// <inheritdoc cref="ShowWaitingIn"/>
    public static Task WaitAsync(WaitingFor what, ScreenRequest request, CancellationToken stop)
    {
        var look = ScreenLook.Of(request);
        return ScreenHost.RunAsync(
            () => new WaitingWindow(what, look, TimeProvider.System) is var window ? new(window, window.Tick) : null!,
            request.HostOptions(look), stop);
    }

    static ScreenLinks LinksTo(IWatch watch, ScreenRequest request) => new()
    {
        Save = (report, wanted) => wanted.Document is { } document
            ? SavedReport.Write(report, request.Time, ".", document, wanted.Name)
            : SavedRetained.Write(watch, report, wanted.Name),
        Imagine = Simulated.Of,
        Playback = watch.Playback,
        Probes = () => watch.Probes,
        Forget = watch.Forget,
        Again = watch.CanWatchAgain ? watch.Again : null,
    };

    // Durations are in whole seconds, because the screen is redrawn whenever a notice changes.
    static Notice? Notices(IWatch watch) => watch switch
    {
        { Awaits: { } awaits } => awaits,
        { Silence: { } silence } => new(
            "NO DATA", (silence with { For = TimeSpan.FromSeconds(Math.Floor(silence.For.TotalSeconds)) }).Since),
        { Behind: { } behind } => $"{Format.Duration(Math.Floor(behind.TotalSeconds) * 1000)}: tpwatch cannot read events fast enough"
            is var text ? new("BEHIND", $"{text}. L shows details", text) : null,
        _ => null,
    };
}

/// <summary>Simulates a change of settings for the screen: returns the answer, or the reason why there is none.</summary>
static class Simulated
{
    public static WhatIfSession Of(PoolReport report, WhatIfChange change)
    {
        if (WhatIfStudy.Of(report, new MeasuredItems(new CounterItems()), out var missing) is not { } study)
        {
            return new(null, missing);
        }

        try
        {
            WhatIfOptionSet.Check(change, study.Settings);
            var answer = study.Answer(change);
            return answer.Unknown is { } why ? new(null, why) : new(answer, null);
        }
        catch (UserErrorException e)
        {
            return new(null, $"{e.Message}; {e.Hint}");
        }
    }
}
