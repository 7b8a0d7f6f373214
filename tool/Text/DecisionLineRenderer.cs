namespace Tpwatch.Text;

/// <summary>
/// One line per thread count adjustment or wait: <c>2026-11-21T02:29:06.600Z Starvation goal 11->12 gap 1003ms tick 2 (tick 1: …)
/// fits G1 cpu 6% queue 72</c>.
/// The order of the fields is a contract. The tick (gate check) is left out if none is known; <c>because</c> is added if the delay is
/// not as expected.
/// </summary>
sealed class DecisionLineRenderer(TimeStyle time) : ILineRenderer
{
    public string Decision(Gap gap, PoolReport report) => string.Join(' ', Fields(gap, report.Timeline));

    public string Finding(Finding finding, PoolReport report) =>
        $"{time.Moment(report.Timeline, finding.To)} {finding.Id} {Words.Of(finding.Severity)} {Words.OneLine(finding.Headline)}";

    public string Summary(PoolReport report) => SummaryRenderer.Render(report, time);

    IEnumerable<string> Fields(Gap gap, TimelineSnapshot timeline)
    {
        yield return time.Moment(timeline, gap.End);
        yield return DecisionWord.Of(gap);
        yield return $"goal {GapFields.Goal(gap)}";
        yield return $"gap {GapFields.Length(gap)}";
        if (GapFields.Tick(gap) is { } tick)
        {
            yield return GapFields.EarlierTicks(gap, "tick") is { } earlier ? $"tick {tick} ({earlier})" : $"tick {tick}";
        }

        yield return GapFields.Judgement(gap);
        yield return $"cpu {GapFields.Cpu(gap)}";
        yield return $"queue {GapFields.Queue(gap)}";
        if (GapFields.AsksWhy(gap) && Words.OneLine(gap.Because) is { Length: > 0 } because)
        {
            yield return $"because {because}";
        }
    }
}
