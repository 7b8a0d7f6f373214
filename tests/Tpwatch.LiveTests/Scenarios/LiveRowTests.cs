using Tpwatch.LiveTests.Targets;
using Tpwatch.Reports;
using Tpwatch.Scoring.Checks;

namespace Tpwatch.LiveTests.Scenarios;

/// <summary>What is seen of each row is what its scenario is and what its own record says.</summary>
[Collection(ScenarioCollection.Name)]
public sealed class LiveRowTests(LiveRows rows)
{
    /// <summary>
    /// A standstill of the machine that may turn one scenario into another: a trickle whose items end
    /// every 300 ms needs 200 more to wake the detector.
    /// </summary>
    const double SpoilsMs = 100;

    /// <summary>The names of all rows.</summary>
    public static TheoryData<string> Names => [.. LiveRows.All.Select(plan => plan.Name)];

    [Theory(Timeout = LiveRows.LimitMs)]
    [MemberData(nameof(Names))]
    public async Task Is_told_as_its_record_says(string name)
    {
        var (plan, run) = (LiveRows.All.Single(one => one.Name == name), await rows.OfAsync(name));
        string[] differences = [.. ExpectationCheck.Differences(run, plan), .. TruthCheck.Differences(run, plan.Row)];
        var spoiled = differences.Length > 0 && await IsSpoiledAsync(run, plan) && rows.IsAmongFewSpoiled();
        Assert.True(differences.Length == 0 || spoiled,
            string.Join('\n', [.. differences, run.Report.Headline, ObservedRun.Describe(run.Report.InjectionDelays)]));
    }

    static async Task<bool> IsSpoiledAsync(ObservedRun run, RunPlan plan) =>
        await VoidRow.IsAsync(run.Truth, run.From, run.To, SpoilsMs)
        || (plan.Row.Expectation.MustNotReasons.Contains(nameof(AdjustmentReason.Starvation))
            && await VoidRow.PausedAsync(run.Truth, run.Report.Timeline.Now))
        || (plan.Row.BurnsProcessors && await VoidRow.LacksProcessorsAsync(run.Truth));
}
