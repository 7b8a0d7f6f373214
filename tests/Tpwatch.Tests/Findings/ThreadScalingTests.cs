using System.Collections.Immutable;
using Tpwatch.Diagnosis;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Findings;

/// <summary>What further workers brought, judged on stored runs of which it is known what their items wait for.</summary>
public sealed class ThreadScalingTests(ITestOutputHelper output)
{
    /// <summary>Their items sleep, or wait for what serves all at once.</summary>
    static readonly ImmutableArray<string> Sleeps =
        ["pool-burst", "eight-minutes", "oscillation", "blocking-socket", "wait-all", "capped-blocking", "one-processor",
            "ten-times-network-call", "trickle", "recovering", "detector-disabled", "sync-over-async", "web-sync-over-async"];

    /// <summary>One lock, or a semaphore of two permits.</summary>
    static readonly ImmutableArray<string> Locks = ["lock-convoy", "semaphore"];

    [Fact]
    public async Task No_stored_run_is_taken_for_the_other_kind_and_enough_are_told()
    {
        var (grows, flat) = (await TallyAsync(Sleeps, ScalingEffect.Grows), await TallyAsync(Locks, ScalingEffect.Flat));
        Assert.True(grows.Right >= 20, $"only {grows.Right} runs of sleeps are told");
        Assert.True(flat.Right >= 4, $"only {flat.Right} runs of locks are told");
        Assert.Empty(grows.Wrong);
        Assert.Empty(flat.Wrong);
    }

    [Theory]
    [InlineData("pool-burst")]
    [InlineData("pool-burst.late")]
    [InlineData("lock-convoy")]
    public async Task Heartbeats_alone_decide_nothing_about_a_pool_that_did_not_grow(string name)
    {
        var report = await TestRecordings.ReplayAsync(TestRecordings.File(name));
        var samples = report.Timeline.CounterSamples.Select(b => b with { Workers = b.Workers > 0 ? 8 : b.Workers }).ToImmutableArray();

        Assert.Equal(ScalingEffect.Unknown, ThreadScaling.Of(report with { Timeline = report.Timeline with { CounterSamples = samples } }));
    }

    /// <summary>
    /// Each request blocks for three seconds, and workers were added all the nine seconds long: what they complete comes a hold time after
    /// them, which looks like a limit in so short a time.
    /// </summary>
    [Theory]
    [InlineData("task-result")]
    [InlineData("task-result.deep")]
    public async Task Completions_that_follow_the_workers_a_hold_time_later_are_no_sign_of_a_lock(string name) =>
        Assert.NotEqual(ScalingEffect.Flat,
            ThreadScaling.Of(await TestRecordings.ReplayAsync(TestRecordings.File(Path.Combine("Targets", name)))));

    async Task<(int Right, ImmutableArray<string> Wrong)> TallyAsync(ImmutableArray<string> kind, ScalingEffect truth)
    {
        var (right, undecided, wrong) = (0, 0, ImmutableArray.CreateBuilder<string>());
        foreach (var name in TestRecordings.All.Where(name => kind.Any(k => name.StartsWith(k, StringComparison.Ordinal))))
        {
            var said = ThreadScaling.Of(await TestRecordings.ReplayAsync(TestRecordings.File(name)));
            right += said == truth ? 1 : 0;
            undecided += said == ScalingEffect.Unknown ? 1 : 0;
            if (said != truth && said != ScalingEffect.Unknown)
            {
                wrong.Add($"{name}: {said}");
            }

            output.WriteLine($"{name}: {said}");
        }

        output.WriteLine($"{truth}: {right} right, {wrong.Count} wrong, {undecided} undecided");
        return (right, wrong.ToImmutable());
    }
}
