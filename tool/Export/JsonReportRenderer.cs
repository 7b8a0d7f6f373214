using System.Text.Json;
using System.Text.Json.Serialization;
using Tpwatch.Text;

namespace Tpwatch.Export;

/// <summary>Renders a report as JSON, schema <c>tpwatch-report/1</c>.</summary>
static class JsonReportRenderer
{
    /// <summary>Returns the document as text; ends with a line break.</summary>
    /// <param name="now">Time of writing, UTC. For a recording, the document has the time of the recording's end instead.</param>
    public static string Render(PoolReport report, DateTime now, string version, bool showCommandLine) =>
        JsonSerializer.Serialize(Document(report, now, version, showCommandLine), JsonDocuments.Indented.ReportDocument) + "\n";

    static ReportDocument Document(PoolReport report, DateTime now, string version, bool showCommandLine)
    {
        var timeline = report.Timeline;
        var moment = timeline.Source == SessionSource.Recording ? timeline.UtcOf(timeline.Now) : now;
        return new(
            ReportDocument.SchemaName, new(version), Numbers.Utc(moment), TargetSection.Of(timeline.Target, showCommandLine),
            CaptureSection.Of(report), SummarySection.Of(report), [.. report.Episodes.Select(e => EpisodeSection.Of(report, e))],
            SeriesPoint.Of(timeline), [.. report.InjectionDelays.Select(g => InjectionDelaySection.Of(g, timeline))],
            [.. report.Findings.Select(f => FindingSection.Of(f, timeline))],
            [.. report.Undecided.Select(u => new UndecidedSection(u.Id, u.Missing, Words.Of(u.Kind)))],
                [.. report.Clear.Select(id => new ClearSection(id))],
            ForecastSection.Of(report.Forecast, timeline), WhatIfSection.Of(report),
            DistributionSection.Of(report.QueueDelay, report.Items?.HealthyDelay, report.Items?.StarvedDelay),
            DistributionSection.Of(report.RunTime, report.Items?.HealthyRun, report.Items?.StarvedRun),
            ItemsSection.Of(report.Items, timeline),
            BlockerSection.Of(report), StackBurstsSection.Of(report), RequestsSection.Of(report), InsideSection.Of(report));
    }
}

/// <summary>JSON document, schema <c>tpwatch-report/1</c>. Times: milliseconds since <c>capture.start</c>. Unknown values: null.</summary>
sealed record ReportDocument(
    string Schema, ToolSection Tool, DateTime GeneratedAt, TargetSection Target, CaptureSection Capture, SummarySection Summary,
    IReadOnlyList<EpisodeSection> Episodes, IReadOnlyList<SeriesPoint> Series, IReadOnlyList<InjectionDelaySection> Gaps,
    IReadOnlyList<FindingSection> Findings, IReadOnlyList<UndecidedSection> Undecided, IReadOnlyList<ClearSection> Clear,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ForecastSection? Forecast,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<WhatIfSection>? WhatIf,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] DistributionSection? QueueDelay = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] DistributionSection? RunTime = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ItemsSection? Items = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<BlockerSection>? Blockers = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] StackBurstsSection? Bursts = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] RequestsSection? Requests = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] InsideSection? Inside = null)
{
    public const string SchemaName = "tpwatch-report/1";
}

/// <summary>JSON object for the version of tpwatch that wrote the document.</summary>
sealed record ToolSection(string Version);

/// <summary>JSON object for an undecided finding rule and the data that it lacks. Documents of earlier versions have no kind.</summary>
sealed record UndecidedSection(string Id, string Missing, string? Kind = null);

/// <summary>JSON object for a finding rule that was evaluated and found nothing.</summary>
sealed record ClearSection(string Id);

/// <summary>JSON object for the observed process.</summary>
sealed record TargetSection(
    int? Pid, string Name, string? CommandLine, string? Runtime, string? Os, string? Architecture,
    SourcedNumber Processors, SourcedNumber MinWorkers, SourcedNumber MaxWorkers, IReadOnlyList<SettingSection> Settings)
{
    public static TargetSection Of(TargetFacts target, bool showCommandLine) => new(
        target.Pid == 0 ? null : target.Pid, target.Name, CommandLineOf(target, showCommandLine),
        target.RuntimeVersion, target.Os, target.Architecture,
        SourcedNumber.Of(target.Processors), SourcedNumber.Of(target.MinWorkers), SourcedNumber.Of(target.MaxWorkers),
        [.. target.Settings.Select(s => new SettingSection(s.Name, s.Value, Words.Of(s.Source)))]);

    static string? CommandLineOf(TargetFacts target, bool whole) =>
        target.CommandLine is not { } c ? null : whole ? c : Targets.TargetCommandLine.Shorten(c);
}

/// <summary>JSON object for a number and where it comes from.</summary>
sealed record SourcedNumber(int? Value, string Source)
{
    public static SourcedNumber Of(SourcedValue value) => new(value.Value, Words.Of(value.Source));
}

/// <summary>JSON object for a setting of the target as the user wrote it, and where it comes from.</summary>
sealed record SettingSection(string Name, string Value, string Source);

/// <summary>JSON object for the capture behind a report; <c>lost</c> is null if the number of lost events is unknown.</summary>
sealed record CaptureSection(
    string Source, DateTime? Start, double Duration, long Events, long? Lost, long Undecodable, double CompleteUpTo, string Depth,
    string Quality, IReadOnlyList<string> Remarks, string End, long Evicted)
{
    public static CaptureSection Of(PoolReport report)
    {
        var timeline = report.Timeline;
        var quality = timeline.Quality;
        return new(
            Words.Of(timeline.Source), Numbers.UtcOf(timeline, timeline.Start), Numbers.At(timeline, timeline.Now), quality.Events,
            quality.LossUnknown ? null : quality.Lost, quality.Undecodable,
            Numbers.At(timeline, quality.CompleteUpTo), DepthWord(report.Depth),
            Words.Of(CaptureGrades.Of(timeline)), quality.Remarks, Words.Of(report.End), report.Evicted);
    }

    // Returns one word. If the capture had several depths, the word is the first of them in the order below.
    static string DepthWord(CaptureDepth depth) =>
        ((CaptureDepth[])[CaptureDepth.Stacks, CaptureDepth.Items, CaptureDepth.Requests, CaptureDepth.Inside, CaptureDepth.Auto])
            .FirstOrDefault(one => depth.HasFlag(one), CaptureDepth.Basic).ToString().ToLowerInvariant();
}

/// <summary>JSON object for the verdict and the totals of a report.</summary>
sealed record SummarySection(
    string Verdict, string State, double? Since, string Headline, double? StarvedMs, AdjustmentCountsSection Injections,
    int? MaxWorkers, long? MaxBacklog, DelayTallySection Gaps)
{
    public static SummarySection Of(PoolReport report) => new(
        Words.Of(report.Verdict), report.IsNow ? "now" : "over",
        report.Since is { } since ? Numbers.At(report.Timeline, since) : null,
        report.Headline, Words.IsStarvingKnown(report) ? Numbers.Ms(report.StarvedMs) : null,
        new(report.Adjustments.ToDictionary(p => p.Key.ToString(), p => p.Value)),
        report.MaxWorkers, report.MaxQueueLength, DelayTallySection.Of(report.Tally));
}

/// <summary>JSON object for the number of thread count adjustments for each of the runtime's reasons.</summary>
sealed record AdjustmentCountsSection(IReadOnlyDictionary<string, int> ByReason);

/// <summary>JSON object for the number of injection delays by judgement.</summary>
sealed record DelayTallySection(int Total, int Fits, int Early, int Late, int NoRule, int NoData, int NotTimed, int Open, int Moves)
{
    public static DelayTallySection Of(DelayTally t) =>
        new(t.Total, t.AsExpected, t.Early, t.Late, t.NoRule, t.NoData, t.NotTimed, t.Open, t.Moves);
}

/// <summary>JSON object for an episode in which items waited or threads were held.</summary>
sealed record EpisodeSection(double From, double To, string Kind, bool Over, double ProvenWaitMs)
{
    public static EpisodeSection Of(PoolReport report, StarvedEpisode episode) => new(
        Numbers.At(report.Timeline, episode.Span.From), Numbers.At(report.Timeline, episode.Span.To), Words.Of(episode.Kind), episode.Over,
        Numbers.Ms(episode.ProvenWaitMs) ?? 0);
}

/// <summary>JSON object for an injection delay or another adjustment. Windows are in milliseconds after the start of the delay.</summary>
sealed record InjectionDelaySection(
    int Number, double? Start, double End, string StartBasis, string EndBasis, string? Reason, int? GoalBefore, int? GoalAfter,
    double? ObservedMs, IReadOnlyList<DelayWindowSection> Windows, IReadOnlyList<GateCheckSection> Ticks, string Verdict, string? Rule,
    string Because, double? Cpu, long? Backlog, string? Also)
{
    public static InjectionDelaySection Of(InjectionDelay delay, TimelineSnapshot timeline) => new(
        delay.Number, delay.Start is { } start ? Numbers.At(timeline, start) : null, Numbers.At(timeline, delay.End),
        Words.Of(delay.StartBasis), Words.Of(delay.EndBasis), delay.Reason?.ToString(), delay.TargetThreadsBefore, delay.TargetThreadsAfter,
        Numbers.Ms(delay.ObservedMs), [.. delay.Windows.Select(w => new DelayWindowSection(Numbers.Ms(w.MinMs), Numbers.Ms(w.MaxMs)))],
        [.. delay.Ticks.Select(t => GateCheckSection.Of(t, timeline))], Words.Of(delay.Verdict), Words.Code(delay.Mechanism),
        delay.Because, Numbers.Share(delay.Cpu), delay.QueueLength, delay.Also is { } also ? Words.Code(also) : null);
}

/// <summary>JSON object for a time window in which the runtime's rule allows the injection.</summary>
sealed record DelayWindowSection(double? MinMs, double? MaxMs);

/// <summary>JSON object for what one gate check read and decided.</summary>
sealed record GateCheckSection(double At, double? SinceDequeueMs, double? Cpu, bool Fired, string Why, bool Sure, string Basis)
{
    public static GateCheckSection Of(GateCheck check, TimelineSnapshot timeline) => new(
        Numbers.At(timeline, check.At), Numbers.Ms(check.SinceDequeueMs), Numbers.Share(check.Cpu), check.Fired, check.Why, check.Sure,
        Words.Of(check.Basis));
}

/// <summary>JSON object for the forecast.</summary>
sealed record ForecastSection(
    double At, NextInjectionSection? NextInjection, QueueEmptySection? BacklogGone,
    QueueTimeForecastSection? StartDelayOfNewItem)
{
    public static ForecastSection? Of(PoolForecast? forecast, TimelineSnapshot timeline) => forecast is null ? null : new(
        Numbers.At(timeline, forecast.At), NextInjectionSection.Of(forecast.NextInjection, forecast.At),
        QueueEmptySection.Of(forecast.QueueEmpty, timeline), QueueTimeForecastSection.Of(forecast.StartDelayOfNewItem, timeline));
}

/// <summary>JSON object for the next thread injection. Times are in milliseconds after the time of the forecast.</summary>
sealed record NextInjectionSection(double? InMs, IReadOnlyList<DelayWindowSection> Windows, string? Rule, string Condition, bool Sure)
{
    public static NextInjectionSection? Of(NextInjection? next, EventTime now) => next is null ? null : new(
        Numbers.Ms(next.At.MsSince(now)),
        [.. next.Windows.Select(w => new DelayWindowSection(Numbers.Ms(w.From.MsSince(now)), Numbers.Ms(w.To.MsSince(now))))],
        Words.Code(next.Mechanism), next.Condition, next.Sure);
}

/// <summary>JSON object for when the queue becomes empty, in milliseconds after the start of the capture.</summary>
sealed record QueueEmptySection(double? AtMs, bool Never, string Basis)
{
    public static QueueEmptySection? Of(QueueEmpty? gone, TimelineSnapshot timeline) => gone is null ? null : new(
        gone.At is { } at ? Numbers.At(timeline, at) : null, gone.Never, gone.Basis);
}

/// <summary>JSON object for the expected queue time of an item queued at <paramref name="At"/>; times are in milliseconds.</summary>
sealed record QueueTimeForecastSection(double At, double? MinMs, double? MaxMs, double? EstimateMs, string Basis)
{
    public static QueueTimeForecastSection? Of(QueueTimeForecast? delay, TimelineSnapshot timeline) => delay is null ? null : new(
        Numbers.At(timeline, delay.At), Numbers.Ms(delay.MinMs), Numbers.Ms(delay.MaxMs), Numbers.Ms(delay.EstimateMs), delay.Basis);
}

/// <summary>JSON object for queue times or run times of work items. Percentiles are null if nothing was measured.</summary>
sealed record DistributionSection(
    long Count, long Unmatched, double? P50Ms, double? P90Ms, double? P95Ms, double? P99Ms, double? P999Ms, double? MaxMs,
    long Unfinished, IReadOnlyList<string> AtLeast, IReadOnlyList<DistributionBucketSection> Buckets,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] DistributionSection? Healthy,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] DistributionSection? Starved)
{
    /// <summary>Returns the object for all items, and for those outside and during starvation; null if items were not measured.</summary>
    public static DistributionSection? Of(Distribution? all, Distribution? healthy = null, Distribution? starved = null) =>
        all is null ? null : new(
            all.Count, all.Unmatched, Ms(all, all.P50Ms), Ms(all, all.P90Ms),
            Ms(all, all.P95Ms), Ms(all, all.P99Ms), Ms(all, all.P999Ms), Ms(all, all.MaxMs),
            all.Unfinished, [.. Bounds(all)],
            [.. all.Buckets.Select(b => new DistributionBucketSection(Digits(b.FromMs), Digits(b.ToMs), b.Count))],
            Of(healthy), Of(starved));

    static IEnumerable<string> Bounds(Distribution all) =>
        Enum.GetValues<LowerBounds>().Where(b => b != LowerBounds.None && all.AtLeast.HasFlag(b))
            .Select(b => b.ToString().ToLowerInvariant());

    static double? Ms(Distribution all, double milliseconds) => !all.IsKnown ? null : Numbers.Ms(milliseconds);

    // Rounds to six decimals of a millisecond, because small buckets are a nanosecond wide.
    static double Digits(double milliseconds) => Math.Round(milliseconds, 6);
}

/// <summary>JSON object for the number of items that took from <paramref name="FromMs"/> to less than <paramref name="ToMs"/>.</summary>
sealed record DistributionBucketSection(double FromMs, double ToMs, long Count);

/// <summary>JSON object for measurements of work items other than the distributions of their times.</summary>
sealed record ItemsSection(
    double From, double To, int Waiting, double? OldestWaitMs,
    IReadOnlyList<DelayPointSection> OverTime, IReadOnlyList<SlowItemSection> Slowest)
{
    public static ItemsSection? Of(ItemTimes? items, TimelineSnapshot timeline) => items is null ? null : new(
        Numbers.At(timeline, items.Watched.From), Numbers.At(timeline, items.Watched.To), items.Waiting, Numbers.Ms(items.OldestWaitMs),
        [.. items.OverTime.Select(p => new DelayPointSection(
            Numbers.At(timeline, p.Span.From), Numbers.At(timeline, p.Span.To),
            p.Count, Numbers.Ms(p.P50Ms), Numbers.Ms(p.P99Ms), Numbers.Ms(p.MaxMs)))],
        [.. items.Slowest.Select(s => new SlowItemSection(
            Numbers.At(timeline, s.Queued), Numbers.Ms(s.WaitMs), Numbers.Ms(s.RunMs), s.ThreadId, s.Id, s.FreedBy))]);
}

/// <summary>JSON object for queue times (milliseconds) of items dequeued from <paramref name="From"/> to <paramref name="To"/>.</summary>
sealed record DelayPointSection(double From, double To, long Count, double? P50Ms, double? P99Ms, double? MaxMs);

/// <summary>
/// JSON object for an item that waited long. <paramref name="FreedBy"/> is the number of the injection delay after which a new thread ran
/// the item; null if an existing thread ran the item.
/// </summary>
sealed record SlowItemSection(double Queued, double? WaitMs, double? RunMs, int ThreadId, long Id, int? FreedBy);

/// <summary>JSON object for the HTTP requests by route; the route that lost most time to starvation is first.</summary>
sealed record RequestsSection(
    double From, double To, int UnderWay, long Unmatched, IReadOnlyList<RouteSection> Routes, IReadOnlyList<RequestPointSection> OverTime)
{
    public static RequestsSection? Of(PoolReport report) => report.Requests is not { } requests ? null : new(
        Numbers.At(report.Timeline, requests.Watched.From), Numbers.At(report.Timeline, requests.Watched.To),
        requests.UnderWay, requests.Unmatched,
        [.. requests.Routes.Select(r => new RouteSection(
            r.Route, r.All.Count, Ms(r.All, r.All.P50Ms), Ms(r.All, r.All.P99Ms), Ms(r.All, r.All.MaxMs), r.UnderWay, Numbers.Ms(r.LostMs),
            RoutePartSection.Of(r.Before), RoutePartSection.Of(r.During), RoutePartSection.Of(r.After)))],
        [.. requests.OverTime.Select(p => new RequestPointSection(
            Numbers.At(report.Timeline, p.Span.From), p.Ended, p.UnderWay, p.Ended > 0 ? Numbers.Ms(p.SlowestMs) : null))]);

    public static double? Ms(Distribution part, double milliseconds) => part.IsKnown ? Numbers.Ms(milliseconds) : null;
}

/// <summary>JSON object for the requests of one route. <paramref name="During"/> are those that overlapped starvation.</summary>
sealed record RouteSection(
    string Route, long Count, double? P50Ms, double? P99Ms, double? MaxMs, int UnderWay, double? LostMs,
    RoutePartSection? Before, RoutePartSection? During, RoutePartSection? After);

/// <summary>JSON object for the requests of one route before, during or after starvation.</summary>
sealed record RoutePartSection(long Count, double? P50Ms, double? P99Ms, double? MaxMs)
{
    public static RoutePartSection? Of(Distribution? part) => part is null ? null : new(
        part.Count, RequestsSection.Ms(part, part.P50Ms), RequestsSection.Ms(part, part.P99Ms), RequestsSection.Ms(part, part.MaxMs));
}

/// <summary>JSON object for one second: number of ended requests, maximum number running at once, time of the slowest that ended.</summary>
sealed record RequestPointSection(double T, long Ended, int UnderWay, double? SlowestMs);

/// <summary>JSON object for a route, its share of the samples at a blocking place, and whether most of these are surely its own.</summary>
sealed record RouteShareSection(string Route, double? Share, bool Sure);

/// <summary>JSON object for a place in the user's code where worker threads are blocked.</summary>
sealed record BlockerSection(
    string Frame, IReadOnlyList<string> Through, double? Share, int Threads, string Kind, string? Resource, string ResourceKind,
    IReadOnlyList<string> Stack,
    string? Call, long Samples, string? Owner, IReadOnlyList<HeldPointSection> OverTime,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<RouteShareSection>? Requests = null,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] IReadOnlyList<ResourceShareSection>? Waits = null)
{
    public static IReadOnlyList<BlockerSection>? Of(PoolReport report) => report.Blockers is not { } blockers
        ? null
        : [.. blockers.Select(b => new BlockerSection(
            b.Frame, b.Through, Numbers.Share(b.Share), b.Threads, Words.Of(b.Kind),
            BlockingPlaceWords.Resource(b, report.Bursts?.WaitsFor), Words.Of(b.Resource), b.Stack,
            b.Call, b.Samples, b.Owner, [.. b.OverTime.Select(p => new HeldPointSection(Numbers.At(report.Timeline, p.At), p.Threads))],
            b.Routes.IsEmpty ? null : [.. b.Routes.Select(r => new RouteShareSection(r.Route, Numbers.Share(r.Share), r.Sure))],
            b.Waits.IsEmpty ? null : [.. b.Waits.Select(w => new ResourceShareSection(Words.Of(w.Resource), Numbers.Share(w.Share)))]))];
}

/// <summary>JSON object for a resource that threads at a blocking place wait for, and its share of the samples at that place.</summary>
sealed record ResourceShareSection(string Resource, double? Share);

/// <summary>JSON object for the number of threads blocked at a place in the stack burst at <paramref name="At"/> (milliseconds).</summary>
sealed record HeldPointSection(double At, int Threads);

/// <summary>JSON object for the stack bursts and memory readings that show the blocking places.</summary>
sealed record StackBurstsSection(
    int Count, long Samples, double? PausedMs, string WaitsFor, IReadOnlyList<string> Remarks, IReadOnlyList<StackBurstSection> Taken)
{
    public static StackBurstsSection? Of(PoolReport report) => report.Bursts is not { } bursts ? null : new(
        bursts.Taken.Length, bursts.Samples, Numbers.Ms(bursts.PausedMs), Words.Of(bursts.WaitsFor), bursts.Remarks,
        [.. bursts.Taken.Select(b => new StackBurstSection(
            Numbers.At(report.Timeline, b.At), Numbers.Ms(b.Ms), b.Workers, b.IsReading ? true : null))]);
}

/// <summary>JSON object for one stack burst or memory reading.</summary>
sealed record StackBurstSection(
    double At, double? Ms, int Workers, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] bool? Reading = null);

/// <summary>JSON object for a memory reading; unknown parts are null.</summary>
sealed record InsideSection(
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] double? At, double? Ms, int Threads, int Running,
    InsideLimits? Limits, InsideQueueSection? Queue,
    IReadOnlyList<InsideWaitSection> Waits, IReadOnlyList<InsideUnknownSection> Unknown)
{
    public static InsideSection? Of(PoolReport report) => report.Inside is { } reading
        ? Of(reading, Numbers.At(report.Timeline, reading.At)) : null;

    /// <param name="at">Time of the reading, milliseconds since the start of the capture; null for a core dump.</param>
    public static InsideSection Of(InsideReading reading, double? at) => new(
        at, Numbers.Ms(reading.Ms), reading.Threads, reading.Running, reading.Limits,
        reading.Queue is { } queue ? InsideQueueSection.Of(queue) : null,
        [.. reading.Waits.Select(w => new InsideWaitSection(
            w.Frame, w.Call, w.Threads, w.Workers, w.Chain, Words.Of(w.End), Numbers.Ms(w.DueMs), w.Owner, w.Limit))],
        [.. reading.Unknown.Select(u => new InsideUnknownSection(Words.Of(u.Part), u.Why))]);
}

/// <summary>JSON object for the number of items in each queue of the pool, and the kinds of items.</summary>
sealed record InsideQueueSection(
    long Total, long Global, long HighPriority, long LowPriority, long Assignable, long Local, long Named,
    IReadOnlyList<QueuedKindSection> Kinds)
{
    public static InsideQueueSection Of(InsideQueue queue) => new(
        queue.Total, queue.Global, queue.HighPriority, queue.LowPriority, queue.Assignable, queue.Local, queue.Named,
        [.. queue.Kinds.Select(k => new QueuedKindSection(k.Name, k.Items, k.Resumes, k.Inside))]);
}

/// <summary>JSON object for the number of queued items of one kind.</summary>
sealed record QueuedKindSection(
    string Name, long Items, bool Resumes, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] long? Inside);

/// <summary>JSON object for threads that wait for the same object at the same place.</summary>
sealed record InsideWaitSection(
    string Frame, string Call, int Threads, int Workers, IReadOnlyList<string> Chain, string End, double? DueMs, string? Owner,
    int? Limit);

/// <summary>JSON object for a part of the memory reading that is unknown, and why.</summary>
sealed record InsideUnknownSection(string Part, string Why);

/// <summary>JSON object for a finding with its evidence and remedies.</summary>
sealed record FindingSection(
    string Id, string Title, string Severity, string Confidence, double From, double To, string Headline,
    IReadOnlyList<EvidenceSection> Evidence, IReadOnlyList<RemedySection> Remedies)
{
    public static FindingSection Of(Finding finding, TimelineSnapshot timeline) => new(
        finding.Id, finding.Title, Words.Of(finding.Severity), Words.Of(finding.Confidence),
        Numbers.At(timeline, finding.From), Numbers.At(timeline, finding.To), finding.Headline,
        [.. finding.Evidence.Select(e => new EvidenceSection(e.Text, Words.Known(e.Value), e.Unit, e.Source))],
        [.. finding.Remedies.Select(r => new RemedySection(Words.Of(r.Kind), r.Text, r.Setting))]);
}

/// <summary>JSON object for a number that supports a finding.</summary>
sealed record EvidenceSection(string Text, double? Value, string? Unit, string Source);

/// <summary>JSON object for a remedy, or for the reason why more threads do not help.</summary>
sealed record RemedySection(
    string Kind, string Text, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Setting);
