using System.Globalization;
using Tpwatch.Explain;
using Tpwatch.Fixtures.Truth;
using Tpwatch.LiveTests.Scenarios;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Deep;

/// <summary>The items probe against what the fixture says of each item.</summary>
public sealed class ItemTimesTests
{
    /// <summary>A burst that starves, items that end one every 300 ms, and a healthy load.</summary>
    static readonly string[][] Runs =
    [
        ["pool-burst", "--items", "40", "--seconds", "20"],
        ["trickle", "--seconds", "8"],
        ["steady", "--seconds", "5"],
    ];

    static readonly WatchOptions Items = new() { Depth = CaptureDepth.Items };

    public static TheoryData<TargetRuntime, string> Entries()
    {
        var data = new TheoryData<TargetRuntime, string>();
        foreach (var runtime in new[] { TargetRuntime.Net10, TargetRuntime.Net9, TargetRuntime.Net8 })
        {
            foreach (var run in Runs)
            {
                data.Add(runtime, run[0]);
            }
        }

        return data;
    }

    // Until its first worker has run something the pool of a process that is attached to late does not say what is queued; of one that we start it does.
    [Theory(Timeout = 5 * 60 * 1000)]
    [MemberData(nameof(Entries))]
    public async Task Percentiles_of_queue_delay_are_those_of_the_fixtures_own_record(TargetRuntime runtime, string scenario)
    {
        var command = await FixtureBuild.CommandAsync(runtime, TestContext.Current.CancellationToken);
        Runs.Single(r => r[0] == scenario).ToList().ForEach(command.ArgumentList.Add);
        command.Environment["DOTNET_PROCESSOR_COUNT"] = scenario == "pool-burst" ? "8" : "2";
        var run = await ObservedRun.LaunchedAsync(command, Items, TestContext.Current.CancellationToken);
        var delay = run.Report.QueueDelay!;
        var truth = run.Truth.Items.Where(i => i.Started is not null).Select(i => run.Truth.Ms(i.Enqueued, i.Started!.Value)).Order().ToArray();
        TestContext.Current.TestOutputHelper!.WriteLine($"{delay with { Buckets = [] }}");
        TestContext.Current.TestOutputHelper!.WriteLine(
            string.Join(' ', new[] { 0.5, 0.9, 0.99, 1 }.Select(q => Quantile(truth, q).ToString("0.000", CultureInfo.InvariantCulture))));
        Assert.Equal(truth.Length, delay.Count);

        // Between its own stamp and the pool's event a thread of a busy machine may be put aside, which the ends alone show: as long as the fixture's own
        // record says, which notes nothing shorter than its threshold.
        var aside = Math.Max(HiccupLog.WorthNotingMs, run.LongestHiccupMs());
        Assert.All(
            new[] { (0.5, delay.P50Ms), (0.9, delay.P90Ms), (0.99, delay.P99Ms), (1, delay.MaxMs) },
            seen => Assert.InRange(Math.Abs(seen.Item2 - Quantile(truth, seen.Item1)), 0, Math.Max(0.02 * Quantile(truth, seen.Item1), seen.Item1 >= 0.99 ? aside : 0.2)));
        Assert.Equal(delay.Count, delay.Buckets.Sum(b => b.Count));
        Assert.Equal(delay.Count, (run.Report.Items!.HealthyDelay?.Count ?? 0) + (run.Report.Items.StarvedDelay?.Count ?? 0));
        Assert.Equal(scenario != "steady", run.Report.Items.StarvedDelay is not null);
    }

    [Fact(Timeout = 2 * 60 * 1000)]
    public async Task Items_of_which_one_end_was_seen_are_counted_and_not_measured()
    {
        var run = await ObservedRun.OfAsync(
            TargetRuntime.Net10, Items, TestContext.Current.CancellationToken, "pool-burst", "--items", "12", "--seconds", "7", "--processors", "8");
        Assert.Equal(run.Truth.Items.Count(i => i.Started is not null), run.Report.QueueDelay!.Count + run.Report.QueueDelay.Unmatched);
    }

    static double Quantile(double[] sorted, double share) => sorted[(int)Math.Ceiling(share * sorted.Length) - 1];
}
