using Tpwatch.Diagnosis;

namespace Tpwatch.Text;

/// <summary>Renders the whole report, without colour and up to 100 columns: the short report, then the supporting sections.</summary>
static class TextReportRenderer
{
    /// <summary>Returns the whole report; ends with a line break.</summary>
    public static string Render(PoolReport report, TimeStyle time, bool showCommandLine)
    {
        IEnumerable<string>[] sections =
        [
            TextLayout.Lines(ShortReportRenderer.Texts(report, time), TextLayout.Width),
            OverviewRenderer.Lines(report, time),
            FindingRenderer.Lines(report),
            WhatIfRenderer.Section(report),
            BlockersRenderer.Lines(report),
            InsideRenderer.Lines(report, time),
            RequestsRenderer.Lines(report),
            ItemsRenderer.Lines(report, time),
            InjectionDelayRenderer.Lines(report, time),
            TargetRenderer.Lines(report.Timeline.Target, showCommandLine),
            CaptureRenderer.Lines(report, time),
        ];
        var texts = sections.Select(lines => string.Join('\n', lines)).Where(text => text.Length > 0);
        return string.Join("\n\n", texts) + "\n";
    }
}

/// <summary>Renders the facts behind the short report: episodes, threads, queue, totals and forecast.</summary>
static class OverviewRenderer
{
    /// <summary>Maximum number of episodes in the section; the longest are shown.</summary>
    const int ToldEpisodes = 5;

    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time) =>
        Trouble(report, time).Concat(Levels(report)).Concat(Totals(report)).Concat(ForecastRenderer.Lines(report));

    static IEnumerable<string> Trouble(PoolReport report, TimeStyle time) =>
        Longest(report).SelectMany(e => TextLayout.Fact("episode", Episode(report, e, time)))
            .Concat(report.Episodes.Length - ToldEpisodes is > 0 and var left
                ? [$"              {Format.Plural(left, "shorter episode")} left out"] : []);

    /// <summary>Returns the longest episodes, in order of time.</summary>
    public static IEnumerable<StarvedEpisode> Longest(PoolReport report) =>
        report.Episodes.OrderByDescending(e => e.Span.Ms).Take(ToldEpisodes).OrderBy(e => e.Span.From);

    static string Episode(PoolReport report, StarvedEpisode episode, TimeStyle time)
    {
        var seen = ProblemOnset.IsSeen(report, episode.Span.From);
        var length = (seen ? "" : "at least ") + Format.Duration(episode.Span.Ms);
        var end = episode.Over
            ? $"to {time.Spoken(report.Timeline, episode.Span.To)} ({length})"
            : $"for {length}. At the end of the capture, "
                + $"{(IsEmptied(episode, report) ? "the queue was empty" : "the episode was not over")}";
        var proof = episode.ProvenWaitMs > 0 && report.Items?.StarvedDelay is not { IsKnown: true }
            ? $". An item waited at least {Format.Duration(episode.ProvenWaitMs)}" : "";
        return $"{VerdictWords.Of(episode.Kind)} from {time.Spoken(report.Timeline, episode.Span.From)} "
            + $"{(seen ? "" : "or before, ")}{end}{proof}";
    }

    // Whether the queue is empty at the end. An episode stays open until several counter samples show an empty queue.
    static bool IsEmptied(StarvedEpisode episode, PoolReport report) =>
        report.Timeline.Levels.QueueLength == 0 && episode.Kind is not (Verdict.Held or Verdict.NotThePool);

    static IEnumerable<string> Levels(PoolReport report)
    {
        var levels = report.Timeline.Levels;
        var rate = Words.Known(levels.CompletedPerSecond) is { } r ? $"last {Format.Rate(r)} completed" : null;
        var cpu = Words.Known(levels.Cpu) is { } c ? $"last cpu {Format.Percent(c)}" : null;
        return TextLayout.Fact(VerdictWords.Lasting(report), Phrases.Starved(report))
            .Concat(TextLayout.Fact("threads", Phrases.Levels(Phrases.Named("peak", report.MaxWorkers),
                Phrases.Named("last", levels.Workers), Phrases.Named("target", levels.TargetThreads))))
            .Concat(TextLayout.Fact("queue", Phrases.Levels(Phrases.Named("peak", report.MaxQueueLength),
                Phrases.Named("last", levels.QueueLength), rate, cpu)));
    }

    static IEnumerable<string> Totals(PoolReport report) =>
        TextLayout.Fact("adjustments", DelayWords.Adjustments(report.Adjustments))
            .Concat(TextLayout.Fact("delays", DelayWords.Tally(report.Tally)));
}

/// <summary>Renders the section on the target: the process, its pool settings, and the source of each value.</summary>
static class TargetRenderer
{
    // Returns the decimal value of a setting that the runtime reads as hexadecimal; empty for other settings.
    static string Hexadecimal(PoolSetting setting) => setting is { Source: SettingSource.Environment, Value: { Length: > 1 } value }
        && setting.Name.EndsWith("WorkerThreads", StringComparison.Ordinal) && Targets.PoolLimits.Hexadecimal(value) is { } count
            ? $"; hexadecimal for {Format.Count(count)}" : "";

    public static IEnumerable<string> Lines(TargetFacts target, bool showCommandLine) =>
    [
        "Target",
        .. TextLayout.Fact("process", TargetWords.Whole(target)),
        .. target.CommandLine is { } c
            ? TextLayout.Fact("command", Words.OneLine(showCommandLine ? c : Targets.TargetCommandLine.Shorten(c))) : [],
        .. TextLayout.Fact("pool", TargetWords.Pool(target)),
        .. target.Settings.SelectMany(s => TextLayout.Fact(
            "setting", $"{s.Name}={Words.OneLine(s.Value)} ({TargetWords.Source(s.Source)}{Hexadecimal(s)})")),
    ];
}

/// <summary>Renders the section on the capture: start, length, completeness, and remarks on its quality.</summary>
static class CaptureRenderer
{
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time)
    {
        var timeline = report.Timeline;
        var length = Format.Duration(timeline.Now.MsSince(timeline.Start));
        return
        [
            "Capture",
            .. TextLayout.Fact("from", $"{(timeline.StartUtc == default ? "?" : Format.Utc(timeline.StartUtc))} for {length}"
                + EndWords.Whole(report)),
            .. TextLayout.Fact("quality",
                $"{Words.Of(CaptureGrades.Of(timeline))}: {Format.Plural(timeline.Quality.Events, "event")}, "
                    + $"{CaptureGrades.InWords(timeline, time)}"),
            .. report.Depth.HasFlag(CaptureDepth.Auto) ? TextLayout.Fact("depth", Auto(report)) : [],
            .. timeline.Quality.Remarks.SelectMany(r => TextLayout.Fact("remark", Words.OneLine(r))),
        ];
    }

    // Says how many stack bursts were taken and what they cost. Only for depth auto, at which tpwatch decides when to take bursts.
    static string Auto(PoolReport report) => report.Bursts is not { Taken.Length: > 0 } bursts
        ? $"auto took no stacks: {Phrases.NoBurst(report)}"
        : $"auto took {Phrases.Taken(bursts)}; {Phrases.PausedBy(bursts)}";
}

/// <summary>Builds texts about how a capture ended.</summary>
static class EndWords
{
    /// <summary>Returns source and end of a capture, as the text after its length: <c>, live; the watch ended</c>.</summary>
    public static string Whole(PoolReport report) => report.End is SessionEnd.EndOfRecording or SessionEnd.RecordingBroken
        ? $"; {Of(report.End)}" : $", {Words.Of(report.Timeline.Source)}; {Of(report.End)}";

    /// <summary>Returns how a capture ended, as a part of a sentence: <c>the process was killed or crashed</c>.</summary>
    public static string Of(SessionEnd end) => end switch
    {
        SessionEnd.StillOpen => "still watching",
        SessionEnd.StoppedByUs => "the watch ended",
        SessionEnd.TargetExited => "the process exited",
        SessionEnd.TargetKilled => "the process was killed or crashed",
        SessionEnd.StreamBroken => "the event stream broke although the process still runs",
        SessionEnd.EndOfRecording => "the recording was read to its end",
        _ => "the recording is incomplete or damaged",
    };
}

/// <summary>Renders the section on findings: each with evidence and remedies, then the finding rules that are undecided or clear.</summary>
static class FindingRenderer
{
    /// <summary>Returns the lines of the section; none if no finding rule was evaluated.</summary>
    public static IEnumerable<string> Lines(PoolReport report) =>
        report.Findings.Length + report.Undecided.Length + report.Clear.Length == 0 ? [] :
        [
            "Findings",
            .. Found(report),
            .. Undecided(report),
            .. report.Clear.IsEmpty ? [] : TextLayout.Fact("clear", string.Join(", ", report.Clear)),
        ];

    /// <summary>Returns the lines for the undecided finding rules, each with the data that it lacks.</summary>
    public static IEnumerable<string> Undecided(PoolReport report) => report.Undecided.SelectMany(u =>
        TextLayout.Fact(u.Id, $"{FindingCatalogue.Question(u.Id)} Undecided: {Words.OneLine(u.Missing)}"));

    // Returns the lines for the findings. Evidence or a remedy that several findings share is listed only once.
    static List<string> Found(PoolReport report)
    {
        var told = new HashSet<string>(StringComparer.Ordinal);
        var lines = new List<string>();
        foreach (var finding in report.Findings.OrderByDescending(f => f.Severity))
        {
            lines.AddRange(TextLayout.Wrap(
                $"{finding.Id} {Words.Of(finding.Severity)}: {finding.Title} (confidence {Words.Of(finding.Confidence)})", 2));
            lines.AddRange(TextLayout.Wrap(Words.OneLine(finding.Headline), 4));
            lines.AddRange(finding.Evidence.Where(e => told.Add(EvidenceText.Of(e)))
                .SelectMany(e => TextLayout.Point("-", $"{EvidenceText.Of(e)} ({EvidenceText.Source(e)})", 4)));
            lines.AddRange(finding.Remedies.Select(RemedyWords.Of).Where(told.Add).SelectMany(r => TextLayout.Point(">", r, 4)));
        }

        return lines;
    }
}

/// <summary>Renders the section on the calls that block worker threads, by the innermost frame of the user's code.</summary>
static class BlockersRenderer
{
    const int Told = 5;

    /// <summary>Maximum number of frames of the first call's stack; the JSON report has all.</summary>
    const int Frames = 12;

    /// <summary>Returns the lines of the section; none if no stacks were requested.</summary>
    public static IEnumerable<string> Lines(PoolReport report) => report is { Bursts: { } bursts }
        ? [
            report.Blockers is [{ Kind: BlockKind.Cpu }, ..] ? "Code that worker threads run" : "Calls that block worker threads",
            .. TextLayout.Fact("sampled", Sampled(report, bursts)),
            .. (report.Blockers ?? []).Take(Told)
                .SelectMany(b => TextLayout.Fact(Format.Percent(b.Share), BlockingPlaceWords.InFull(b, bursts.WaitsFor))),
            .. report.Blockers is [var first, ..]
                ? Folded(first).Take(Frames).SelectMany((f, i) => TextLayout.Fact(i == 0 ? "stack" : "", f))
                : [],
            .. bursts.Remarks.SelectMany(r => TextLayout.Fact("remark", Words.OneLine(r))),
        ]
        : [];

    /// <summary>Returns the stack, innermost frame first. After the first frame of user code, a count replaces runtime frames.</summary>
    public static IEnumerable<string> Folded(Blocker blocker)
    {
        var own = false;
        return StackFolding.Of(blocker.Stack, IsHidden).Select(part => part.Frame ?? $"... {Format.Plural(part.Hidden, "runtime frame")}");

        bool IsHidden(string frame)
        {
            var runtime = frame.StartsWith("System.", StringComparison.Ordinal) || frame.StartsWith("Microsoft.", StringComparison.Ordinal);
            own |= !runtime;
            return own && runtime;
        }
    }

    static string Sampled(PoolReport report, StackBursts bursts) => bursts.Taken.IsEmpty
        ? "no burst was taken: either nothing starved, or every burst failed"
        : $"{Phrases.Taken(bursts)}, {Format.Plural(bursts.Samples, "sample")} of busy worker threads; "
            + Phrases.PausedBy(bursts)
            + bursts.WaitsFor switch
            {
                WaitsFor.QueuedItems when Tpw010Deadlock.Cycle(report) is { } cycle => $". {cycle.TrimEnd('.')}",
                WaitsFor.QueuedItems => ". Every worker thread waits for a task or an event, and no running thread will complete it. "
                    + "This is a deadlock on queued work, unless a timer or a socket completes the task",
                WaitsFor.Outside => ". The threads do not wait for queued items",
                _ => "",
            };
}

/// <summary>Replaces runs of hidden frames of a stack by their number.</summary>
static class StackFolding
{
    /// <summary>Returns each shown frame, and null with the number of frames for each run of hidden frames.</summary>
    public static IEnumerable<(string? Frame, int Hidden)> Of(IEnumerable<string> stack, Func<string, bool> isHidden)
    {
        var hidden = 0;
        foreach (var frame in stack)
        {
            if (isHidden(frame))
            {
                hidden++;
                continue;
            }

            if (hidden > 0)
            {
                yield return (null, hidden);
                hidden = 0;
            }

            yield return (frame, 0);
        }

        if (hidden > 0)
        {
            yield return (null, hidden);
        }
    }
}

/// <summary>Renders the section on HTTP requests by route; the route that lost the most time to starvation is first.</summary>
static class RequestsRenderer
{
    const int Places = 2;

    const int Told = 10;

    const int Column = 10;

    /// <summary>Minimum time lost to starvation for which the short report mentions a route, milliseconds.</summary>
    const double WorthTelling = 100;

    const string Unknown = "It is not known which route holds the threads, because its requests began before tpwatch watched and have "
        + "not ended.";

    static readonly string[] Heads = ["p50", "p90", "p95", "p99", "p99.9", "max", "requests"];

    /// <summary>Returns texts about the routes that lost most time to starvation, or why they are not known; none if healthy.</summary>
    public static IEnumerable<LabelledText> Brief(PoolReport report) => LabelledText.Of("requests", (report.Requests?.Routes ?? [])
        .Where(r => r is { LostMs: >= WorthTelling, During: not null }).Take(Places)
        .Select(route => Words.OneLine(Sentence(route)))
        .Concat(IsUnknown(report) ? [Unknown] : []));

    // Whether an ASP.NET Core server's threads are blocked, its requests are watched, and the blocked route is still unknown.
    static bool IsUnknown(PoolReport report) => (report.Depth & (CaptureDepth.Auto | CaptureDepth.Requests)) != 0
        && report.Verdict.IsTrouble() && report.Blockers is [{ Routes.IsEmpty: true } first, ..]
        && first.Stack.Any(frame => frame.StartsWith("Microsoft.AspNetCore.Server.", StringComparison.Ordinal)
            || frame.StartsWith("Microsoft.AspNetCore.Routing.", StringComparison.Ordinal));

    /// <summary>Returns the lines of the section; none if requests were not watched.</summary>
    public static IEnumerable<string> Lines(PoolReport report) => report.Requests is not { } requests ? [] :
    [
        report.Episodes.IsEmpty ? "Requests by route" : "Requests, by time lost while the pool starved",
        .. TextLayout.Fact("watched", $"for {Format.Duration(requests.Watched.Ms)}; "
            + $"{Format.Plural(requests.UnderWay, "request")} still running"
            + (requests.Unmatched == 0 ? "" : $"; {Format.Count(requests.Unmatched)} others not counted, because "
                + "their start or end was not seen")),
        $"  {"",-16}{string.Concat(Heads.Select(h => h.PadLeft(Column)))}",
        .. requests.Routes.Take(Told).SelectMany(route => Rows(route, report.IsNow)),
        .. requests.Routes.Take(Told).Any(HasBounds) ? TextLayout.Fact(">=", "a lower bound, since some requests still run") : [],
    ];

    /// <summary>Minimum time that is written, milliseconds; a shorter time would be written as 0.0 ms.</summary>
    const double LeastToldMs = 0.1;

    // ASP.NET Core starts a request only when a worker thread has read its first bytes, so the wait before that is not counted.
    const string FromThread = "counted from when a thread took the request";

    static string Sentence(RouteTimes route)
    {
        var during = route.During!;
        var before = (route.Before ?? route.After) is { P50Ms: >= LeastToldMs } usual
            ? $" (at other times {Format.Duration(usual.P50Ms)})" : "";
        var open = route.UnderWay > 0 ? $"; {Format.Count(route.UnderWay)} still running" : "";
        var longest = $"{(during.AtLeast.HasFlag(LowerBounds.Max) ? ">= " : "")}{Format.Duration(during.MaxMs)}";
        return !during.HasEnoughFor(LowerBounds.P50)
            ? $"{route.Route}: one request took {longest} while the pool starved{before}, {FromThread}{open}"
            : $"{route.Route}: half of the requests took {Format.Duration(during.P50Ms)} or more while the pool starved{before}, "
                + $"the longest {longest}, {FromThread}{open}";
    }

    static IEnumerable<string> Rows(RouteTimes route, bool isNow) =>
    [
        .. TextLayout.Point("-", Words.OneLine(Heading(route)), 2),
        .. Row("all", route.All),
        .. route.During is null
            ? []
            : (string[])[.. Row("before", route.Before), .. Row("starved", route.During), .. isNow ? [] : Row("after", route.After)],
    ];

    static bool HasBounds(RouteTimes route) =>
        new[] { route.All, route.Before, route.During, route.After }.Any(part => part is { IsKnown: true, AtLeast: not LowerBounds.None });

    static string Heading(RouteTimes route)
    {
        string[] told =
        [
            .. route.LostMs < LeastToldMs ? [] : new[] { $"{Format.Duration(route.LostMs)} lost, summed over its requests" },
            .. route.UnderWay == 0 ? [] : new[] { $"{Format.Count(route.UnderWay)} still running" },
        ];
        return told is [] ? route.Route : $"{route.Route}: {string.Join(", ", told)}";
    }

    static IEnumerable<string> Row(string name, Distribution? part) => part is not { IsKnown: true }
        ? []
        : [$"  {"  " + name,-16}{string.Concat(Quantiles.Of(part).Select(q => q.Text.PadLeft(Column)))}"
            + $"{Format.Count(part.Counted),Column}"];
}

/// <summary>Renders a memory reading: what the threads wait for, the queued items and the limits.</summary>
static class InsideRenderer
{
    /// <summary>Maximum number of lines in the short report.</summary>
    const int Brief = 3;

    /// <summary>Maximum number of waits in the short report.</summary>
    const int BriefWaits = 2;

    /// <summary>Maximum number of kinds of queued items in the short report.</summary>
    const int BriefKinds = 3;

    /// <summary>Maximum number of waits and of kinds of queued items in the whole report; the JSON report has all.</summary>
    const int Most = 20;

    /// <summary>Returns the most important facts for the short report; none without a reading.</summary>
    public static IEnumerable<LabelledText> Short(PoolReport report) => report.Inside is not { } reading ? [] : LabelledText.Of(
            "waits for", [.. reading.Waits.Where(w => w.Workers > 0).OrderByDescending(w => w.Workers).Take(BriefWaits)
                .Select(w => Wait(w, reading))])
        .Concat(reading.Queue is { Total: > 0 } queue && InsideWords.Kinds(queue, BriefKinds) is { } kinds
            ? [new("in queue", Words.OneLine(kinds))] : [])
        .Concat(reading.Limits is { } limits ? [new("limits", InsideWords.Of(limits))] : [])
        .Take(Brief);

    /// <summary>Returns the lines of the section in the whole report; none without a reading.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time) => report.Inside is not { } reading ? [] :
    [
        "Memory of the process",
        .. TextLayout.Fact("read", $"{time.Spoken(report.Timeline, reading.At)}, {InsideWords.Taken(reading)}"),
        .. Facts(reading),
    ];

    public static IEnumerable<string> Facts(InsideReading reading) =>
    [
        .. reading.Limits is { } limits ? TextLayout.Fact("limits", InsideWords.Of(limits)) : [],
        .. Facts("waits for", reading.Waits.Take(Most).Select(w => Wait(w, reading))),
        .. reading.Queue is { } queue
            ? TextLayout.Fact("queue", InsideWords.Places(queue))
                .Concat(Facts("in queue", queue.Kinds.Take(Most).Select(k => Words.OneLine(InsideWords.Kind(k)))))
            : [],
        .. Facts("not known", reading.Unknown.Select(u => Words.OneLine(InsideWords.Of(u)))),
    ];

    static string Wait(InsideWait wait, InsideReading reading) => Words.OneLine(InsideWords.Of(wait, reading));

    static IEnumerable<string> Facts(string label, IEnumerable<string> texts) =>
        LabelledText.Of(label, texts).SelectMany(t => TextLayout.Fact(t.Label!, t.Text));
}

/// <summary>Renders one memory reading without a watch: the verdict, as far as one moment shows it, and all facts.</summary>
static class InsideReadingRenderer
{
    /// <summary>Returns the text for a reading of a core dump; ends with a line break.</summary>
    public static string OfDump(InsideReading reading, string file, int width) => Render(reading, "dump", file, width);

    /// <summary>Returns the text for a reading of a running process; ends with a line break.</summary>
    public static string OfProcess(InsideReading reading, string process, int width) => Render(reading, "reading", process, width);

    static string Render(InsideReading reading, string what, string source, int width)
    {
        var moment = InsideJudgement.Of(reading);
        return string.Join('\n', (string[])
        [
            .. TextLayout.Wrap($"{VerdictWords.Of(moment.Verdict)} at the moment of the {what}. {moment.Sentence}", width: width),
            "",
            .. InsideRenderer.Facts(reading),
            .. TextLayout.Fact("threads", Format.Plural(reading.Threads, "managed thread")),
            .. TextLayout.Fact(what == "dump" ? what : "process", source),
        ]) + "\n";
    }
}

/// <summary>Renders the section on work items: percentiles of queue time and run time, and the items with the longest queue time.</summary>
static class ItemsRenderer
{
    const int Told = 5;

    const int Column = 10;

    static readonly string[] Heads = ["p50", "p90", "p95", "p99", "p99.9", "max", "items"];

    /// <summary>Returns the lines of the section; none if items were not watched.</summary>
    public static IEnumerable<string> Lines(PoolReport report, TimeStyle time) =>
        report is { Items: { } items, QueueDelay: { } delay, RunTime: { } run }
            ? [
                "Work items",
                .. TextLayout.Fact("measured", Measured(delay, items)),
                $"  {"",-16}{string.Concat(Heads.Select(h => h.PadLeft(Column)))}".TrimEnd(),
                .. Row("queue time", delay), .. Row("  healthy", items.HealthyDelay),
                .. Row("  starved", items.StarvedDelay), .. Row("run time", run),
                .. delay.AtLeast == LowerBounds.None && run.AtLeast == LowerBounds.None ? []
                    : TextLayout.Fact(">=", "a lower bound, since some items still wait or run"),
                .. items.Slowest.Where(s => s.WaitMs >= 1).Take(Told).SelectMany(s => TextLayout.Fact("waited", Slow(s, report, time))),
            ]
            : [];

    static string Measured(Distribution delay, ItemTimes items)
    {
        var waiting = items.Waiting == 0 ? "" : $"; {Format.Plural(items.Waiting, "item")} still wait{(items.Waiting == 1 ? "s" : "")}"
            + (items.OldestWaitMs is { } oldest ? $", the oldest for {Format.Duration(oldest)}" : "");
        var partly = delay.Unmatched == 0 ? "" : $"; {Format.Count(delay.Unmatched)} more with start or end missing "
            + "(queued before the capture, or run by the waiting thread itself)";
        return $"{Format.Plural(delay.Count, "item")}{(items.Waiting > 0 ? " started" : "")}{partly}{waiting}";
    }

    static IEnumerable<string> Row(string name, Distribution? part) => part is not { IsKnown: true }
        ? []
        : [$"  {name,-16}{string.Concat(Quantiles.Of(part).Select(q => q.Text.PadLeft(Column)))}{Format.Count(part.Count),Column}"];

    static string Slow(SlowItem item, PoolReport report, TimeStyle time)
    {
        var ran = item.RunMs is { } ms ? $"then ran for {Format.Duration(ms)}" : "and still runs";
        var freed = item.FreedBy is { } injectionDelay ? $"started by thread injection #{injectionDelay} ({item.Reason})"
            : "started by an existing thread";
        return $"{Format.Duration(item.WaitMs)}, queued {time.Spoken(report.Timeline, item.Queued)}, {freed}, {ran}";
    }
}

/// <summary>Renders the forecast: when the pool injects the next thread, and the queue time of a new item.</summary>
static class ForecastRenderer
{
    public static IEnumerable<string> Lines(PoolReport report) => report.Forecast is not { } forecast ? [] :
    [
        .. forecast.NextInjection is { } next ? TextLayout.Fact("next thread", Next(next, forecast.At))
            : None(report) is { } none ? TextLayout.Fact("next thread", none) : [],
        .. DelayWords.NewItem(report) is { } told ? TextLayout.Fact("new item", told) : [],
    ];

    static string? None(PoolReport report) =>
        report is { IsNow: true, Verdict: Verdict.StarvedAtMax } && !AtMax.IsInQuestion(report) && AtMax.Reached(report) is { } max
            ? (report.Timeline.Target.MaxWorkers.Value is null ? $"probably none: MaxThreads seems to be {Format.Count(max)}"
                : $"none: MaxThreads ({Format.Count(max)}) is reached") + $" ({Words.Code(Mechanism.G8Ceiling)})"
            : null;

    static string Next(NextInjection next, EventTime now)
    {
        double[] others = [.. next.Windows.Where(w => next.At < w.From || next.At > w.To)
            .Select(w => (w.From.MsSince(now) + w.To.MsSince(now)) / 2)];
        double[] likely = [.. (next.Sure ? [] : others).Append(next.At.MsSince(now))];
        // If the rule certainly applies, the predicted time comes first, and others are less likely. Otherwise all are equally likely.
        var unlikely = next.Sure && others.Length > 0 ? $" (less likely {In(others)})" : "";
        return $"{In(likely)}{unlikely}, {next.Condition} ({Words.Code(next.Mechanism)})";
    }

    static string In(IEnumerable<double> moments) =>
        "in " + string.Join(" or ", moments.Order().Select(ms => Format.Duration(Math.Max(0, ms))));
}

/// <summary>Renders the summary that is printed at the end of a watch.</summary>
static class SummaryRenderer
{
    /// <summary>Returns the lines, without a line break at the end.</summary>
    public static string Render(PoolReport report, TimeStyle time) => string.Join('\n', Lines(report, time));

    static IEnumerable<string> Lines(PoolReport report, TimeStyle time) =>
    [
        "",
        VerdictWords.Of(report),
        .. TextLayout.Wrap(Words.OneLine(report.Headline)),
        .. TextLayout.Fact(
            "watched", $"{Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start))}; {EndWords.Of(report.End)}"),
        .. TextLayout.Fact(VerdictWords.Lasting(report), Phrases.Starved(report)),
        .. TextLayout.Fact("threads", Phrases.Levels(
            Phrases.Named("peak", report.MaxWorkers), Phrases.Named("queue peak", report.MaxQueueLength))),
        .. TextLayout.Fact("adjustments", DelayWords.Adjustments(report.Adjustments)),
        .. TextLayout.Fact("delays", DelayWords.Tally(report.Tally)),
        .. ForecastRenderer.Lines(report),
        .. TextLayout.Fact("capture", CaptureGrades.InWords(report.Timeline, time)),
    ];
}
