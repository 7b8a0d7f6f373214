using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>The status line: verdict, cause and action; or a banner followed by the verdict.</summary>
static class StatusLine
{
    const string Between = " | ";

    /// <summary>Shorter differences are not shown: counter samples cannot resolve them. Milliseconds.</summary>
    const double WorthTellingMs = 1000;

    public static void Draw(Pane line, Scene scene)
    {
        var banners = Banner.Of(scene, scene.Window(LaneBox.PlotColumns(line.Width))).ToList();
        if (banners.Count > 0)
        {
            DrawBanner(line, banners, scene.Report);
            return;
        }

        var x = DrawVerdict(line, scene.Report, 1, HowLong(scene.Report, Ended(scene.Report)));
        var text = VerdictLine.Of(scene).First(t => t.Length == 0 || x + 2 + t.Length < line.Width);
        if (text.Length > 0)
        {
            line.Put(x, 0, $": {text}");
        }
    }

    /// <summary>
    /// How long items waited, and whether it is over; for compensation only since when, because a target thread count that goes up and down
    /// has no total. Empty if no item waited.
    /// </summary>
    public static string HowLong(PoolReport report) => HowLong(report, "ended");

    static string HowLong(PoolReport report, string over) => report.Verdict == Verdict.Compensated ? Compensated(report)
        : !report.Verdict.IsTrouble() || report.StarvedMs <= 0 ? ""
        : report.IsNow ? $" {Lasting(report)}" : $" for {Format.Duration(report.StarvedMs)}, {over}";

    // If items already waited when the capture began, the time is a lower bound. With several episodes the current one is not the total.
    static string Lasting(PoolReport report)
    {
        if (report.Episodes.LastOrDefault(e => !e.Over) is not { } now)
        {
            return Format.Duration(report.StarvedMs);
        }

        var lasts = report.Timeline.Now.MsSince(now.Span.From);
        return report.StarvedMs - lasts > WorthTellingMs ? $"{Format.Duration(lasts)} ({Format.Duration(report.StarvedMs)} in all)"
            : $"{(StartObserved.IsSeen(report, now.Span.From) ? "" : "at least ")}{Format.Duration(report.StarvedMs)}";
    }

    static string Ended(PoolReport report) =>
        report.Episodes is [.., { } last] && report.Timeline.Now.MsSince(last.Span.To) is >= WorthTellingMs and var ms
            ? $"ended {Format.Duration(ms)} ago" : "ended";

    static string Compensated(PoolReport report) => Compensation.IsOver(report) ? ", ended"
        : Compensation.First(report) is not { } first || StartObserved.IsAtTheStart(report.Timeline, first.End) ? ""
        : $" since {Format.Clock(first.End.MsSince(report.Timeline.Start), tenths: true)}";

    static int DrawVerdict(Pane line, PoolReport report, int x, string howLong)
    {
        var trouble = report.Verdict.IsTrouble();
        var role = !trouble ? Role.Title : report.IsNow ? Role.Alarm : Role.Starvation;
        return line.Put(line.Put(x, 0, VerdictWords.Of(report.Verdict), role), 0, howLong);
    }

    // The banner's text belongs to its word; the verdict of the shown report follows.
    static void DrawBanner(Pane line, List<Banner> banners, PoolReport report)
    {
        var x = line.Put(1, 0, banners[0].Word, banners[0].Role) + 1;
        var rest = (banners.Count > 1 ? $" +{banners.Count - 1}" : "") + Between;
        var free = line.Width - 1 - x - rest.Length - VerdictWords.Of(report.Verdict).Length;
        var (whole, brief) = (HowLong(report, Ended(report)), HowLong(report));
        var howLong = banners[0].Text.Length + whole.Length <= free ? whole : brief;
        var room = free - howLong.Length;
        var text = banners[0].Text.Length <= room ? banners[0].Text : TextFit.Whole(banners[0].Brief, Math.Max(0, room));
        DrawVerdict(line, report, line.Put(x, 0, text + rest), howLong);
    }
}

/// <summary>A warning that limits how far the picture can be trusted. It replaces the status line, so that no row moves.</summary>
/// <param name="Word">One upper-case word: it works without colour.</param>
/// <param name="Text">The rest of the sentence after the word.</param>
/// <param name="Brief">A shorter text for a narrow screen.</param>
/// <param name="Role">The role of the word, which the theme styles.</param>
sealed record Banner(string Word, string Text, string Brief, Role Role)
{
    const int LongestName = 24;

    /// <summary>All banners that apply, the most severe first.</summary>
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

    // Only while the interval of the loss is on the screen; the header counts lost events in any case.
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

    static Banner? Frozen(Freeze? freeze)
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

/// <summary>The text after the verdict: the cause and the next action. It uses only facts of the report.</summary>
static class VerdictLine
{
    const string ToDo = "6 shows what to do";

    /// <summary>The versions of the text from the longest to the shortest; the first that fits is written.</summary>
    public static IEnumerable<string> Of(Scene scene)
    {
        var (cause, brief) = VerdictCause.Of(scene.Report);
        foreach (var held in Held(scene.Report))
        {
            yield return Join(cause, held);
            yield return Join(brief, held);
            yield return Join(VerdictCause.Shortest(VerdictCause.Culprit(scene.Report)!), held);
        }

        var action = Action(scene);
        yield return Join(cause, action);
        if (VerdictCause.Culprit(scene.Report) is not null)
        {
            yield return Join(cause, scene.State.View switch
            {
                ViewName.Stacks => "See 6",
                // The remedy is shown below with the stack among its evidence, so the line refers to no other view.
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

    // The lock holder is the thread to examine; if it is in the blocked method itself, its call distinguishes it from the waiters.
    static IEnumerable<string> Held(PoolReport report)
    {
        if (VerdictCause.Culprit(report) is { Owner: null, PastLock: { } past })
        {
            yield return $"Its holder probably: {(past.Call is { } call ? $"in {call}" : past.Otherwise)}";
        }

        if (VerdictCause.Culprit(report) is not { Owner: { } owner } blocker)
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
        { } report when LeadingFinding.Of(report)?.Cause.Kind == CauseKind.NoProcessor => Computes(scene),
        { } report when VerdictCause.Culprit(report) is not null && scene.State.View == ViewName.Stacks => ToDo,
        { } report when VerdictCause.Culprit(report) is not null && scene.State.View == ViewName.Findings => "",
        { } report when VerdictCause.Culprit(report) is { } blocker =>
            blocker.Owner is not null ? "3 shows who holds the lock" : "3 shows the stack",
        { Verdict: Verdict.Wedged } => "Take a dump, then restart",
        { Verdict: Verdict.Saturated } => Computes(scene),
        { Verdict: Verdict.Compensated } report when EndlessGrowth.Of(report) is not null => "Find what the tasks wait for",
        { Verdict: Verdict.Compensated } => scene.State.OffersStacks ? Finds(scene, priced) : "Not urgent: await the tasks",
        { Verdict: Verdict.Healthy } report => LeadingFinding.Elsewhere(report) is null
            ? "Look at what requests await" : "Look at what the items await",
        { Verdict: Verdict.Undecided } => scene.State.OffersStacks ? Finds(scene, priced)
            : !LacksItemTimes(scene) ? "i shows which data arrives"
            : IsOfItems(scene) ? "t twice measures the wait" : "4, then t twice, measures the wait",
        { Verdict: Verdict.NotThePool } => Elsewhere(scene, "6 shows why"),
        _ => scene.State.OffersStacks ? Finds(scene, priced) : Elsewhere(scene, ToDo),
    };

    // The view of the findings already shows the action below.
    static string Elsewhere(Scene scene, string action) => scene.State.View == ViewName.Findings ? "" : action;

    static bool LacksItemTimes(Scene scene) =>
        scene is { State: { MayMeasureItems: true, MayTakeStacks: true }, Report.Lack.OfItemTimes: true };

    // On this view the probe's key measures items.
    static bool IsOfItems(Scene scene) => scene.State.View == ViewName.Latency;

    static string Finds(Scene scene, bool priced) => $"{(IsOfItems(scene) ? "Press 3, then t, to find" : "t finds")} the call"
        + (priced ? $" (pauses <= {DepthPrice.BurstMs} ms)" : "");

    static string Computes(Scene scene) => !scene.State.OffersStacks ? "More threads do not help"
        : $"{(IsOfItems(scene) ? "Press 3, then t, to see" : "t shows")} what computes";

    static string Join(string cause, string action) => action.Length == 0 ? cause : $"{cause}. {action}";
}

/// <summary>A place that blocks worker threads, in the few words that fit one line.</summary>
static class BlockerWords
{
    /// <summary>
    /// The place, for one line. A delegate without a name is named by its route; for a method that left no frame only the call is known.
    /// </summary>
    public static string Place(Blocker blocker) => blocker switch
    {
        { IsNameless: true, Route: { } route } => route,
        { LeftNoFrame: true, Call: { } call } => call,
        { IsNameless: true } or { LeftNoFrame: true } => blocker.Frame,
        // A lambda mapped to a route in the program's entry point; "Program.Main" would be read as the start of the program.
        { Route: { } route, IsLambda: true, Plain: "Program.Main" } => route,
        _ => blocker.Plain,
    };

    /// <summary>The kind of wait or the blocking call, in one or two words.</summary>
    public static string Kind(Blocker blocker) => blocker.Kind switch
    {
        BlockKind.Lock => "lock",
        _ when blocker.Call is { } call => call,
        BlockKind.Task => "task wait",
        BlockKind.Io => "I/O",
        BlockKind.Sleep => "sleep",
        BlockKind.Wait or BlockKind.Unseen => "wait",
        _ => "native code",
    };
}

/// <summary>The cause of the verdict, for one line of the screen. It uses only facts of the report.</summary>
static class VerdictCause
{
    /// <summary>Least share of the worker threads' samples for a place to be named as the cause.</summary>
    const double LeastShare = 0.2;

    /// <summary>
    /// If more threads exist now than this multiple of the sampled ones, the text says "sampled", or the others would seem to be free.
    /// </summary>
    const double ManyMore = 1.1;

    /// <summary>The place that blocks the worker threads, by stack samples; null if none were taken, or none shows a place.</summary>
    public static Blocker? Culprit(PoolReport report) =>
        report.Verdict.IsStarvation() || report.Verdict is Verdict.Compensated or Verdict.Undecided
            ? (report.Blockers ?? []).Where(b => b.Kind != BlockKind.Cpu && b.Share >= LeastShare).MaxBy(b => b.Share)
            : null;

    /// <summary>The cause, in full and in brief.</summary>
    public static (string Long, string Brief) Of(PoolReport report)
    {
        if (Culprit(report) is { } blocker)
        {
            var where = $"{Sampled(report, blocker)} blocked in {BlockerWords.Place(blocker)}";
            return (blocker.LeftNoFrame ? where : $"{where} ({BlockerWords.Kind(blocker)})", where);
        }

        if (Named(report) is { } named)
        {
            return named;
        }

        return report.Verdict switch
        {
            Verdict.StarvedAtMax => ($"{Threads(report)}, {Maximum(report)}", Maximum(report)),
            Verdict.SilentlyStarved => ($"{Threads(report)}, and the pool does not detect it", Threads(report, "")),
            Verdict.Starved when HeadlineSentence.WaitsForTasks(report) =>
                ("worker threads wait for tasks (.Result, Wait)", "threads wait for tasks"),
            Verdict.Starved => (Threads(report), Threads(report, "")),
            Verdict.Wedged => ("items wait and no thread takes one", "no thread takes an item"),
            Verdict.Held => ("worker threads hang, the queue is empty", "worker threads hang"),
            Verdict.Saturated => CrowdedOut(report) ?? ComputesIn(report)
                ?? ("items wait because the processors are busy", "processors are busy"),
            Verdict.NotThePool => StandstillSentence.Shortly(report.Timeline),
            Verdict.Compensated when EndlessGrowth.Of(report) is not null =>
                ("threads wait for tasks, and ever more of them", "ever more threads wait"),
            Verdict.Compensated => Compensation.IsOver(report)
                ? ("threads waited for tasks, the pool kept up", "threads waited for tasks")
                : ("threads wait for tasks, the pool keeps up", "threads wait for tasks"),
            Verdict.Healthy => Healthy(report),
            _ => report.Lack is { } lack ? ((lack.First + lack.Rest).TrimEnd('.'), lack.First) : (report.Headline, report.Headline),
        };
    }

    /// <summary>The cause in the fewest words.</summary>
    public static string Shortest(Blocker blocker) =>
        $"{(blocker.Threads == 1 ? "1 thread" : Format.Count(blocker.Threads))} blocked in {BlockerWords.Place(blocker)}";

    // Threads added after the stack burst are not among the sampled ones.
    static string Sampled(PoolReport report, Blocker blocker) => report.IsNow && report.Timeline.Levels.Workers > blocker.Threads * ManyMore
        ? $"{Format.Plural(blocker.Threads, "sampled thread")}" : Format.Plural(blocker.Threads, "thread");

    // The finding below names the computing code, which would do no harm if the process had all processors.
    static (string Long, string Brief)? CrowdedOut(PoolReport report) =>
        ProcessorLack.Of(report).IsCrowdedOut(report)
            ? ("other processes keep the processors busy", "other processes use the CPU")
            : null;

    static (string Long, string Brief)? ComputesIn(PoolReport report) =>
        (report.Blockers ?? []).Where(b => b.Kind == BlockKind.Cpu && b.Share >= LeastShare).MaxBy(b => b.Share) is { } most
            ? ($"processors are busy, most threads compute in {BlockerWords.Place(most)}", $"threads compute in {BlockerWords.Place(most)}")
            : null;

    // If the starvation has a specific reason, this line gives the same reason as the finding below the lanes.
    static (string Long, string Brief)? Named(PoolReport report) =>
        !report.Verdict.IsStarvation() ? null : LeadingFinding.Of(report)?.Cause switch
        {
            { Kind: CauseKind.NoProcessor, Words: { } words } => CrowdedOut(report) ?? (words, "no processor is free"),
            { Kind: CauseKind.OneProcessor, Words: { } words } => (words, "one processor, MinThreads 1"),
            { Kind: CauseKind.DetectorOff, Words: { } words } => (words, "detection is off"),
            { Kind: CauseKind.MemoryVeto, Words: { } words } => (words, "memory is high"),
            _ => null,
        };

    // The newest thread count describes the starvation only while it lasts.
    static string Threads(PoolReport report, string kind = "worker ")
    {
        var levels = report.Timeline.Levels;
        return !report.IsNow ? $"no {kind}thread was free"
            : levels.Workers is not > 0 ? $"no {kind}thread is free"
            : Computing.IsHardlySeen(levels.Cpu, report.Timeline.Target.Processors.Value, levels.Workers)
                ? $"all {Format.Count(levels.Workers.Value)} {kind}threads blocked"
            : $"all {Format.Count(levels.Workers.Value)} {kind}threads busy";
    }

    static string Maximum(PoolReport report) => AtMax.Reached(report) is not { } max ? "MaxThreads is reached"
        : report.Timeline.Target.MaxWorkers.Value is null ? $"probably MaxThreads ({Format.Count(max)}) is reached"
        : $"MaxThreads ({Format.Count(max)}) is reached";

    static (string Long, string Brief) Healthy(PoolReport report)
    {
        if (LeadingFinding.Elsewhere(report) is { Evidence: [{ Value: { } half }, ..] } slow)
        {
            var brief = $"requests take {Format.Duration(half)}";
            return ($"{brief}{(slow.Confidence == Confidence.High ? ", and hold no thread" : "")}", brief);
        }

        var seen = Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start));
        return report.Timeline.CounterSamples.All(b => b.Completed is null or 0) && report.MaxQueueLength is null or 0
            ? ($"no item came in {seen}", "no item came")
            : ($"no queue time of 1 s or more in {seen}", "no queue time of 1 s or more");
    }
}

/// <summary>When the pool added threads for task waits, and whether that is over.</summary>
static class Compensation
{
    /// <summary>Whether the target thread count is back at or below its value before the first raise.</summary>
    public static bool IsOver(PoolReport report) => Steps(report).ToList() is [var first, .., var last]
        && last.TargetThreadsAfter <= (first.TargetThreadsBefore ?? report.Timeline.Target.MinWorkers.Value);

    /// <summary>The first raise of the target thread count that was seen; null if there was none.</summary>
    public static InjectionDelay? First(PoolReport report) => Steps(report).FirstOrDefault(Tpwatch.Text.DelayMark.IsInjection);

    static IEnumerable<InjectionDelay> Steps(PoolReport report) =>
        report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking);
}
