using Tpwatch.Text;

namespace Tpwatch.Html;

/// <summary>The lanes over time, a cursor that reads them, and the same as a table.</summary>
static class TimelineSection
{
    public static Markup Of(PoolReport report, TimeStyle time)
    {
        var timeline = report.Timeline;
        var plot = Plot.Of(timeline);
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

    static string Shown(PoolReport report, Plot plot) => report.Timeline.Buckets.FirstIndex > 0
        ? $"The newest {Format.Duration(plot.LengthMs)} of {Format.Duration(report.Timeline.Now.MsSince(report.Timeline.Start))}: "
            + $"older detail is not kept."
        : $"All {Format.Duration(plot.LengthMs)} of the capture.";

    static Markup Legend => Markup.Of($"""
        <ul class="legend"><li><i class="k-workers"></i>worker threads</li><li><i class="k-goal"></i>target: what the pool wants</li><li><i class="k-min"></i>MinThreads</li><li><i class="k-starved"></i>items waited</li><li><i class="k-unknown"></i>not known</li>
        <li><b class="mark is-starvation">S</b>added while starving</li><li><b class="mark is-blocking">B</b>added for a task wait</li><li><b class="mark is-climbing">C R P Z I W</b>hill climbing</li><li><b class="mark is-other">T</b>idle thread ended</li><li><b class="mark is-fit">=</b>as expected</li><li><b class="mark is-misfit">! ?</b>early or late; unexplained</li></ul>
        """);

    static Markup Row(PoolReport report, SeriesPoint p, Plot plot, TimeStyle time)
    {
        var at = report.Timeline.Start.PlusMs(p.T);
        return Markup.Of(
            $"<tr data-x=\"{plot.X(at)}\"><td>{time.Clock(report.Timeline, at)}<td>{Phrases.CountOr(p.Workers)}<td>"
                + $"{Phrases.CountOr(p.Goal)}<td>{Phrases.CountOr(p.Backlog)}<td>{(p.Cpu is { } cpu ? Format.Percent(cpu) : "?")}<td>"
                + $"{(p.CompletedPerSecond is { } done ? Format.Rate(done) : "?")}");
    }
}
