using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Diagnosis;

/// <summary>The answers of all finders.</summary>
/// <param name="Findings">The findings, most severe first.</param>
/// <param name="Undecided">The rules that lack data to decide.</param>
/// <param name="Clear">The rules that were evaluated without a finding.</param>
sealed record FinderAnswers(ImmutableArray<Finding> Findings, ImmutableArray<Undecided> Undecided, ImmutableArray<string> Clear);

/// <summary>
/// All finders, in the order in which findings are shown; a finder that fails is reported and does not affect the others.
/// </summary>
static class FinderSet
{
    public static ImmutableArray<IFinder> All { get; } =
    [
        new Tpw001Starvation(), new Tpw002SyncOverAsync(), new Tpw003UndetectedStarvation(),
        new Tpw004ColdBurst(), new Tpw005Ceiling(), new Tpw006CpuSaturation(),
        new Tpw007MixedBlocking(), new Tpw008MemoryVeto(), new Tpw009LongItems(),
        new Tpw010Deadlock(), new Tpw011LateCallbacks(), new Tpw012HillClimbing(),
        new Tpw013IdleTimeout(), new Tpw014Suspension(), new Tpw015OneCpu(), new Tpw016Wedged(), new Tpw017DoesNotApply(),
        new Tpw018Held(), new Tpw019SlowRequests(), new Tpw020Parked(), new Tpw021Outside(), new Tpw022LockCycle(),
    ];

    /// <summary>The reason shown when a finder throws; such an answer is a bug in tpwatch.</summary>
    public const string Failed = "the check itself failed, which is a bug in tpwatch";

    public static FinderAnswers Ask(PoolEvidence report) => Ask(report, All);

    public static FinderAnswers Ask(PoolEvidence report, ImmutableArray<IFinder> finders)
    {
        var answers = finders.Select(finder => (finder.Id, Answer: Ask(finder, report))).ToArray();
        return new(
            [.. WithoutRepeats(answers.Select(a => a.Answer).OfType<FinderAnswer.Found>().Select(f => Told(f.Finding))
                .OrderByDescending(f => f.Severity))],
            [
                .. from answer in answers
                   let open = answer.Answer as FinderAnswer.Undecided
                   where open is not null
                   select new Undecided(answer.Id, open.Missing, open.What.Kind) { How = open.What.How ?? HowTo.None },
            ],
            [.. answers.Where(a => a.Answer is FinderAnswer.Clear).Select(a => a.Id)]);
    }

    /// <summary>Describes a workaround in full once: a later finding refers to it, and a refused workaround is not repeated.</summary>
    static IEnumerable<Finding> WithoutRepeats(IEnumerable<Finding> findings)
    {
        var told = new Dictionary<Remedy, string>();
        foreach (var finding in findings)
        {
            yield return finding with
            {
                Remedies =
                [
                    .. finding.Remedies
                        .Where(r => r.Kind != RemedyKind.Refusal || told.TryAdd(r, finding.Id))
                        .Select(r => r.Setting is null || told.TryAdd(r, finding.Id)
                            ? r
                            : new Remedy($"The workaround of {told[r]} applies here too.")),
                ],
            };
        }
    }

    static Finding Told(Finding finding) => finding with { Evidence = [.. finding.Evidence.Where(Says)] };

    // An unknown value supports nothing, and neither does a count or duration of zero.
    static bool Says(Evidence evidence) =>
        evidence is { Value: not null } and not { Value: 0, Unit: "adjustments" or "injections" or "items" or "ms" };

    static FinderAnswer Ask(IFinder finder, PoolEvidence report)
    {
#pragma warning disable CA1031 // a finder of ours that throws must not take the others with it; the report says that it failed
        try
        {
            var answer = finder.Look(report);
            return answer is FinderAnswer.Found { Finding: var finding }
                ? new FinderAnswer.Found(finding with { Cause = finder.Cause(report) })
                : answer;
        }
        catch (Exception e)
        {
            return new FinderAnswer.Undecided(MissingKind.Check, $"{Failed}: {e.GetType().Name}: {e.Message}");
        }
#pragma warning restore CA1031
    }
}

/// <summary>A rule that detects one problem in a report and describes it.</summary>
interface IFinder
{
    /// <summary>Stable id, TPWnnn.</summary>
    string Id { get; }

    /// <summary>Title, a few words.</summary>
    string Title { get; }

    /// <summary>The explanation of the finding for users.</summary>
    FindingMeaning Text { get; }

    /// <summary>How the finding relates to the cause of the verdict.</summary>
    FindingCause Cause(PoolEvidence report) => FindingCause.None;

    /// <summary>The answer: found, clear, or the missing information.</summary>
    FinderAnswer Look(PoolEvidence report);
}

/// <summary>The answer of a finder: one of three.</summary>
abstract record FinderAnswer
{
    /// <summary>The problem was found.</summary>
    public sealed record Found(Finding Finding) : FinderAnswer;

    /// <summary>The problem is not there.</summary>
    public sealed record Clear : FinderAnswer;

    /// <summary>The capture cannot decide; <paramref name="What"/> would decide it.</summary>
    public sealed record Undecided(Missing What) : FinderAnswer
    {
        public Undecided(MissingKind kind, string text, HowTo? how = null)
            : this(new Missing(kind, text, how))
        {
        }

        /// <summary>What is not known, and how to find out.</summary>
        public string Missing => What.Text + What.How?.Command;
    }
}

/// <summary>Data that a rule lacks.</summary>
/// <param name="Kind">The kind of data, for programs.</param>
/// <param name="Text">The rest of a sentence that says what is not known.</param>
/// <param name="How">How to find out; null if the text does not say it.</param>
readonly record struct Missing(MissingKind Kind, string Text, HowTo? How = null);

/// <summary>
/// Selects the finding that explains the verdict. Several findings may follow from one cause; headline, report and lines use this one, so
/// that they agree.
/// </summary>
static class LeadingFinding
{
    /// <summary>The most severe finding; among equals the one that names the cause most closely. Null when there is none.</summary>
    public static Finding? Of(ImmutableArray<Finding> findings) => findings
        .Where(f => !f.Remedies.IsEmpty)
        .OrderByDescending(f => f.Severity)
        .ThenByDescending(f => f.Cause.Kind)
        .FirstOrDefault();

    /// <summary>The leading finding if it needs action; null for the notes of a healthy pool.</summary>
    public static Finding? ToActOn(PoolReport report) =>
        Of(report.Findings) is { } leading && (leading.Severity > Severity.Note || report.Verdict.IsTrouble()) ? leading : null;

    /// <summary>The finding about the program's own code that blocks threads outside the pool; null when there is none.</summary>
    public static Finding? Outside(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Id == Tpw021Outside.Code);

    /// <summary>The finding about threads that wait for each other's locks; null when there is none.</summary>
    public static Finding? Deadlock(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Id == Tpw022LockCycle.Code);

    /// <summary>
    /// The finding that says where to look when the pool is healthy and requests are slow anyway; null when there is none.
    /// </summary>
    public static Finding? Elsewhere(ImmutableArray<Finding> findings) => findings.FirstOrDefault(f => f.Cause.Kind == CauseKind.Elsewhere);

    /// <summary>Further findings that need action and have a cause of their own; guesses are left out.</summary>
    public static IEnumerable<Finding> Others(PoolReport report)
    {
        var leading = Of(report.Findings);
        return report.Findings.Where(f => f.Id != leading?.Id && f.Severity > Severity.Note && f.Confidence > Confidence.Low
            && !f.Remedies.IsEmpty && (leading is null || !f.Cause.OfHeldThreads));
    }
}

/// <summary>Finds missing data that a rule without a result may have needed; the rule is then undecided, not clear.</summary>
static class MissingEvidence
{
    /// <summary>Clear if nothing is missing; otherwise undecided with the first reason.</summary>
    public static FinderAnswer ClearUnless(params Missing?[] missing) =>
        missing.FirstOrDefault(m => m is not null) is { } first ? new FinderAnswer.Undecided(first) : new FinderAnswer.Clear();

    /// <summary>Null when events of the pool arrived and none was lost; otherwise the reason, with the possibly lost event.</summary>
    public static Missing? Events(PoolEvidence report, string what) =>
        NoPoolEvents.Is(report.Timeline) ? new(MissingKind.Events, "the pool sent no event")
            : Lost(report, $"and {what} may have been among them");

    /// <summary>Null when no event was lost; otherwise the reason, with its consequence.</summary>
    public static Missing? Lost(PoolEvidence report, string so) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? new(MissingKind.LostEvents, $"events were lost, {so}") : null;

    /// <summary>Whether no event was lost before a given time.</summary>
    public static bool NothingLostBefore(PoolEvidence report, EventTime at) =>
        report.Timeline.Quality.LossSpans.All(loss => loss.From > at);

    /// <summary>Null when queue length and completions are known; otherwise the reason.</summary>
    public static Missing? CounterSamples(PoolEvidence report) => report.Timeline.CounterSamples.Length < 2
        ? new(MissingKind.CounterSamples, "queue length and completions are not known: that takes two counter samples") : null;

    /// <summary>Null when every injection delay is still kept; otherwise the reason.</summary>
    public static Missing? Older(PoolEvidence report) =>
        report.Evicted > 0 ? new(MissingKind.History, "older injection delays were discarded to limit memory use") : null;

    /// <summary>Null when every wait is still kept, even if other adjustments were dropped; otherwise the reason.</summary>
    public static Missing? OlderWaits(PoolEvidence report) =>
        report.EvictedWaits > 0 ? new(MissingKind.History, "older waits were discarded to limit memory use") : null;
}

/// <summary>
/// Detects a pool without events: they are managed events, and a program may be built without them (EventSourceSupport=false), which is the
/// default of a single-source-file program. Stacks are still available, because they come from the runtime itself.
/// </summary>
static class NoPoolEvents
{
    /// <summary>Whether no event of the pool has arrived. A runtime that sends any of them sends the processor count first.</summary>
    public static bool Is(TimelineSnapshot seen) =>
        seen.CounterSamples.IsEmpty && seen.Levels is { Workers: null, TargetThreads: null }
            && seen.Target.Processors.Source != SettingSource.Event;

    /// <summary>The setting that switches the events off; null when unknown, as for a single-file program.</summary>
    public static PoolSetting? Setting(TimelineSnapshot seen) =>
        seen.Target.Settings.FirstOrDefault(s =>
        s.Name == PoolSettings.EventsEntry && bool.TryParse(s.Value, out var on) && !on);
}

/// <summary>The runtimes whose rules were checked.</summary>
static class Runtimes
{
    const int FirstChecked = 6;
    const int LastChecked = 10;

    /// <summary>Whether the target runs on a runtime whose rules were not checked or may differ.</summary>
    public static bool AreUnverified(TargetFacts target) => target.RuntimeMajor is < FirstChecked or > LastChecked;

    /// <summary>The remark for such a target.</summary>
    public static string Remark(TargetFacts target) =>
        $"tpwatch does not know the rules of .NET {target.RuntimeMajor}: it judges injection delays by those of "
        + $".NET {FirstChecked} to {LastChecked}";
}
