using Tpwatch.Reports;

namespace Tpwatch.Tests.Properties.Generators;

/// <summary>
/// What a report says that more knowledge can only confirm: counts, the largest of what was counted, waits that are proven, and
/// accusations. Nothing else is held against it: verdict, headline and remedies speak of a stretch as a whole and of its end, an absence
/// (healthy, clear) of what was looked at, an estimate of what was known, and a later heartbeat may rightly change all of them.
/// </summary>
static class Claims
{
    /// <summary>The counters of one heartbeat are read within so long: that much of a moment is not known, milliseconds.</summary>
    const double ReadingMs = 0.5;

    /// <summary>
    /// About so many items came at once, as far as two heartbeats tell: an estimate, called certain, which further heartbeats between the
    /// two refute where the items came one after the other.
    /// </summary>
    const string Burst = "TPW004";

    /// <summary>
    /// One processor makes min one worker: that speaks of the min that holds now, and ends with the call that sets another.
    /// </summary>
    const string OneWorker = "TPW015";

    /// <summary>Items wait for processors: that is how a whole stretch is named.</summary>
    const string Processors = "TPW006";

    /// <summary>A wait is charged to what holds at its end: where a call sets another MaxThreads in its midst, to that.</summary>
    const string Undetected = "TPW003";

    static readonly DelayVerdict[] Accusations = [DelayVerdict.Early, DelayVerdict.Late, DelayVerdict.NoRule];

    /// <summary>The report of the poorer capture says nothing beyond the richer one.</summary>
    public static void AssertNoneBeyond(PoolLife life, PoolReport less, PoolReport more)
    {
        string[] beyond = [.. Counts(less, more), .. Episodes(life, less, more), .. InjectionDelays(less, more), .. Findings(less, more)];
        Assert.True(beyond.Length == 0, string.Join('\n', beyond));
    }

    static IEnumerable<string> Counts(PoolReport less, PoolReport more)
    {
        foreach (var (reason, count) in less.Adjustments.Where(a => a.Value > more.Adjustments.GetValueOrDefault(a.Key)))
        {
            yield return $"{count} adjustments for {reason}, not {more.Adjustments.GetValueOrDefault(reason)}";
        }

        if (less.MaxWorkers > (more.MaxWorkers ?? 0) || less.MaxQueueLength > (more.MaxQueueLength ?? 0))
        {
            yield return $"{less.MaxWorkers} workers and {less.MaxQueueLength} items at most, "
                + $"not {more.MaxWorkers} and {more.MaxQueueLength}";
        }
    }

    /// <summary>
    /// A proof holds for itself: one that begins at a later heartbeat may reach further than one that an item confused, which left the
    /// queue between the readings of a heartbeat. So it is held against what the items did, and the whole capture must see a wait there.
    /// </summary>
    static IEnumerable<string> Episodes(PoolLife life, PoolReport less, PoolReport more) =>
        from episode in less.Episodes
        where episode.ProvenWaitMs > 0
        let span = episode.Span
        let longest = life.LongestWaitMs(Watcher.Ms(span.From), Watcher.Ms(span.To))
        where episode.ProvenWaitMs > longest + ReadingMs || !more.Episodes.Any(e => e.ProvenWaitMs > 0 && e.Span.Touches(span))
        select $"a wait of {episode.ProvenWaitMs} ms until {Watcher.Ms(span.To)} is proven, where {longest} ms are";

    static IEnumerable<string> InjectionDelays(PoolReport less, PoolReport more) =>
        from delay in less.InjectionDelays
        where delay.Reason is not null
        let same = more.InjectionDelays.FirstOrDefault(g => g.End == delay.End && g.Reason == delay.Reason)
        where same is null || (Accusations.Contains(delay.Verdict) && !Accusations.Contains(same.Verdict))
        select $"{delay.Reason} at {Watcher.Ms(delay.End)} is {delay.Verdict}, not {same?.Verdict}: {delay.Because} | {same?.Because}";

    /// <summary>A finding that is called serious or a warning, and certain, must still be there.</summary>
    static IEnumerable<string> Findings(PoolReport less, PoolReport more) =>
        from finding in less.Findings
        where finding is { Severity: > Severity.Note, Confidence: Confidence.High, Id: not Burst }
            && !more.Findings.Any(f => f.Id == finding.Id)
            && !IsRenamed(finding, less, more)
            && !(finding.Id == Undetected && IsLimitedByCall(more))
            && !(finding.Id == OneWorker && less.Timeline.Target.MinWorkers.Value != more.Timeline.Target.MinWorkers.Value)
        select $"{finding.Id} is {finding.Severity}: {finding.Headline}; with more known it is {Fate(more, finding.Id)}";

    static bool IsLimitedByCall(PoolReport report) => report.Verdict == Verdict.StarvedAtMax
        && report.Timeline.Target.MaxWorkers.Source == SettingSource.Event;

    /// <summary>
    /// A stretch is named for what most of it was: one that began as a wait for workers and went on as one for processors is named for
    /// those in the end, and what holds workers is not looked for in it any more; or the other way round, and then it is the lack of
    /// processors that is not told. This alone is let pass, and of findings in such a stretch alone: that items waited in it is known
    /// either way.
    /// </summary>
    static bool IsRenamed(Finding finding, PoolReport less, PoolReport more) => less.Episodes.Any(e =>
        e.Kind == Verdict.Saturated == (finding.Id == Processors) && e.Span.Touches(new(finding.From, finding.To))
        && more.Episodes.Any(m => m.Kind == Verdict.Saturated != (e.Kind == Verdict.Saturated) && m.Span.Touches(e.Span)));

    static string Fate(PoolReport report, string id) =>
        report.Clear.Contains(id) ? "clear" : $"undecided: {report.Undecided.FirstOrDefault(u => u.Id == id)?.Missing}";
}
