using Tpwatch.Reports;

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
