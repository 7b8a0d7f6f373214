using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Diagnosis;

/// <summary>The answers of all finding rules.</summary>
/// <param name="Findings">The findings, most severe first.</param>
/// <param name="Undecided">The rules that lack data to decide.</param>
/// <param name="Clear">The rules that were evaluated without a finding.</param>
sealed record FinderAnswers(ImmutableArray<Finding> Findings, ImmutableArray<Undecided> Undecided, ImmutableArray<string> Clear);

/// <summary>All finding rules. Findings of equal severity keep the rules' order. A rule that throws does not affect the others.</summary>
static class FindingRuleSet
{
    public static ImmutableArray<IFindingRule> All { get; } =
    [
        new Tpw001Starvation(), new Tpw002SyncOverAsync(), new Tpw003UndetectedStarvation(),
        new Tpw004ColdBurst(), new Tpw005Ceiling(), new Tpw006CpuSaturation(),
        new Tpw007MixedBlocking(), new Tpw008HighMemory(), new Tpw009LongItems(),
        new Tpw010Deadlock(), new Tpw011LateCallbacks(), new Tpw012HillClimbing(),
        new Tpw013IdleTimeout(), new Tpw014Suspension(), new Tpw015OneCpu(), new Tpw016Wedged(), new Tpw017DoesNotApply(),
        new Tpw018Held(), new Tpw019SlowRequests(), new Tpw020Parked(), new Tpw021Outside(), new Tpw022LockCycle(),
    ];

    /// <summary>The text shown when a rule throws an exception, which is a bug in tpwatch.</summary>
    public const string Failed = "the check itself failed, which is a bug in tpwatch";

    public static FinderAnswers Ask(PoolEvidence report) => Ask(report, All);

    public static FinderAnswers Ask(PoolEvidence report, ImmutableArray<IFindingRule> finders)
    {
        var answers = finders.Select(finder => (finder.Id, Answer: Ask(finder, report))).ToArray();
        return new(
            [.. WithoutRepeats(answers.Select(a => a.Answer).OfType<FindingRuleAnswer.Found>()
                .Select(f => f.Finding with { Evidence = [.. f.Finding.Evidence.Where(Says)] }).OrderByDescending(f => f.Severity))],
            [
                .. from answer in answers
                   let open = answer.Answer as FindingRuleAnswer.Undecided
                   where open is not null
                   select new Undecided(answer.Id, open.Missing, open.What.Kind) { How = open.What.How ?? MissingDataHint.None },
            ],
            [.. answers.Where(a => a.Answer is FindingRuleAnswer.Clear).Select(a => a.Id)]);
    }

    /// <summary>Returns the findings without repeated refusals. A repeated workaround becomes a reference to the first one.</summary>
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

    // Whether evidence is shown. An unknown value proves nothing. Neither does zero in one of these units.
    static bool Says(Evidence evidence) =>
        evidence is { Value: not null } and not { Value: 0, Unit: "times" or "threads" or "items" or "ms" };

    static FindingRuleAnswer Ask(IFindingRule finder, PoolEvidence report)
    {
#pragma warning disable CA1031 // the other rules still run if one throws; the report says which rule failed
        try
        {
            var answer = finder.Look(report);
            return answer is FindingRuleAnswer.Found { Finding: var finding }
                ? new FindingRuleAnswer.Found(finding with { Cause = finder.Cause(report) })
                : answer;
        }
        catch (Exception e)
        {
            return new FindingRuleAnswer.Undecided(MissingKind.Check, $"{Failed}: {e.GetType().Name}: {e.Message}");
        }
#pragma warning restore CA1031
    }
}

/// <summary>A rule that detects and describes one problem in a report.</summary>
interface IFindingRule
{
    /// <summary>Stable id, TPWnnn.</summary>
    string Id { get; }

    string Title { get; }

    /// <summary>The explanation of the finding for users.</summary>
    FindingMeaning Text { get; }

    FindingCause Cause(PoolEvidence report) => FindingCause.None;

    /// <summary>Evaluates the rule. Returns a finding, clear, or undecided with the missing data.</summary>
    FindingRuleAnswer Look(PoolEvidence report);
}

abstract record FindingRuleAnswer
{
    public sealed record Found(Finding Finding) : FindingRuleAnswer;

    /// <summary>The rule was evaluated, and the problem is absent.</summary>
    public sealed record Clear : FindingRuleAnswer;

    /// <summary>The rule cannot be decided, because the capture lacks the data <paramref name="What"/>.</summary>
    public sealed record Undecided(MissingData What) : FindingRuleAnswer
    {
        public Undecided(MissingKind kind, string text, MissingDataHint? how = null) : this(new MissingData(kind, text, how))
        {
        }

        /// <summary>The text about the missing data, followed by the command that obtains the data, if there is one.</summary>
        public string Missing => What.Text + What.How?.Command;
    }
}

/// <summary>Data that a rule lacks.</summary>
/// <param name="Kind">The kind of data, for programs.</param>
/// <param name="Text">What is missing, as a clause without a full stop.</param>
/// <param name="How">The command that obtains the data; null if there is none.</param>
readonly record struct MissingData(MissingKind Kind, string Text, MissingDataHint? How = null);

/// <summary>Determines whether a rule that found nothing is clear, or undecided because data is missing.</summary>
static class MissingEvidence
{
    /// <summary>Returns clear if all arguments are null; otherwise undecided with the first missing data.</summary>
    public static FindingRuleAnswer ClearUnless(params MissingData?[] missing) =>
        missing.FirstOrDefault(m => m is not null) is { } first ? new FindingRuleAnswer.Undecided(first) : new FindingRuleAnswer.Clear();

    /// <summary>Returns undecided if counter samples are missing, or stacks of threads that may hang; otherwise clear.</summary>
    public static FindingRuleAnswer ClearUnlessHanging(PoolEvidence report, string stacks) => ClearUnless(
        CounterSamples(report), report.Verdict == Verdict.Held || report.MayHang is not null ? new(MissingKind.Stacks, stacks) : null);

    /// <summary>Returns null if the pool sent events and none was lost; otherwise the reason, which names what may be lost.</summary>
    public static MissingData? Events(PoolEvidence report, string what) =>
        NoPoolEvents.Is(report.Timeline) ? new(MissingKind.Events, "the pool sent no event")
            : Lost(report, $"and {what} may have been among them");

    /// <summary>Returns null when no event was lost; otherwise the text that events were lost, with the consequence.</summary>
    public static MissingData? Lost(PoolEvidence report, string so) =>
        report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true } ? new(MissingKind.LostEvents, $"events were lost, {so}") : null;

    public static bool NothingLostBefore(PoolEvidence report, EventTime at) =>
        report.Timeline.Quality.LossSpans.All(loss => loss.From > at);

    /// <summary>Returns null when queue length and completions are known; otherwise the reason.</summary>
    public static MissingData? CounterSamples(PoolEvidence report) => report.Timeline.CounterSamples.Length < 2
        ? new(MissingKind.CounterSamples, "queue length and completions are not known: that takes two counter samples") : null;

    /// <summary>Returns null when no injection delay was discarded; otherwise the reason.</summary>
    public static MissingData? Older(PoolEvidence report) =>
        report.Evicted > 0 ? new(MissingKind.History, "older injection delays were discarded to limit memory use") : null;

    /// <summary>Returns null when no injection delay with a possible wait was discarded; otherwise the reason.</summary>
    public static MissingData? OlderWaits(PoolEvidence report) =>
        report.EvictedWaits > 0 ? new(MissingKind.History, "older waits were discarded to limit memory use") : null;
}

/// <summary>The .NET versions for which tpwatch's rules about the thread pool were checked.</summary>
static class Runtimes
{
    const int FirstChecked = 6;
    const int LastChecked = 10;

    /// <summary>Whether tpwatch's rules were not checked for the target's .NET version; false if the version is unknown.</summary>
    public static bool AreUnverified(TargetFacts target) => target.RuntimeMajor is < FirstChecked or > LastChecked;

    /// <summary>Says, without a full stop, that tpwatch does not know the rules of the target's .NET version.</summary>
    public static string Remark(TargetFacts target) =>
        $"tpwatch does not know the rules of .NET {target.RuntimeMajor}: it judges injection delays by those of "
        + $".NET {FirstChecked} to {LastChecked}";
}

/// <summary>All entries that a user can look up by id.</summary>
static class FindingCatalogue
{
    /// <summary>The finding rules, ordered by id.</summary>
    public static ImmutableArray<FindingCatalogueEntry> Findings { get; } =
        [.. FindingRuleSet.All.OrderBy(r => r.Id, StringComparer.Ordinal).Select(r => new FindingCatalogueEntry(r.Id, r.Title, r.Text))];

    /// <summary>Returns the entry with an id, ignoring case; null if there is none.</summary>
    public static FindingCatalogueEntry? Find(string id) =>
        Findings.Concat(DelayWords.Codes).FirstOrDefault(e => e.Id.Equals(id.Trim(), StringComparison.OrdinalIgnoreCase));

    /// <summary>Returns the title of the entry with an id, or the id if there is no such entry, with a question mark.</summary>
    public static string Question(string id) => $"{Find(id)?.Title ?? id}?";
}
