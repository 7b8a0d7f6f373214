using System.Security.Cryptography;
using System.Text;
using Tpwatch.Diagnosis;
using Tpwatch.Text;
using Tpwatch.WhatIf;

namespace Tpwatch.Export;

/// <summary>What the HTML page shows in addition to the report, and how.</summary>
/// <param name="Answers">The simulated changes of settings, with their curves.</param>
/// <param name="Now">Time of writing, UTC. For a recording, the page has the time of the recording's end instead.</param>
sealed record HtmlReportInput(ImmutableArray<WhatIfAnswer> Answers, DateTime Now, string Version, bool ShowCommandLine, TimeStyle Time);

/// <summary>
/// Renders the report as one self-contained HTML page. The content security policy allows only the page's own style and script, by their
/// hashes. So markup from a target could not load or run anything, even if it got into the page.
/// </summary>
static class HtmlReportRenderer
{
    /// <summary>Returns the page; ends with a line break.</summary>
    public static string Render(PoolReport report, HtmlReportInput request)
    {
        Markup[] sections =
        [
            VerdictHtml.Of(report, request.Time), TimelineHtml.Of(report, request.Time), FindingsHtml.Of(report),
            InjectionDelaysHtml.Of(report, request.Time), WhatIfHtml.Of(report, request.Answers),
            BlockersHtml.Of(report), InsideHtml.Of(report), RequestsHtml.Of(report), LatencyHtml.Of(report),
            CaptureHtml.Of(report, request),
        ];
        var body = Markup.Join(sections);
        return Page(report, request, Markup.Of($"{body}{GlossaryHtml.Of(report, body.Source)}")).Source;
    }

    static Markup Page(PoolReport report, HtmlReportInput request, Markup body)
    {
        var (style, script) = (EmbeddedFiles.TimelineCss + EmbeddedFiles.PageCss, EmbeddedFiles.PageScript);
        var timeline = report.Timeline;
        var written = timeline.Source == SessionSource.Recording ? timeline.UtcOf(timeline.Now) : request.Now;
        return Markup.Of($"""
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{Hash(style)}'; script-src '{Hash(script)}'; img-src data:; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
            <title>{VerdictWords.Of(report)}: {timeline.Target.Name}, thread pool report</title>
            <style>{new Markup(style)}</style></head>
            <body><a class="skip" href="#findings">To the findings</a>
            <main>{body}</main>
            <footer>Written {Format.Utc(written)} by dotnet tpwatch {request.Version}. This page needs no network and holds everything it shows.</footer>
            <script>{new Markup(script)}</script></body></html>

            """);
    }

    /// <summary>Returns the hash by which the content security policy allows a style or a script. Base64 needs no HTML escaping.</summary>
    public static Markup Hash(string content) => new($"sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(content)))}");
}

/// <summary>Renders the section on queue time and run time of work items.</summary>
static class LatencyHtml
{
    /// <summary>Returns the section. If items were not measured, the section names the option that measures them.</summary>
    public static Markup Of(PoolReport report) => Markup.Of($"""
        <section id="latency"><h2>Latency</h2>{(report.QueueDelay is null && report.RunTime is null ? Markup.Of($"<p>Single items were not measured, so it is not known how long each one waited: use <code>--depth items</code>. The queue length and the longest proven wait are known anyway.</p>") : Markup.None)}{One(report.QueueDelay, "Queue time", "from queued to started")}{One(report.RunTime, "Run time", "from started to completed")}</section>
        """);

    static Markup One(Distribution? of, string title, string means) => of is null ? Markup.None : Markup.Of($"""
        <h3>{title} <small>{means}</small></h3><p>{HistogramSvg.Described(of)}.{(of.Unmatched > 0 ? $" Of {Format.Plural(of.Unmatched, "more item")}, only the start or the end was seen." : "")}</p>{HistogramSvg.Draw(of, title)}
        <details><summary>The same as a table</summary><table><thead><tr><th>from<th>below<th>items</thead><tbody>{of.Buckets.Select(b => Markup.Of($"<tr><td class=\"n\">{Format.Duration(b.FromMs)}<td class=\"n\">{Format.Duration(b.ToMs)}<td class=\"n\">{Format.Count(b.Count)}"))}</tbody></table></details>
        """);
}

/// <summary>Renders the section on the calls that block worker threads, each with its collapsed stack.</summary>
static class BlockersHtml
{
    /// <summary>Returns the section. If no stacks were taken, the section says why, or names the option that takes them.</summary>
    public static Markup Of(PoolReport report) => Markup.Of($"""
        <section id="blockers"><h2>Calls that block worker threads</h2>{(report.Blockers is { } blockers ? blockers.IsEmpty ? Markup.Of($"<p>Stacks were taken, and no worker thread was blocked.</p>") : Markup.Join(blockers.Select(One)) : NotTaken(report))}</section>
        """);

    static Markup NotTaken(PoolReport report) => (report.Depth & (CaptureDepth.Auto | CaptureDepth.Stacks | CaptureDepth.Inside)) != 0
        ? Markup.Of($"<p>No stacks were taken: {Phrases.NoBurst(report)}.</p>")
        : Markup.Of(
            $"<p>No stacks were taken, so it is not known which call blocks: use <code>--depth stacks</code>.</p>");

    static Markup One(Blocker blocker) => Markup.Of($"""
        <details class="blocker"><summary><svg class="bar" viewBox="0 0 100 8" role="img" aria-label="{Format.Percent(blocker.Share)}"><rect width="100" height="8"/><rect class="fill" width="{blocker.Share * 100}" height="8"/></svg> <b>{Format.Percent(blocker.Share)}</b> <bdi><code>{blocker.Chain}</code></bdi> <span class="tag">{Words.Of(blocker.Kind)}</span> <small>{Format.Plural(blocker.Threads, "worker thread")}</small></summary>
        <ol class="stack">{blocker.Stack.Select(f => Markup.Of($"<li><bdi>{f}</bdi></li>"))}</ol></details>
        """);
}

/// <summary>Renders the section on HTTP requests by route; empty if requests were not measured.</summary>
static class RequestsHtml
{
    /// <summary>Maximum number of routes in the table.</summary>
    const int Told = 20;

    public static Markup Of(PoolReport report) => report.Requests is not { } requests ? Markup.None : Markup.Of($"""
        <section id="requests"><h2>Requests</h2><p>By time lost while the pool starved. Watched for {Format.Duration(requests.Watched.Ms)}; {Format.Count(requests.UnderWay)} still running{(requests.Unmatched == 0 ? "" : $", {Format.Count(requests.Unmatched)} with start or end missing")}.</p>
        <div class="scroll"><table><thead><tr><th>route<th>lost<th>running<th>requests<th>p50<th>p99<th>longest<th>p50 before<th>p50 starved<th>p50 after</thead><tbody>{requests.Routes.Take(Told).Select(Row)}</tbody></table></div></section>
        """);

    static Markup Row(RouteTimes route) => Markup.Of(
        $"<tr><td><bdi><code>{route.Route}</code></bdi><td class=\"n\">{Format.Duration(route.LostMs)}<td class=\"n\">"
            + $"{Format.Count(route.UnderWay)}<td class=\"n\">{Format.Count(route.All.Count)}<td class=\"n\">"
            + $"{Figure(route.All, LowerBounds.P50)}<td class=\"n\">{Figure(route.All, LowerBounds.P99)}<td class=\"n\">"
            + $"{Figure(route.All, LowerBounds.Max)}<td class=\"n\">{Figure(route.Before, LowerBounds.P50)}<td class=\"n\">"
            + $"{Figure(route.During, LowerBounds.P50)}<td class=\"n\">{Figure(route.After, LowerBounds.P50)}");

    static string Figure(Distribution? part, LowerBounds which) => part is { IsKnown: true } ? Quantiles.Of(part, which).Text : "";
}

/// <summary>Renders the section on a memory reading: what the threads wait for, and which items are queued.</summary>
static class InsideHtml
{
    /// <summary>Maximum number of kinds of queued items; the JSON report has all.</summary>
    const int Most = 50;

    /// <summary>Returns the section; empty without a memory reading.</summary>
    public static Markup Of(PoolReport report) => report.Inside is not { } reading ? Markup.None : Markup.Of($"""
        <section id="inside"><h2>What threads wait for, and what waits in the queue</h2><p>Read {InsideWords.Taken(reading)}.</p>{Limits(reading)}
        <ul>{reading.Waits.Select(w => Markup.Of($"<li><bdi>{InsideWords.Of(w, reading)}</bdi></li>"))}</ul>{Queue(reading)}{Unknown(reading)}</section>
        """);

    static Markup Limits(InsideReading reading) =>
        reading.Limits is { } limits ? Markup.Of($"<p>{Sentence.Of(InsideWords.Of(limits))}</p>") : Markup.None;

    static Markup Queue(InsideReading reading) => reading.Queue is not { } queue ? Markup.None : Markup.Of($"""
        <p>Queue: {InsideWords.Places(queue)}.</p><ol>{queue.Kinds.Take(Most).Select(k => Markup.Of($"<li><bdi>{InsideWords.Kind(k)}</bdi></li>"))}</ol>
        """);

    static Markup Unknown(InsideReading reading) =>
        Markup.Join(reading.Unknown.Select(u => Markup.Of($"<p>Not known: {InsideWords.Of(u)}.</p>")));
}

/// <summary>Renders the section on the capture and on the process.</summary>
static class CaptureHtml
{
    public static Markup Of(PoolReport report, HtmlReportInput request)
    {
        var (timeline, target) = (report.Timeline, report.Timeline.Target);
        var quality = timeline.Quality;
        (string Name, string Value)[] rows =
        [
            ("from", $"{(timeline.StartUtc == default ? "?" : Format.Utc(timeline.StartUtc))} for "
                + $"{Format.Duration(timeline.Now.MsSince(timeline.Start))}{EndWords.Whole(report)}"),
            ("quality", $"{Words.Of(CaptureGrades.Of(timeline))}: {Format.Plural(quality.Events, "event")}, "
                + $"{CaptureGrades.InWords(timeline, request.Time)}"),
            .. quality.Remarks.Select(r => ("remark", Words.OneLine(r))),
            ("process", TargetWords.Whole(target)),
            .. target.CommandLine is { } c
                ? [("command", Words.OneLine(request.ShowCommandLine ? c : Targets.TargetCommandLine.Shorten(c)))]
                : Array.Empty<(string, string)>(),
            ("pool", TargetWords.Pool(target)),
            .. target.Settings.Select(s => ("setting", $"{s.Name}={Words.OneLine(s.Value)} ({Words.Of(s.Source)})")),
            ("adjustments", DelayWords.Adjustments(report.Adjustments)),
            ("injection delays", DelayWords.Tally(report.Tally)),
        ];
        return Markup.Of($"""
            <section id="capture"><h2>Capture</h2><table class="facts"><tbody>{rows.Select(r => Markup.Of($"<tr><th scope=\"row\">{r.Name}<td><bdi>{r.Value}</bdi>"))}</tbody></table></section>
            """);
    }
}

/// <summary>Renders the section on findings with remedies and evidence, then the finding rules that are undecided or clear.</summary>
static class FindingsHtml
{
    public static Markup Of(PoolReport report) => Markup.Of($"""
        <section id="findings"><h2>Findings</h2>{(report.Findings.IsEmpty ? Markup.Of($"<p>No check found a problem.</p>") : Markup.None)}{report.Findings.OrderByDescending(f => f.Severity).Select(One)}{Undecided(report)}{Clear(report)}</section>
        """);

    static Markup One(Finding finding) => Markup.Of($"""
        <article class="finding {Words.Of(finding.Severity)}" id="{finding.Id}"><h3><span class="tag">{Words.Of(finding.Severity)}</span> {finding.Title} <a href="#term-{finding.Id}">{finding.Id}</a> <small>confidence {Words.Of(finding.Confidence)}</small></h3>
        <p>{Words.OneLine(finding.Headline)}</p>{(finding.Remedies.IsEmpty ? Markup.None : Markup.Of($"<h4>What to do</h4><ol class=\"remedies\">{finding.Remedies.Select(Todo)}</ol>"))}{(finding.Evidence.IsEmpty ? Markup.None : Markup.Of($"<h4>What was seen</h4><table class=\"evidence\"><tbody>{finding.Evidence.Select(Row)}</tbody></table>"))}</article>
        """);

    static Markup Todo(Remedy remedy)
    {
        var (first, setting, rest) = RemedyWords.Parts(remedy);
        return Markup.Of($"<li>{first}{(setting.Length > 0 ? Markup.Of($"<code>{setting}</code>") : Markup.None)}{rest}</li>");
    }

    static Markup Row(Evidence evidence) => Markup.Of(
        $"<tr><th scope=\"row\">{Words.OneLine(evidence.Text)}<td class=\"n\">{EvidenceText.Figure(evidence)}<td>"
            + $"<small>{EvidenceText.Source(evidence)}</small>");

    static Markup Undecided(PoolReport report) => report.Undecided.IsEmpty ? Markup.None : Markup.Of(
        $"<details><summary>{Format.Plural(report.Undecided.Length, "check")} undecided for lack of data</summary><ul>"
            + $"{report.Undecided.Select(Unanswered)}</ul></details>");

    static Markup Unanswered(Undecided open) => Markup.Of(
        $"<li><b>{open.Id}</b> {FindingCatalogue.Question(open.Id)} {Sentence.Of(Words.OneLine(open.Missing))}</li>");

    static Markup Clear(PoolReport report) => report.Clear.IsEmpty ? Markup.None : Markup.Of(
        $"<details><summary>{Format.Plural(report.Clear.Length, "check")} clear</summary><ul>"
            + $"{report.Clear.Select(id => Markup.Of($"<li><b>{id}</b> {Title(id)}</li>"))}</ul></details>");

    static string Title(string id) => FindingCatalogue.Find(id)?.Title ?? "";
}

/// <summary>Renders the timeline: curves, a cursor that shows the values at one time, and all values as a table.</summary>
static class TimelineHtml
{
    public static Markup Of(PoolReport report, TimeStyle time)
    {
        var timeline = report.Timeline;
        var plot = SvgTimeAxis.Of(timeline);
        var points = SeriesPoint.Of(timeline);
        var last = Math.Max(0, points.Count - 1);
        return Markup.Of($"""
            <section id="timeline"><h2>Timeline</h2>
            <p class="hint">{Shown(report, plot)} <span class="keys">Point at the chart, or focus it and press <kbd>←</kbd> <kbd>→</kbd>; <kbd>Enter</kbd> goes to the next injection.</span></p>
            <div id="chart" tabindex="0" role="slider" aria-label="Moment of the timeline" aria-valuemin="0" aria-valuemax="{last}" aria-valuenow="{last}" aria-valuetext="end of the capture">{TimelineSvg.Draw(report, time)}</div>
            <output id="reading" aria-hidden="true"> </output>
            {Legend}
            <details id="series"><summary>The same as a table</summary><div class="scroll"><table><thead><tr><th>{(time == TimeStyle.Utc ? "UTC" : "seconds")}<th>threads<th>target<th>queue<th>cpu<th>item/s</thead><tbody>{points.Select(p => Row(report, p, plot, time))}</tbody></table></div></details></section>
            """);
    }

    static string Shown(PoolReport report, SvgTimeAxis plot) => report.Timeline.Buckets.FirstIndex > 0
        ? $"The newest {Format.Duration(plot.LengthMs)} of {Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start))}: "
            + $"older detail is not kept."
        : $"All {Format.Duration(plot.LengthMs)} of the capture.";

    static Markup Legend => Markup.Of($"""
        <ul class="legend"><li><i class="k-workers"></i>worker threads</li><li><i class="k-goal"></i>target: what the pool wants</li><li><i class="k-min"></i>MinThreads</li><li><i class="k-starved"></i>items waited</li><li><i class="k-unknown"></i>not known</li>
        <li><b class="mark is-starvation">S</b>added while starving</li><li><b class="mark is-blocking">B</b>added for a task wait</li><li><b class="mark is-climbing">C R P Z I W</b>hill climbing</li><li><b class="mark is-other">T</b>idle thread ended</li><li><b class="mark is-fit">=</b>as expected</li><li><b class="mark is-misfit">! ?</b>early or late; unexplained</li><li><b class="mark is-other">x o</b>not judged; not over</li></ul>
        """);

    static Markup Row(PoolReport report, SeriesPoint p, SvgTimeAxis plot, TimeStyle time)
    {
        var at = report.Timeline.Start.PlusMs(p.T);
        return Markup.Of(
            $"<tr data-x=\"{plot.X(at)}\"><td>{time.Clock(report.Timeline, at)}<td>{Phrases.CountOr(p.Workers)}<td>"
                + $"{Phrases.CountOr(p.TargetThreads)}<td>{Phrases.CountOr(p.QueueLength)}<td>"
                + $"{(p.Cpu is { } cpu ? Format.Percent(cpu) : "?")}<td>"
                + $"{(p.CompletedPerSecond is { } done ? Format.Rate(done) : "?")}");
    }
}

/// <summary>Renders the section on simulated changes of settings, each with its figures and curves.</summary>
static class WhatIfHtml
{
    /// <summary>Number of points of a curve; more would not be visible.</summary>
    const int Columns = 160;

    public static Markup Of(PoolReport report, ImmutableArray<WhatIfAnswer> answers) => Markup.Of($"""
        <section id="whatif"><h2>What if</h2>{(answers.IsEmpty ? Markup.Of($"<p>Nothing was simulated: no items waited, or too little is known about them. <code>dotnet tpwatch whatif</code> simulates any change.</p>") : Markup.None)}{Offered(report, answers)}</section>
        """);

    // Returns the answers for all changes, or only the first reason if no change can be simulated.
    static Markup Offered(PoolReport report, ImmutableArray<WhatIfAnswer> answers) =>
        !answers.IsEmpty && answers.All(a => a.Unknown is not null)
            ? Markup.Of($"<p>{Words.OneLine(answers[0].Unknown!)}</p>")
            : Markup.Join(
                answers.Select(a => a.Unknown is { } why ? Markup.Of($"<p>{a.Change.Words}: {Words.OneLine(why)}</p>") : One(report, a)));

    static Markup One(PoolReport report, WhatIfAnswer a) => Markup.Of($"""
        <article class="whatif"><h3>{a.Change.Words}</h3><p>{Sentence.Of(Words.OneLine(WhatIfWords.Times(a)))}</p><div class="scroll"><table><thead><tr><td>{Heads(a)}</thead><tbody>{Rows(a)}</tbody></table></div>
        {WhatIfCurveSvg.Draw(WhatIfCurve.Of(report, a, Columns),
            $"Worker threads and queue, as measured and with {a.Change.Words}: most threads {Phrases.CountOr(a.Seen.PeakWorkers)} and {Phrases.CountOr(a.Simulated.PeakWorkers)}, longest queue {Phrases.CountOr(a.Seen.PeakQueueLength)} and {Phrases.CountOr(a.Simulated.PeakQueueLength)}.")}
        <ul class="legend"><li><i class="k-seen"></i>measured</li><li><i class="k-imagined"></i>simulated</li></ul><p><small>Basis: {Words.OneLine(a.Basis).TrimEnd('.')}. {Words.OneLine(a.Uncertainty)} {string.Join(' ', a.Remarks.Select(Words.OneLine))}</small></p></article>
        """);

    static Markup Heads(WhatIfAnswer a) => a.Worst is null
        ? Markup.Of($"<th>measured<th>simulated")
        : Markup.Of($"<th>measured<th>simulated, better<th>simulated, worse");

    static Markup Rows(WhatIfAnswer a)
    {
        var shown = new[] { a.Seen, a.Simulated, a.Worst }.OfType<WhatIfFigures>();
        return Markup.Join(WhatIfRenderer.Figures.Select(row =>
            Markup.Of($"<tr><th scope=\"row\">{row.Name}{shown.Select(f => Cell(row.Text(f)))}")));
    }

    static Markup Cell(string text) => Markup.Of($"<td class=\"n\">{text}");
}

/// <summary>Draws the measured and the simulated curves on one time axis: worker threads above, queue length below.</summary>
static class WhatIfCurveSvg
{
    const double Left = 74;
    const double Right = 750;
    const double LaneHeight = 62;

    public static Markup Draw(IReadOnlyList<WhatIfColumn> columns, string described)
    {
        var lengthMs = columns.Count < 2 ? 1 : columns[1].FromMs * columns.Count;
        return Markup.Of(
            $"<svg class=\"c\" viewBox=\"0 0 760 168\" role=\"img\" aria-label=\"{described}\">"
                + $"{Lane("threads", 6, columns, c => c.SeenWorkers, c => c.Workers)}"
                + $"{Lane("queue", 82, columns, c => c.SeenQueueLength, c => c.QueueLength)}<text class=\"axis\" x=\""
                + $"{Left}\" y=\"160\">0s</text><text class=\"axis\" x=\"{(Left + Right) / 2}\" y=\"160\">{Format.Duration(lengthMs / 2)}"
                + $"</text><text class=\"axis\" x=\"{Right - 8}\" y=\"160\">{Format.Duration(lengthMs)}</text></svg>");
    }

    static Markup Lane(string name, double top, IReadOnlyList<WhatIfColumn> columns,
        Func<WhatIfColumn, long?> seen, Func<WhatIfColumn, long?> simulated)
    {
        var most = SvgTimeAxis.Nice(columns.Max(c => Math.Max(seen(c) ?? 0, simulated(c) ?? 0)), 4);
        string Line(Func<WhatIfColumn, long?> value)
        {
            var data = new StringBuilder();
            var pen = false;
            for (var i = 0; i < columns.Count; i++)
            {
                var y = value(columns[i]) is { } v ? top + LaneHeight * (1 - v / most) : double.NaN;
                var (from, to) = (Left + (Right - Left) * i / columns.Count, Left + (Right - Left) * (i + 1) / columns.Count);
                data.Append(
                    double.IsNaN(y)
                        ? ""
                        : string.Create(CultureInfo.InvariantCulture, $"{(pen ? $"V{y:0.#}" : $"M{from:0.#} {y:0.#}")}H{to:0.#}"));
                pen = !double.IsNaN(y);
            }

            return data.ToString();
        }

        return Markup.Of(
            $"<text class=\"name\" x=\"0\" y=\"{top + 9}\">{name}</text><text class=\"scale\" x=\"{Left - 6}\" y=\"{top + 9}\">"
                + $"{Format.Brief(most)}</text><text class=\"scale\" x=\"{Left - 6}\" y=\"{top + LaneHeight}\">0</text>"
                + $"<path class=\"rule\" d=\"M{Left} {top}H{Right}M{Left} {top + LaneHeight}H{Right}\"/><path class=\"seen\" d=\""
                + $"{Line(seen)}\"/><path class=\"imagined\" d=\"{Line(simulated)}\"/>");
    }
}

/// <summary>Draws a distribution of durations. All bars have the same width, although a bucket may span 1 ms or a minute.</summary>
static class HistogramSvg
{
    const double Left = 40;
    const double Right = 750;
    const double Height = 96;
    const double Top = 6;

    /// <summary>Maximum number of bars with a label; more labels would overlap.</summary>
    const int Labels = 9;

    public static Markup Draw(Distribution of, string title)
    {
        var most = Math.Max(1, of.Buckets.IsEmpty ? 1 : of.Buckets.Max(b => b.Count));
        var width = (Right - Left) / Math.Max(1, of.Buckets.Length);
        var every = Math.Max(1, (of.Buckets.Length + Labels - 1) / Labels);
        var bars = of.Buckets.Select((b, i) => Bar(b, Left + i * width, width, b.Count / (double)most * Height, i % every == 0));
        return Markup.Of(
            $"<svg class=\"h\" viewBox=\"0 0 760 {Top + Height + 22}\" role=\"img\" aria-label=\"{title}: {Described(of)}\">"
                + $"<text class=\"scale\" x=\"{Left - 6}\" y=\"{Top + 9}\">{Format.Brief(most)}</text><text class=\"scale\" x=\""
                + $"{Left - 6}\" y=\"{Top + Height}\">0</text><path class=\"rule\" d=\"M{Left} {Top + Height}H{Right}\"/>{bars}</svg>");
    }

    /// <summary>Returns the distribution in words, also for screen readers.</summary>
    public static string Described(Distribution of) =>
        $"{Format.Plural(of.Count, "item")}{(of.Unfinished > 0 ? $", {Format.Count(of.Unfinished)} more unfinished" : "")}; "
        + Named(of, LowerBounds.P50, $"half took {AtMost(of)}") + Named(of, LowerBounds.P90, "90% ") + Named(of, LowerBounds.P99, "99% ")
        + Named(of, LowerBounds.P999, "99.9% ") + $"the longest {Said(of, LowerBounds.Max)}";

    static string Named(Distribution of, LowerBounds which, string name) => of.HasEnoughFor(which) ? $"{name}{Said(of, which)}, " : "";

    // Leaves out "at most" before a lower bound: "at most 5 s or more" would contradict itself.
    static string AtMost(Distribution of) => Quantiles.Of(of, LowerBounds.P50).IsLeast ? "" : "at most ";

    static string Said(Distribution of, LowerBounds which) =>
        Quantiles.Of(of, which) is { IsLeast: true, Ms: var ms } ? $"{Format.Duration(ms)} or more"
            : Format.Duration(Quantiles.Of(of, which).Ms);

    static Markup Bar(DistributionBucket bucket, double x, double width, double height, bool named) => Markup.Of(
        $"<rect x=\"{x + 0.5}\" y=\"{Top + Height - Math.Max(1, height)}\" width=\"{Math.Max(1, width - 1)}\" "
            + $"height=\"{Math.Max(1, height)}\">"
            + $"<title>{Range(bucket)}: {Format.Plural(bucket.Count, "item")}</title></rect>"
            + $"{(named ? Name(x, bucket.FromMs) : Markup.None)}");

    static string Range(DistributionBucket bucket) => (Format.Duration(bucket.FromMs), Format.Duration(bucket.ToMs)) is var (from, to)
        && from == to ? from : $"{from} to {to}";

    static Markup Name(double x, double fromMs) =>
        Markup.Of($"<text class=\"axis\" x=\"{x}\" y=\"{Top + Height + 14}\">{Format.Duration(fromMs)}</text>");
}

/// <summary>Renders the top of the page: verdict, headline, figures, episodes, forecast.</summary>
static class VerdictHtml
{
    public static Markup Of(PoolReport report, TimeStyle time)
    {
        var target = report.Timeline.Target;
        return Markup.Of($"""
            <header class="{Look(report.Verdict)}"><p class="process"><bdi>{target.Name}</bdi> <span>{Facts(target)}</span></p>
            <h1>{VerdictWords.Of(report)}</h1><p class="headline">{Cause(report)}{Words.OneLine(report.Headline)}</p>
            <dl class="figures">{Figures(report)}</dl>{Episodes(report, time)}{Next(report)}</header>
            <nav aria-label="On this page"><a href="#timeline">Timeline</a><a href="#findings">Findings</a><a href="#waits">Injections</a><a href="#whatif">What if</a><a href="#blockers">Blocking calls</a>{(report.Requests is null ? Markup.None : Markup.Of($"<a href=\"#requests\">Requests</a>"))}<a href="#latency">Latency</a><a href="#capture">Capture</a><a href="#glossary">Glossary</a></nav>
            """);
    }

    static string Facts(TargetFacts target) => string.Join(" · ", TargetWords.Facts(target)
        .Concat(target.Processors.Value is { } count ? [Format.Plural(count, "processor")] : []));

    // Returns the cause as a sentence before the headline; empty if there is no cause, or if the headline already begins with it.
    static Markup Cause(PoolReport report) => report.Verdict is Verdict.Healthy or Verdict.Undecided
        // For these two verdicts, the headline begins with the cause, unless the blocking call is known.
        || (report.Verdict is Verdict.Compensated or Verdict.NotThePool && CauseWords.Place(report) is null) ? Markup.None
        : Markup.Of($"<b>{Sentence.Of(Words.OneLine(CauseWords.Of(report)))}</b> ");

    static Markup Figures(PoolReport report)
    {
        var whole = report.Timeline.Now.MsSince(report.Timeline.Start);
        var longest = report.InjectionDelays.Where(g => g.IsWait).Max(g => g.ObservedMs);
        var injections = report.InjectionDelays.Count(DelayMark.IsInjection);
        (string Name, string Value, string More)[] figures =
        [
            (VerdictWords.Lasting(report), report.StarvedMs > 0 ? Format.Duration(report.StarvedMs) : Phrases.Starved(report),
                report.StarvedMs > 0 && whole > 0
                    ? $"{Format.Percent(report.StarvedMs / whole)} of {Format.Duration(whole)}"
                    : $"in {Format.Duration(whole)}"),
            ("longest injection delay", longest is { } ms ? Format.Duration(ms) : "none",
                $"{Format.Count(report.Tally.AsExpected)} of {Format.Count(report.Tally.Waits)} as expected"),
            ("most worker threads", Phrases.CountOr(report.MaxWorkers),
                (report.Timeline.Target.MinWorkers.Value is { } min ? $"MinThreads {Format.Count(min)}, " : "")
                    + $"{Format.Count(injections)} added"),
            ("longest queue", Phrases.CountOr(report.MaxQueueLength), "items that waited"),
            ("capture", Words.Of(CaptureGrades.Of(report.Timeline)),
                report.Timeline.Quality.LossUnknown ? "some events lost" : $"{Format.Count(report.Timeline.Quality.Lost)} lost"),
        ];
        return Markup.Join(figures.Select(f => Markup.Of($"<div><dt>{f.Name}</dt><dd>{f.Value}<small>{f.More}</small></dd></div>")));
    }

    static Markup Episodes(PoolReport report, TimeStyle time) => report.Episodes.IsEmpty
        ? Markup.None
        : Markup.Of($"<ul class=\"plain\">{OverviewRenderer.Longest(report).Select(e => Told(e, report, time))}</ul>");

    static Markup Told(StarvedEpisode episode, PoolReport report, TimeStyle time)
    {
        var lasted = Format.Duration(episode.Span.Ms);
        var proven = episode.ProvenWaitMs > 0 ? $"; an item waited at least {Format.Duration(episode.ProvenWaitMs)}" : "";
        return Markup.Of(
            $"<li><b>{VerdictWords.Of(episode.Kind)}</b> from {time.Spoken(report.Timeline, episode.Span.From)} "
                + $"{(episode.Over ? $"for {lasted}" : $"and not over at the end, after {lasted}")}{proven}</li>");
    }

    static Markup Next(PoolReport report) => ForecastRenderer.Lines(report).ToList() is { Count: > 0 } lines
        ? Markup.Of($"<pre>{Markup.Join(lines.Select(l => Markup.Of($"{l[2..]}{new Markup("\n")}")))}</pre>")
        : Markup.None;

    static string Look(Verdict verdict) => verdict switch
    {
        _ when verdict.IsStarvation() => "bad",
        Verdict.Saturated or Verdict.Compensated or Verdict.NotThePool => "fair",
        Verdict.Healthy => "good",
        _ => "unsure",
    };
}

/// <summary>Renders the section on injection delays. Each has a drawing and an explanation; other adjustments are in a table.</summary>
sealed class InjectionDelaysHtml(PoolReport report, TimeStyle time)
{
    /// <summary>Maximum total length of the drawings, characters. About 300 drawings fit, and the page stays below a megabyte.</summary>
    const int RoomForDrawings = 470_000;

    /// <summary>Maximum number of rows of the table; a row has about 100 characters.</summary>
    const int MostRows = 2000;

    public static Markup Of(PoolReport report, TimeStyle time) => new InjectionDelaysHtml(report, time).Draw();

    Markup Draw()
    {
        var drawn = Drawn();
        var others = report.InjectionDelays.Where(g => !drawn.ContainsKey(g.Number)).ToList();
        var waits = others.Count(DelayCssClasses.IsDrawn);
        return Markup.Of($"""
            <section id="waits"><h2>Injection delays</h2><p class="hint">{DelayWords.Tally(report.Tally)}. Each is drawn to scale: the delay, what each gate check read, and the moments that the rule allows. <span class="keys"><kbd>↓</kbd> <kbd>↑</kbd> step through them.</span></p>
            {(waits > 0 ? Markup.Of($"<p class=\"hint\">{Format.Plural(waits, "more injection delay")} {(waits == 1 ? "is" : "are")} in the table below without a drawing. The JSON report has every gate check.</p>") : Markup.None)}<div id="gaps">{drawn.Values}</div>{Table(others, open: drawn.Count == 0)}</section>
            """);
    }

    // Returns drawings by the number of the delay: those of the most important delays, as many as fit into RoomForDrawings.
    SortedDictionary<int, Markup> Drawn()
    {
        var drawn = new SortedDictionary<int, Markup>();
        var room = RoomForDrawings;
        foreach (var delay in DelayFields.MostTellingFirst(report.InjectionDelays.Where(DelayCssClasses.IsDrawn)))
        {
            var markup = Article(delay);
            room -= markup.Source.Length;
            if (room < 0)
            {
                break;
            }

            drawn[delay.Number] = markup;
        }

        return drawn;
    }

    Markup Article(InjectionDelay delay) => Markup.Of(
        $"<article class=\"gap {DelayCssClasses.OfVerdict(delay.Verdict)}\" id=\"gap-{delay.Number}\" data-gap tabindex=\"-1\"><h3>"
            + $"<b class=\"mark {DelayCssClasses.Of(delay)}\">{DelayMark.Of(delay).Letter.ToString()}</b> {DelayWords.EndedBy(delay)} "
            + $"<span>{DelayFields.TargetThreads(delay, "→")}</span> "
            + $"<span class=\"tag\">{DelayFields.Judged(delay)}</span> <time>{time.Clock(report.Timeline, delay.End)}</time> "
            + $"<small>#{delay.Number}</small></h3>{DelaySvg.Draw(delay)}<p>{Words.OneLine(delay.Because)}{Earlier(delay)} <small>cpu "
            + $"{DelayFields.Cpu(delay)}, queue {DelayFields.Queue(delay)}.</small></p></article>");

    static Markup Earlier(InjectionDelay delay) => delay.Ticks.IsEmpty || DelayFields.UntoldChecks(delay) is not { } earlier
        ? Markup.None
        : Markup.Of($" <small>{Sentence.Of(earlier)}</small>");

    // The table is open if there are no drawings, because the tab key does not reach the rows of a collapsed table.
    Markup Table(List<InjectionDelay> others, bool open)
    {
        if (others.Count == 0)
        {
            return Markup.None;
        }

        var shown = others.Skip(Math.Max(0, others.Count - MostRows)).ToList();
        var left = others.Count - shown.Count;
        return Markup.Of(
            $"<details id=\"moves\"{new Markup(open ? " open" : "")}><summary>"
                + $"{Format.Plural(others.Count, "thread count adjustment")}"
                + $"{(left > 0 ? $", the newest {Format.Count(shown.Count)} of them" : "")}</summary><div class=\"scroll\"><table>"
                + $"<thead><tr><th>#<th>{(time == TimeStyle.Utc ? "UTC" : "seconds")}<th>reason<th>target<th>delay<th>judgment</thead>"
                + $"<tbody>{shown.Select(Row)}</tbody></table></div></details>");
    }

    Markup Row(InjectionDelay delay) => Markup.Of(
        $"<tr id=\"gap-{delay.Number}\" data-gap tabindex=\"-1\"><td>{delay.Number}<td>{time.Clock(report.Timeline, delay.End)}<td>"
            + $"{DelayWords.EndedBy(delay)}<td>{DelayFields.TargetThreads(delay)}<td>{DelayFields.Length(delay)}<td>"
            + $"{DelayFields.Judged(delay)}");
}

/// <summary>Renders the page's glossary.</summary>
static class GlossaryHtml
{
    static readonly (string Word, string Means)[] Terms =
    [
        ("worker thread", "A thread of the thread pool that runs work items."),
        ("item", "Work queued to the pool: the continuation of an await, a request, a timer that is due."),
        ("queue", "Items that wait for a worker thread."),
        ("target", "The target thread count: how many worker threads the pool wants now. Below this count, a thread starts at once."),
        ("MinThreads", "The minimum of the target thread count. Up to this number, threads start without a delay."),
        ("gate", "The pool's monitor thread. A check every 500 ms adds a thread if requested and no item was dequeued for over 500 ms."),
        ("gate check", "A check by the gate thread. Only a check that adds a thread sends an event. "
            + "tpwatch computes the others from the clock."),
        ("injection delay", "Time from the last known progress of the pool to the next added thread, or to now."),
        ("starved", "Items waited a second or more while every worker thread was busy."),
        ("SILENTLY STARVED", "Starved, but the runtime did not detect it: items completed so often that the pool added no thread."),
        ("saturated", "Items waited because the processors were busy. More threads would not help."),
        ("as expected", "The pool added the thread at a moment that the runtime's rule allows, and missed no earlier one."),
        ("late", "The pool missed an allowed moment and added the thread later. Often other processes used the processors."),
        ("not judged", "Events were lost during the delay, the process did not run, or the start of the delay is not known."),
        ("not timed", "Not a delay: the pool only changed its target thread count."),
        ("not over", "Items still wait, and the pool has not added the next thread yet."),
        ("hill climbing", "The pool tries one thread more or one fewer, and keeps what raises the throughput."),
        ("counter sample", "The counters of the process, once a second: worker threads, queue, completed items, processor time."),
        ("cpu", "Processor time of the process as a share of all its processors."),
    ];

    /// <summary>Returns the section: the words that occur in <paramref name="page"/>, and the report's codes and findings.</summary>
    public static Markup Of(PoolReport report, string page)
    {
        var words = Terms.Where(t => page.Contains(t.Word, StringComparison.OrdinalIgnoreCase)).Select(t => (Id: "", t.Word, t.Means));
        var codes = DelayWords.Codes
            .Where(c => report.InjectionDelays.Any(g => Words.Code(g.Mechanism) == c.Id
                || (g.Also is { } also && Words.Code(also) == c.Id)))
            .Select(c => (c.Id, Word: $"{c.Id}: {c.Title}", Means: c.Text.Mechanism));
        var findings = FindingCatalogue.Findings.Where(f => report.Findings.Any(found => found.Id == f.Id))
            .Select(f => (f.Id, Word: $"{f.Id}: {f.Title}", Means: $"{f.Text.Mechanism} False alarms: {f.Text.FalseAlarms}"));
        return Markup.Of($"""
            <section id="glossary"><h2>Glossary</h2><dl>{words.Concat(codes).Concat(findings).Select(t => Markup.Of($"<dt{(t.Id.Length > 0 ? Markup.Of($" id=\"term-{t.Id}\"") : Markup.None)}>{t.Word}</dt><dd>{t.Means}</dd>"))}</dl></section>
            """);
    }
}
