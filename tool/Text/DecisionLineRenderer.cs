namespace Tpwatch.Text;

/// <summary>
/// One line per thread count adjustment or wait: <c>2026-11-21T02:29:06.600Z Starvation goal 11->12 gap 1003ms tick 2 (tick 1: …) fits G1
/// cpu 6% queue 72</c>. The order of the fields is a contract. The tick (gate check) is left out if none is known; <c>because</c> is added
/// if the delay is not as expected.
/// </summary>
sealed class DecisionLineRenderer(TimeStyle time) : ILineRenderer
{
    public string Decision(InjectionDelay delay, PoolReport report) => string.Join(' ', Fields(delay, report.Timeline));

    public string Finding(Finding finding, PoolReport report) =>
        $"{time.Moment(report.Timeline, finding.To)} {finding.Id} {Words.Of(finding.Severity)} {Words.OneLine(finding.Headline)}";

    public string Summary(PoolReport report) => SummaryRenderer.Render(report, time);

    IEnumerable<string> Fields(InjectionDelay delay, TimelineSnapshot timeline)
    {
        yield return time.Moment(timeline, delay.End);
        yield return DelayWords.Code(delay);
        yield return $"goal {DelayFields.TargetThreads(delay)}";
        yield return $"gap {DelayFields.Length(delay)}";
        if (DelayFields.Tick(delay) is { } check)
        {
            yield return DelayFields.EarlierChecks(delay, "tick") is { } earlier ? $"tick {check} ({earlier})" : $"tick {check}";
        }

        yield return DelayFields.Judgement(delay);
        yield return $"cpu {DelayFields.Cpu(delay)}";
        yield return $"queue {DelayFields.Queue(delay)}";
        if (DelayFields.AsksWhy(delay) && Words.OneLine(delay.Because) is { Length: > 0 } because)
        {
            yield return $"because {because}";
        }
    }
}
