using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Models;

namespace Tpwatch.Scoring.Scores;

/// <summary>
/// The stream of a run judged under something wrong: how much of it still fits. A model that fits everything says nothing.
/// </summary>
sealed record WrongSettingScore(string What, Share AsExpected)
{
    /// <summary>Fewer tell nothing of a share.</summary>
    const int FewestSteps = 20;

    const int FewestOfAKind = 5;

    public static async Task<ImmutableArray<WrongSettingScore>> OfAsync(RunTruth run, string recording)
    {
        var truth = new ToldSettings(run.Header.Processors, run.Header.MinWorkers);
        var scores = ImmutableArray.CreateBuilder<WrongSettingScore>();
        foreach (var (what, told) in Wrong(truth))
        {
            var (fits, steps) = await WrongModel.StepsAsync(recording, truth, told);
            if (steps < FewestSteps)
            {
                break;
            }

            scores.Add(new(what, new(fits, steps)));
        }

        foreach (var reason in (AdjustmentReason[])[AdjustmentReason.Starvation, AdjustmentReason.CooperativeBlocking])
        {
            var (_, other) = await WrongModel.KindsAsync(recording, truth, reason);
            if (other.Of >= FewestOfAKind)
            {
                scores.Add(new($"{reason} adjustments taken for the other kind", new(other.AsExpected, other.Of)));
            }
        }

        return scores.ToImmutable();
    }

    static IEnumerable<(string What, ToldSettings Told)> Wrong(ToldSettings truth) =>
    [
        ("the right settings", truth),
        ("a quarter of the processors", truth with { Processors = Math.Max(1, truth.Processors / 4) }),
        ("half of the processors", truth with { Processors = Math.Max(1, truth.Processors / 2) }),
        ("twice the processors", truth with { Processors = truth.Processors * 2 }),
        ("three eighths of min", truth with { Min = Math.Max(1, truth.Min * 3 / 8) }),
        ("twice min", truth with { Min = truth.Min * 2 }),
        ("three times min", truth with { Min = truth.Min * 3 }),
    ];
}
