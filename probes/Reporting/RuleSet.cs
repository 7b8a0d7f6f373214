using System.Collections.Immutable;
using Tpwatch.Findings;
using Tpwatch.Findings.Clues;
using Tpwatch.Findings.Remedies;
using Tpwatch.Reports;

namespace Tpwatch.Reporting;

/// <summary>
/// Every rule, in the order in which findings are shown; a rule that fails is reported and does not take the others with it.
/// </summary>
static class RuleSet
{
    public static ImmutableArray<IFindingRule> All { get; } =
    [
        new StarvationRule(), new SyncOverAsyncRule(), new SilentStarvationRule(),
        new ColdBurstRule(), new CeilingRule(), new CpuSaturationRule(),
        new MixedBlockingRule(), new MemoryVetoRule(), new LongItemsRule(),
        new DeadlockRule(), new LateCallbacksRule(), new HillClimbingRule(),
        new IdleTimeoutRule(), new SuspensionRule(), new OneProcessorRule(), new WedgedRule(), new DoesNotApplyRule(),
        new HeldRule(),
    ];

    /// <summary>What is missing, as told of a rule that threw; such an answer is a fault of ours.</summary>
    public const string Failed = "the rule itself failed";

    public static PoolReport Apply(PoolReport report) => Apply(report, All);

    public static PoolReport Apply(PoolReport report, ImmutableArray<IFindingRule> rules)
    {
        var answers = rules.Select(rule => (rule.Id, Answer: Ask(rule, report))).ToArray();
        return report with
        {
            Findings = [.. WithoutRepeats(answers.Select(a => a.Answer).OfType<RuleAnswer.Found>().Select(f => Told(f.Finding))
                .OrderByDescending(f => f.Severity))],
            Clear = [.. answers.Where(a => a.Answer is RuleAnswer.Clear).Select(a => a.Id)],
            Undecided =
            [
                .. answers.Where(a => a.Answer is RuleAnswer.Open).Select(a => new Undecided(a.Id, ((RuleAnswer.Open)a.Answer).Missing)),
            ],
        };
    }

    /// <summary>
    /// A stopgap is told in full once; where it serves again the reader is sent there, and where it was refused nothing more is said.
    /// </summary>
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
                        .Where(r => !MinThreadsRemedy.IsRefusal(r) || told.TryAdd(r, finding.Id))
                        .Select(r => r.Setting is null || told.TryAdd(r, finding.Id)
                            ? r
                            : new Remedy($"The workaround of {told[r]} helps here too.")),
                ],
            };
        }
    }

    static Finding Told(Finding finding) => finding with { Evidence = [.. finding.Evidence.Where(Says)] };

    // What is not known supports nothing; nor does it that what a finding counts or times never was.
    static bool Says(Evidence evidence) =>
        evidence is { Value: not null } and not { Value: 0, Unit: "adjustments" or "injections" or "items" or "ms" };

    static RuleAnswer Ask(IFindingRule rule, PoolReport report)
    {
#pragma warning disable CA1031 // a rule of ours that throws must not take the others with it; the report says that it failed
        try
        {
            return rule.Look(report);
        }
        catch (Exception e)
        {
            return new RuleAnswer.Open($"{Failed}: {e.GetType().Name}: {e.Message}");
        }
#pragma warning restore CA1031
    }
}
