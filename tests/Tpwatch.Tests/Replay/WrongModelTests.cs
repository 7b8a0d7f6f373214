using Tpwatch.Attach;
using Tpwatch.Events;
using Tpwatch.Events.Facts;
using Tpwatch.Explain.Gaps;
using Tpwatch.Explain.Policies;

namespace Tpwatch.Tests.Replay;

/// <summary>The windows are worth something: with a wrong number in the model, or the wrong rule, the same streams do not fit.</summary>
public sealed class WrongModelTests
{
    const int RealProcessors = 8;
    const int RealMin = 8;

    /// <summary>Steps of the longest delay look alike under any numbers; only the shorter ones tell.</summary>
    const double CapMs = 250;

    static readonly GapVerdict[] Judged = [GapVerdict.Fits, GapVerdict.Early, GapVerdict.Late, GapVerdict.NoRule];

    [Fact]
    public async Task With_the_right_numbers_all_but_a_twentieth_of_the_steps_fit()
    {
        var (fits, steps) = await ScoreAsync(RealProcessors, RealMin);
        Assert.True(steps >= 60, $"only {steps} steps");
        Assert.True(fits >= 0.95 * steps, $"{fits} of {steps}");
    }

    [Theory]
    [InlineData(2, RealMin)]
    [InlineData(4, RealMin)]
    [InlineData(16, RealMin)]
    // Half a set of processors too few (4 here) would leave exactly half of the delays as they are.
    [InlineData(RealProcessors, 3)]
    [InlineData(RealProcessors, 16)]
    [InlineData(RealProcessors, 24)]
    public async Task With_a_wrong_processor_count_or_min_less_than_half_of_the_steps_fit(int processors, int min)
    {
        var (fits, steps) = await ScoreAsync(processors, min);
        TestContext.Current.TestOutputHelper?.WriteLine($"{processors} processors, min {min}: {fits} fit of {steps}");
        Assert.True(2 * fits < steps, $"{fits} fit of {steps}");
    }

    [Theory]
    [InlineData("sync-over-async", AdjustmentReason.CooperativeBlocking)]
    [InlineData("pool-burst", AdjustmentReason.Starvation)]
    public async Task Judged_as_its_own_kind_of_blocking_a_stream_fits_and_as_the_other_it_does_not(string name, AdjustmentReason reason)
    {
        var right = (await JudgeAsync(name, RealProcessors, RealMin)).Where(g => g.Reason == reason).ToArray();
        var moments = right.Select(g => g.End).ToHashSet();
        var wrong = (await JudgeAsync(name, RealProcessors, RealMin, otherReason: true))
            .Where(g => moments.Contains(g.End) && g.Reason is not null && g.Reason != reason).ToArray();

        Assert.Equal(right.Length, wrong.Length);
        Assert.True(Fits(right) >= 0.95 * Timed(right), $"{Fits(right)} fit of {Timed(right)} timed");
        TestContext.Current.TestOutputHelper?.WriteLine($"{name}: {Fits(right)} of {Timed(right)}; as the other kind {Fits(wrong)} of {Timed(wrong)}");
        // Where the other kind has no clock it explains nothing, so what really is timed is the measure.
        Assert.True(2 * Fits(wrong) < Timed(right), $"{Fits(wrong)} fit as the other kind, {Timed(right)} are timed as their own");
    }

    /// <summary>
    /// Of the adjustments before the longest delay that have a delay by the right numbers or by these: how many fit. Half a set too few or
    /// too many leaves half of the delays as they are; then the workers that came at once tell it from the truth.
    /// </summary>
    static async Task<(int Fits, int Steps)> ScoreAsync(int processors, int min)
    {
        var right = Rises(await JudgeAsync("sync-over-async", RealProcessors, RealMin));
        var judged = Rises(await JudgeAsync("sync-over-async", processors, min));
        Assert.Equal(right.Keys, judged.Keys);
        var last = right.Values.Where(g => IsStep(g) && g.Windows[0].MaxMs < CapMs).Max(g => g.End);
        var steps = judged.Values.Where(g => g.End <= last && (IsStep(g) || IsStep(right[g.End]))).ToArray();
        return (Fits(steps), steps.Length);
    }

    static SortedDictionary<EventTime, Gap> Rises(IEnumerable<Gap> gaps) =>
        new(gaps.Where(g => g.Reason == AdjustmentReason.CooperativeBlocking).ToDictionary(g => g.End));

    static bool IsStep(Gap gap) => gap.Rule == GapRule.G4CooperativeStep && gap.Windows.Length == 1;

    static int Fits(IEnumerable<Gap> gaps) => gaps.Count(g => g.Verdict == GapVerdict.Fits);

    static int Timed(IEnumerable<Gap> gaps) => gaps.Count(g => Judged.Contains(g.Verdict));

    static async Task<IReadOnlyList<Gap>> JudgeAsync(string name, int processors, int min, bool otherReason = false)
    {
        await using var session = RecordedSession.Open(Recordings.File(name));
        var facts = session.Target with
        {
            Processors = new(processors, SettingSource.Environment),
            MinWorkers = new(min, SettingSource.Environment),
        };
        var ledger = new GapLedger(facts, new PortablePolicy());
        var sink = new ChangedFacts(ledger) { Processors = processors, OtherReason = otherReason };
        Assert.True(new EventDecoder(session, ProbeSet.ForRecording()).Decode(session.Events, sink));
        return ledger.Snapshot().Gaps;
    }
}
