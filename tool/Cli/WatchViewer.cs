using Tpwatch.Assertions;
using Tpwatch.Export;
using Tpwatch.Run;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Cli;

/// <summary>How a watch is shown while it runs.</summary>
/// <param name="Print">Where and in which format the lines and the summary are written.</param>
/// <param name="Screen">The appearance of the screen; null to print lines.</param>
/// <param name="Duration">Maximum duration; null to show the watch to its end.</param>
sealed record ViewingRequest(OutputRequest Print, ScreenAppearance? Screen, TimeSpan? Duration)
{
    /// <summary>The conditions of <c>--fail-on</c>, which are evaluated at the end of the watch.</summary>
    public ImmutableArray<Condition> FailOn { get; init; } = [];
}

/// <summary>Shows a watch while it runs, on the screen or as lines, and then prints a summary.</summary>
sealed class WatchViewer(CommandContext context)
{
    /// <summary>The formats of lines and summary; the first format is the default.</summary>
    public static readonly string[] Formats = ["text", "ndjson", .. ReportDocuments.AtTheEnd];

    /// <summary>Shows the watch to its end; returns the exit code.</summary>
    public async Task<int> RunAsync(IWatch watch, ViewingRequest request, ResultFile result)
    {
        var lines = new LiveLines(Renderer(request), result.Writer);
        var observation = new ObservationRun(watch, context);
        var report = ScreenFor(request) is { } show
            ? await ShowAsync(show, watch, request, observation)
            : await PrintAsync(lines, watch, request, observation);
        lines.PrintSummary(report);
        return (int)FailOnExit.Conclude(observation.Conclude(report), report, request.FailOn, context);
    }

    async Task<PoolReport> ShowAsync(ShowScreen show, IWatch watch, ViewingRequest request, ObservationRun observation)
    {
        using var limit = request.Duration is { } d ? new CancellationTokenSource(d, context.Time) : new CancellationTokenSource();
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, context.Stop);
        await show(watch, request.Screen!, ends.Token);
        return await observation.FinishAsync(_ => { });
    }

    async Task<PoolReport> PrintAsync(LiveLines lines, IWatch watch, ViewingRequest request, ObservationRun observation)
    {
        var remarks = new HashSet<string>(StringComparer.Ordinal);
        var silence = new SilenceNotes(context);
        Introduce(watch.Report());
        var report = await observation.RunAsync(request.Duration, r =>
        {
            foreach (var remark in r.Timeline.Quality.Remarks.Concat(r.Bursts?.Remarks ?? []).Where(remarks.Add))
            {
                context.Note(remark);
            }

            lines.Print(r);
            // Silence is also null after the end of the session. Then no note may say that the process sends data again.
            if (watch.Silence is var now && (now is not null || !watch.Completion.IsCompleted))
            {
                silence.Look(now);
            }
        });
        if (lines.Missed > 0)
        {
            context.Note(
                $"{Format.Plural(lines.Missed, "adjustment")} came faster than tpwatch can print lines; the report has all of them");
        }

        return report;
    }

    void Introduce(PoolReport report)
    {
        var target = report.Timeline.Target;
        context.Note($"{TargetWords.Brief(target)}; Ctrl+C stops with a summary");
    }

    /// <summary>Whether the watch is shown on the screen instead of as lines.</summary>
    public bool HasScreen(ViewingRequest request) => ScreenFor(request) is not null;

    ShowScreen? ScreenFor(ViewingRequest request) =>
        request is { Screen: not null, Print: { File: null, Format: "text" } } && context.Terminal.IsInteractive ? context.Screen : null;

    ILineRenderer Renderer(ViewingRequest request) => request.Print switch
    {
        { Format: "ndjson" } print => new NdjsonLineRenderer(print.ShowCommandLine),
        { Format: "text", Verbose: true } print => new DecisionLineRenderer(print.Time),
        { Format: "text" } print => new ShortLineRenderer(print.Time, TextLayout.In(context.Terminal.Width, print.File)),
        var print => new EndDocumentRenderer(report => new ReportDocuments(context, request.FailOn).Render(report, print)),
    };
}

/// <summary>Creates the screens that show a watch or the wait for a process, and runs them in the terminal.</summary>
static class TerminalScreen
{
    /// <inheritdoc cref="ShowScreen"/>
    public static Task ShowAsync(IWatch watch, ScreenAppearance request, CancellationToken stop)
    {
        var look = AppearanceChoice.Of(request);
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
    public static Task WaitAsync(AwaitedProcess what, ScreenAppearance request, CancellationToken stop)
    {
        var look = AppearanceChoice.Of(request);
        return ScreenHost.RunAsync(
            () => new ProcessWaitWindow(what, look, TimeProvider.System) is var window ? new(window, window.Tick) : null!,
            request.HostOptions(look), stop);
    }

    static ScreenCalls LinksTo(IWatch watch, ScreenAppearance request) => new()
    {
        Save = (report, wanted) => wanted.Document is { } document
            ? ReportSaver.Write(report, request.Time, ".", document, wanted.Name)
            : RetainedSaver.Write(watch, report, wanted.Name),
        Imagine = WhatIfRunner.Of,
        Playback = watch.Playback,
        Probes = () => watch.Probes,
        Forget = watch.Forget,
        Again = watch.CanWatchAgain ? watch.Again : null,
    };

    // Returns the notice for the screen. Its durations are whole seconds, because each change of the notice redraws the screen.
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

/// <summary>Simulates a change of the pool's settings for the screen.</summary>
static class WhatIfRunner
{
    public static WhatIfReply Of(PoolReport report, WhatIfChange change)
    {
        if (WhatIfStudy.Of(report, new MeasuredItems(new EstimatedItems()), out var missing) is not { } study)
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
