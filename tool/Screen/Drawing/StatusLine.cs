using Tpwatch.Diagnosis;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The status line: verdict, cause and action, or a banner followed by the verdict.</summary>
static class StatusLine
{
    const string Between = " | ";

    public static void Draw(Pane line, Scene scene)
    {
        var banners = Banner.Of(scene, scene.Window(LaneBox.PlotColumns(line.Width))).ToList();
        if (banners.Count > 0)
        {
            DrawBanner(line, banners, scene.Report);
            return;
        }

        var x = DrawVerdict(line, scene.Report, 1, VerdictWords.HowLong(scene.Report, VerdictWords.Ended(scene.Report)));
        var text = CauseAndAction.Of(scene).First(t => t.Length == 0 || x + 2 + t.Length < line.Width);
        if (text.Length > 0)
        {
            line.Put(x, 0, $": {text}");
        }
    }

    static int DrawVerdict(Pane line, PoolReport report, int x, string howLong)
    {
        var trouble = report.Verdict.IsTrouble();
        var role = !trouble ? Role.Title : report.IsNow ? Role.Alarm : Role.Starvation;
        return line.Put(line.Put(x, 0, VerdictWords.Of(report.Verdict), role), 0, howLong);
    }

    // Draws the word and the text of the first banner, then the verdict of the shown report.
    static void DrawBanner(Pane line, List<Banner> banners, PoolReport report)
    {
        var x = line.Put(1, 0, banners[0].Word, banners[0].Role) + 1;
        var rest = (banners.Count > 1 ? $" +{banners.Count - 1}" : "") + Between;
        var free = line.Width - 1 - x - rest.Length - VerdictWords.Of(report.Verdict).Length;
        var (whole, brief) = (VerdictWords.HowLong(report, VerdictWords.Ended(report)), VerdictWords.HowLong(report));
        var howLong = banners[0].Text.Length + whole.Length <= free ? whole : brief;
        var room = free - howLong.Length;
        var text = banners[0].Text.Length <= room ? banners[0].Text : TextFit.Whole(banners[0].Brief, Math.Max(0, room));
        DrawVerdict(line, report, line.Put(x, 0, text + rest), howLong);
    }
}

/// <summary>A warning that the picture may mislead. The warning takes the place of the cause in the status line, so no row moves.</summary>
/// <param name="Word">One or two upper-case words, which work without colour.</param>
/// <param name="Text">The rest of the sentence after <paramref name="Word"/>.</param>
/// <param name="Brief">A shorter text for a narrow screen.</param>
/// <param name="Role">The role of <paramref name="Word"/>, which the theme styles.</param>
sealed record Banner(string Word, string Text, string Brief, Role Role)
{
    const int LongestName = 24;

    /// <summary>Returns all banners that apply, the most severe first.</summary>
    public static IEnumerable<Banner> Of(Scene scene, TimeWindow window) => new[]
    {
        Ended(scene),
        Lost(scene.Timeline, window),
        scene.State.Notice is { } notice ? new Banner(notice.Word, notice.Text, notice.Brief ?? notice.Text, Role.Alarm) : null,
        Frozen(scene.State.Freeze),
    }.OfType<Banner>();

    static Banner? Ended(Scene scene)
    {
        var target = TextFit.Cut(scene.Timeline.Target.Name, LongestName);
        return scene.Report.End switch
        {
            SessionEnd.TargetExited => Exited($"{target} ended"),
            SessionEnd.TargetKilled => Exited($"{target} was killed"),
            SessionEnd.StreamBroken => new(
                "BROKEN", "The event stream broke; the process still runs. All data is kept.", "The event stream broke", Role.Alarm),
            SessionEnd.RecordingBroken => new(
                "BROKEN", "The recording is incomplete. It ends here.", "The recording is incomplete", Role.Alarm),
            _ => null,
        };
    }

    static Banner Exited(string text) => new("EXITED", $"{text}. R waits for a restart", text, Role.Selection);

    // Returns the banner only while the time of the loss is on the screen; the header always counts lost events.
    static Banner? Lost(TimelineSnapshot timeline, TimeWindow window)
    {
        if (!timeline.Quality.LossSpans.Any(s => s.Touches(window.Span)))
        {
            return null;
        }

        var span = timeline.Quality.LossSpans.Last(s => s.Touches(window.Span));
        var count = timeline.Quality.LossUnknown ? "events" : Format.Plural(timeline.Quality.Lost, "event");
        var (from, to) = (Format.Clock(span.From.MsSince(timeline.Start), tenths: true),
            Format.Clock(span.To.MsSince(timeline.Start), tenths: true));
        return new("LOST", $"{count} at {from}..{to}, L: details", $"{count}, L: details", Role.Alarm);
    }

    static Banner? Frozen(FrozenDisplay? freeze)
    {
        if (freeze is null)
        {
            return null;
        }

        var (shown, newest) = (freeze.Shown.Timeline, freeze.Newest.Timeline);
        var delays = freeze.Newest.InjectionDelays.Count(g => DelayMark.HasMark(g) && g.End > shown.Now);
        var behind = Format.Duration(newest.Now.MsSince(shown.Now));
        var missed = $"for {behind}, {Format.Plural(delays, "new mark")}";
        return new("VIEW FROZEN", $"{missed}; space resumes", missed, Role.Selection);
    }
}

/// <summary>The text after the verdict: the cause and the next action. The text uses only facts of the report.</summary>
static class CauseAndAction
{
    const string ToDo = "6 shows what to do";

    /// <summary>Returns versions of the text in the order of preference; the first version that fits is written.</summary>
    public static IEnumerable<string> Of(Scene scene)
    {
        var (cause, brief) = CauseWords.Shortly(scene.Report);
        foreach (var held in Held(scene.Report))
        {
            yield return Join(cause, held);
            yield return Join(brief, held);
            yield return Join(BlockingPlaceWords.Shortest(BlockingPlaceWords.Culprit(scene.Report)!), held);
        }

        var action = Action(scene);
        yield return Join(cause, action);
        if (BlockingPlaceWords.Culprit(scene.Report) is not null)
        {
            yield return Join(cause, scene.State.View switch
            {
                ViewName.Stacks => "See 6",
                // The view of the findings shows the remedy, with the stack as evidence, so the line refers to no other view.
                ViewName.Findings => "",
                _ => "See 3",
            });
            yield return cause;
        }

        yield return Join(brief, action);
        yield return Join(brief, Action(scene, priced: false));
        yield return Join(brief, Elsewhere(scene, ToDo));
        yield return cause;
        yield return brief;
        yield return "";
    }

    // Returns texts about the lock holder, the thread to examine. If it is in the blocked method, they name the call in that method.
    static IEnumerable<string> Held(PoolReport report)
    {
        if (BlockingPlaceWords.Culprit(report) is { Owner: null, PastLock: { } past })
        {
            yield return $"Its holder probably: {(past.Call is { } call ? $"in {call}" : past.Otherwise)}";
        }

        if (BlockingPlaceWords.Culprit(report) is not { Owner: { } owner } blocker)
        {
            yield break;
        }

        if (blocker.OwnerDoes is { } does)
        {
            yield return $"Lock holder: {does with { Method = does.Plain }}";
            yield return $"Lock holder: {(does.Method == blocker.Brief ? $"in {does.Calls.LastOrDefault(does.Method)}" : does.Plain)}";
        }
        else
        {
            yield return $"Lock holder: {owner}";
        }
    }

    static string Action(Scene scene, bool priced = true) => scene.Report switch
    {
        { } report when LeadingFinding.Of(report.Findings)?.Cause.Kind == CauseKind.NoProcessor => Computes(scene),
        { } report when BlockingPlaceWords.Culprit(report) is not null && scene.State.View == ViewName.Stacks => ToDo,
        { } report when BlockingPlaceWords.Culprit(report) is not null && scene.State.View == ViewName.Findings => "",
        { } report when BlockingPlaceWords.Culprit(report) is { } blocker =>
            blocker.Owner is not null ? "3 shows who holds the lock" : "3 shows the stack",
        { Verdict: Verdict.Wedged } => "Take a dump, then restart",
        { Verdict: Verdict.Saturated } => Computes(scene),
        { Verdict: Verdict.Compensated } report when EndlessGrowth.Of(report) is not null => "Find what the tasks wait for",
        { Verdict: Verdict.Compensated } => scene.State.OffersStacks ? Finds(scene, priced) : "Not urgent: await the tasks",
        { Verdict: Verdict.Healthy } report => LeadingFinding.Elsewhere(report.Findings) is null
            ? "Look at what requests await" : "Look at what the items await",
        { Verdict: Verdict.Undecided } => scene.State.OffersStacks ? Finds(scene, priced)
            : !LacksItemTimes(scene) ? "i shows which data arrives"
            : IsOfItems(scene) ? "t twice measures the wait" : "4, then t twice, measures the wait",
        { Verdict: Verdict.NotThePool } => Elsewhere(scene, "6 shows why"),
        _ => scene.State.OffersStacks ? Finds(scene, priced) : Elsewhere(scene, ToDo),
    };

    // Returns the action; nothing in the view of the findings, which already shows the action below.
    static string Elsewhere(Scene scene, string action) => scene.State.View == ViewName.Findings ? "" : action;

    static bool LacksItemTimes(Scene scene) =>
        scene is { State: { MayMeasureItems: true, MayTakeStacks: true }, Report.Lack.OfItemTimes: true };

    // Whether the shown view is that of queue times, where the key t measures items instead of taking stacks.
    static bool IsOfItems(Scene scene) => scene.State.View == ViewName.Latency;

    static string Finds(Scene scene, bool priced) => $"{(IsOfItems(scene) ? "Press 3, then t, to find" : "t finds")} the call"
        + (priced ? $" (pauses about {DepthPrice.BurstMs} ms)" : "");

    static string Computes(Scene scene) => !scene.State.OffersStacks ? "More threads do not help"
        : $"{(IsOfItems(scene) ? "Press 3, then t, to see" : "t shows")} what computes";

    static string Join(string cause, string action) => action.Length == 0 ? cause : $"{cause}. {action}";
}

/// <summary>Computes when the pool may add the next worker thread, from the newest data and the age of that data.</summary>
static class Countdown
{
    /// <summary>Returns when the next injection may come, as in <c>+1 in 0.3s</c>; empty if not known, as for an exited target.</summary>
    public static string Of(PoolReport report, double aheadMs = 0) =>
        !report.IsNow || report.End.IsOfTarget() || IsNotNoticed(report) || HelpsNobody(report) ? ""
        : Ahead(report, report.Timeline.Now.PlusMs(aheadMs)).FirstOrDefault() is { } first ? $"+1 {first}" : "";

    // Whether starvation is undetected: the pool then adds no thread, because each dequeued item postpones the next injection.
    static bool IsNotNoticed(PoolReport report) =>
        report.InjectionDelays.LastOrDefault() is { Mechanism: Mechanism.G3Undetected, Verdict: DelayVerdict.Open };

    // Whether an added thread is impossible or useless: MaxThreads is reached, certainly or probably, or all processors are busy.
    static bool HelpsNobody(PoolReport report) =>
        report.Verdict is Verdict.StarvedAtMax or Verdict.Saturated || InjectionEffect.StandsAt(report) is not null;

    /// <summary>Whether the screen shows a countdown, so that the screen changes with time even without new data.</summary>
    public static bool Counts(PoolReport report) => report is { IsNow: true, End: SessionEnd.StillOpen } && Of(report).Length > 0;

    /// <summary>
    /// Returns how far the capture has advanced since the newest report arrived, milliseconds, with the speed of a replay taken into
    /// account. The result is 0 if no countdown is shown, and is rounded down to 100 ms, the step of the written countdown.
    /// </summary>
    public static double AheadMs(PoolReport? newest, IPlayback? playback, TimeSpan since)
    {
        if (newest is null || !Counts(newest))
        {
            return 0;
        }

        var speed = playback is null ? 1 : playback is { Paused: false, Speed: { } s } ? s : 0;
        return Math.Floor(Math.Min(since.TotalMilliseconds, LongestAheadMs) * speed / Step) * Step;
    }

    const double Step = 100;

    /// <summary>Maximum time that a countdown goes on without new data, milliseconds: the target may not be running any more.</summary>
    const double LongestAheadMs = 3000;

    // Returns texts for the possible times of the next injection: from the forecast, else from the windows of the open injection delay.
    static IEnumerable<string> Ahead(PoolReport report, EventTime now)
    {
        if (report.Forecast?.NextInjection is { } next && next.Windows.Any(w => w.To >= now))
        {
            return next.At >= now
                ? [Until(next.At.MsSince(now))]
                : next.Windows.Where(w => w.To >= now).Select(w => Until(w.From.MsSince(now)));
        }

        return report.InjectionDelays.LastOrDefault() is { Verdict: DelayVerdict.Open, Start: { } start } open
            ? open.Windows.Where(w => w.MaxMs >= now.MsSince(start)).Select(w => Until(w.MinMs - now.MsSince(start)))
            : [];
    }

    static string Until(double ms) => ms <= 0 ? "now" : FormattableString.Invariant($"in {Math.Ceiling(ms / 100) / 10:0.0}s");
}
