using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Checks;
using Tpwatch.Scoring.Models;
using Tpwatch.Scoring.Readings;
using Tpwatch.Scoring.Runs;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

/// <summary>Everything that is scored of one run.</summary>
sealed record RunScore(string Name)
{
    /// <summary>As in the JSON report.</summary>
    public required string Verdict { get; init; }

    public required GapScore InjectionDelays { get; init; }

    public required ExplainedTicks Ticks { get; init; }

    public required InjectionScore Injections { get; init; }

    public required ExpectationScore Expectation { get; init; }

    public required PredictionScore Predictions { get; init; }

    public required DelayScore Delays { get; init; }

    public required QueueScore Queue { get; init; }

    public required ImmutableArray<WrongSettingScore> Wrong { get; init; }

    /// <summary>Events that the session lost.</summary>
    public required long Lost { get; init; }

    /// <param name="run">The report at the end, and the record.</param>
    /// <param name="plan">What was run.</param>
    /// <param name="readings">What could be read meanwhile.</param>
    /// <param name="recording">The stream.</param>
    public static async Task<RunScore> OfAsync(ObservedRun run, RunPlan plan, ImmutableArray<Reading> readings, string recording) => new(
        plan.Name)
    {
        Verdict = ExpectationCheck.Word(run.Report.Verdict),
        InjectionDelays = GapScore.Of(run.Report, run.Truth),
        Ticks = ExplainedTicks.Of(run.Report, run.Truth),
        Injections = run.IsLate ? default : InjectionScore.Of(run.Report, run.Truth),
        Expectation = ExpectationScore.Of(run, plan),
        Predictions = plan.Row.WorkersTakeItems ? PredictionScorer.Of(run.Truth, readings) : PredictionScore.None,
        Delays = DelayScore.Of(readings.Select(reading => reading.Forecast.StartDelayOfNewItem).OfType<QueueTimeForecast>(), run.Truth),
        Queue = QueueScore.Of(readings.Select(reading => reading.Forecast), run.Truth),
        Wrong = run.IsLate ? [] : await WrongSettingScore.OfAsync(run.Truth, recording),
        Lost = run.Report.Timeline.Quality.Lost,
    };

    /// <summary>One line of progress.</summary>
    public override string ToString() =>
        $"{Verdict}, timed {InjectionDelays.Timed}, inside {InjectionDelays.Inside}, ticks {Ticks.Pure}, predicted {Predictions.Ticks}"
        + string.Concat(Expectation.All.Select(one => "; " + one));
}

/// <summary>How well the waits of a run are accounted for.</summary>
/// <param name="Timed">Closed waits that a rule with a clock judged, of all but those with a loss inside.</param>
/// <param name="Inside">Of those, the ones that lie in a window of at most 20 ms.</param>
/// <param name="Widened">Of those, the ones that fit in a wider window only: wider by what kept the
/// process from running, as seen from outside.</param>
/// <param name="Excused">Of those late, how many the machine made late by the fixture's own hiccup
/// log; they count as outside all the same.</param>
/// <param name="Unexplained">Closed waits that no rule explains, of all but those with a loss inside.</param>
readonly record struct GapScore(Share Timed, Share Inside, Share Widened, Share Excused, Share Unexplained)
{
    /// <summary>A window of 20 ms, and what rounding makes of it.</summary>
    const double WidestMs = 20.001;

    public static GapScore Of(PoolReport report, RunTruth truth)
    {
        var closed = report.InjectionDelays.Where(g => g.Verdict is not (DelayVerdict.Open or DelayVerdict.NoData) && g.IsWait).ToArray();
        var timed = closed.Where(HasClock).ToArray();
        var late = timed.Where(g => g.Verdict == DelayVerdict.Late).ToArray();
        return new(
            new(timed.Length, closed.Length),
            new(timed.Count(IsInside), timed.Length),
            new(timed.Count(g => g.Verdict == DelayVerdict.AsExpected && !IsInside(g)), timed.Length),
            new(late.Count(g => TrueStandstill.Excuses(g, truth)), late.Length),
            new(closed.Count(g => g.Verdict == DelayVerdict.NoRule || g.Mechanism == Mechanism.None), closed.Length));
    }

    public static GapScore operator +(GapScore one, GapScore other) => new(
        one.Timed + other.Timed, one.Inside + other.Inside, one.Widened + other.Widened,
        one.Excused + other.Excused, one.Unexplained + other.Unexplained);

    /// <summary>
    /// A silent wait is proven by counters, without a moment at which a worker had to come; then it fits without a window.
    /// </summary>
    static bool HasClock(InjectionDelay delay) => delay.Verdict is DelayVerdict.Early or DelayVerdict.Late or DelayVerdict.NoRule
        || delay is { Verdict: DelayVerdict.AsExpected, Windows.IsEmpty: false };

    static bool IsInside(InjectionDelay delay) => delay.Verdict == DelayVerdict.AsExpected && delay.ObservedMs is { } ms
        && delay.Windows.Any(w => w.MaxMs - w.MinMs <= WidestMs && w.MinMs <= ms && ms <= w.MaxMs);
}

/// <summary>How many looks of the gate are explained: the rule's answer, by our reading of its clock, is what happened.</summary>
/// <param name="Pure">Ticks before which no item had ended for a while, by the truth: every dequeue shows in the events.</param>
/// <param name="PureSure">Those of them of which the tool says that it is sure.</param>
/// <param name="All">All ticks.</param>
readonly record struct ExplainedTicks(Share Pure, Share PureSure, Share All)
{
    /// <summary>
    /// An item that ends frees its worker for a dequeue without an event; longer ago it no longer matters to the rule of 500 ms.
    /// </summary>
    const double QuietMs = 1000;

    public static ExplainedTicks Of(PoolReport report, RunTruth truth)
    {
        var ends = truth.Items.Where(item => item.Ended is not null).Select(item => new EventTime(item.Ended!.Value)).Order().ToArray();
        var checks = report.InjectionDelays.SelectMany(delay => delay.Ticks).ToArray();
        var pure = checks.Where(check => !Array.Exists(ends, end => end <= check.At && check.At.MsSince(end) < QuietMs)).ToArray();
        return new(Explained(pure), Explained(pure.Where(check => check.Sure)), Explained(checks));
    }

    public static ExplainedTicks operator +(ExplainedTicks one, ExplainedTicks other) =>
        new(one.Pure + other.Pure, one.PureSure + other.PureSure, one.All + other.All);

    static Share Explained(IEnumerable<GateCheck> checks)
    {
        var all = checks.ToArray();
        return new(all.Count(check => check.Answer == check.Fired), all.Length);
    }
}

/// <summary>Workers that appeared in the truth against rises of the goal that the tool saw, each in its order.</summary>
/// <param name="Workers">Workers above the first goal that ran an item.</param>
/// <param name="Missed">Those for which the goal had not risen before they began.</param>
/// <param name="Invented">Injections after which no new worker ran an item although items waited.</param>
readonly record struct InjectionScore(int Workers, int Missed, int Invented)
{
    /// <summary>The two clocks are the same; the stamps are taken at different places of the code.</summary>
    const double StampMs = 1;

    /// <summary>A worker that is injected takes its item within this, unless the machine is busy or another one took it before.</summary>
    const double EmptiedMs = 250;

    public static InjectionScore Of(PoolReport report, RunTruth truth)
    {
        var until = report.InjectionDelays.Where(g => g.Reason == AdjustmentReason.ThreadTimedOut)
            .Select(g => g.End).Concat(Calls(truth)).DefaultIfEmpty(new(truth.End.At)).Min();
        var workers = truth.Appearances().Select(item => new EventTime(item.Started!.Value))
            .Where(at => at < until).Skip(AtOnce(truth.Header)).ToArray();
        var open = Places(report, until, AtOnce(truth.Header)).ToList();
        var missed = 0;
        foreach (var worker in workers)
        {
            var own = open.FindIndex(place => worker.MsSince(place) >= -StampMs);
            if (own < 0)
                missed++;
            else
                open.RemoveAt(own);
        }

        return new(workers.Length, missed, open.Count(place => Waited(truth, place)));
    }

    public static InjectionScore operator +(InjectionScore one, InjectionScore other) =>
        new(one.Workers + other.Workers, one.Missed + other.Missed, one.Invented + other.Invented);

    /// <summary>A call that changes the limits moves the goal without an adjustment: what comes from then on tells nothing.</summary>
    static IEnumerable<EventTime> Calls(RunTruth truth) =>
        truth.Pool.Select((seen, index) => (seen, index))
            .Where(p => p.seen.Min != truth.Header.MinWorkers || p.seen.Max != truth.Header.MaxWorkers).Take(1)
            // Between two questions to the pool a worker may have come already.
            .Select(p => new EventTime(p.index == 0 ? 0 : truth.Pool[p.index - 1].At));

    /// <summary>
    /// The goal with which the pool begins: a min that the program lowers below the number of processors leaves it there.
    /// </summary>
    static int AtOnce(TruthHeader header) => Math.Max(header.MinWorkers, header.Processors);

    /// <summary>
    /// The moments at which the goal made room for one worker more than ever before. A worker that timed
    /// out makes room, too, so later ones tell nothing.
    /// </summary>
    static IEnumerable<EventTime> Places(PoolReport report, EventTime until, int atOnce)
    {
        var most = atOnce;
        foreach (var delay in report.InjectionDelays.Where(g => g.Reason is not null && g.End < until))
        {
            for (; most < delay.TargetThreadsAfter; most++)
                yield return delay.End;
        }
    }

    /// <summary>Items waited some time after the moment; at the end of a run nobody can tell any more.</summary>
    static bool Waited(RunTruth truth, EventTime at)
    {
        var later = at.PlusMs(EmptiedMs);
        return later < new EventTime(truth.End.At) && truth.Items.Any(item =>
            new EventTime(item.Enqueued) <= at && (item.Started is not { } started || new EventTime(started) > later));
    }
}

/// <summary>What a run's report says against what its scenario is and what its record tells; each difference in one sentence.</summary>
sealed record ExpectationScore(ImmutableArray<string> Verdicts,
    ImmutableArray<string> Findings, ImmutableArray<string> Rules, ImmutableArray<string> Record)
{
    public IEnumerable<string> All => [.. Verdicts, .. Findings, .. Rules, .. Record];

    public static ExpectationScore Of(ObservedRun run, RunPlan plan)
    {
        var all = ExpectationCheck.Differences(run, plan);
        return new(
            [.. all.Where(IsVerdict)],
            [.. all.Where(IsFinding)],
            [.. all.Where(one => !IsVerdict(one) && !IsFinding(one))],
            TruthCheck.Differences(run, plan.Row));
    }

    static bool IsVerdict(string difference) => difference.StartsWith("verdict ", StringComparison.Ordinal);

    static bool IsFinding(string difference) => difference.Contains("finding ", StringComparison.Ordinal);
}

/// <summary>What was said of an item queued now, against how long it would have waited by the truth.</summary>
/// <param name="Errors">Errors of the estimates, each as a share of the true delay.</param>
/// <param name="AsLast">Errors at the same moments of the constant answer: as long as the item waited that began last.</param>
/// <param name="AsRate">And of this one: as long as it takes to start all that wait, as many a second as in the second before.</param>
/// <param name="BrokenBounds">Lower bounds without an estimate that were above the truth, of all that could be compared.</param>
sealed record DelayScore(
    ImmutableArray<double> Errors, ImmutableArray<double> AsLast, ImmutableArray<double> AsRate, Share BrokenBounds)
{
    /// <summary>A delay shorter than this is the stream's own, and a share of it says nothing.</summary>
    const double ShortestMs = 500;

    const double SecondMs = 1_000;

    public static DelayScore None { get; } = new([], [], [], default);

    /// <param name="said">What was said while the run went on; the same more than once counts once.</param>
    /// <param name="truth">What happened.</param>
    public static DelayScore Of(IEnumerable<QueueTimeForecast> said, RunTruth truth)
    {
        var known = said.DistinctBy(one => one.At).Select(one => (Said: one, Truth: TrueStartDelay.Of(truth, one.At)))
            .Where(one => one.Truth >= ShortestMs).ToArray();
        var bounds = known.Where(one => one.Said.EstimateMs is null).ToArray();
        var estimated = known.Where(one => one.Said.EstimateMs is not null).ToArray();
        var lanes = new TrueLanes(truth);
        ImmutableArray<double> Errors(Func<QueueTimeForecast, double?> answer) => [.. estimated.Select(one => answer(one.Said) is { } ms
            ? Math.Abs(ms - one.Truth!.Value) / one.Truth.Value : double.PositiveInfinity)];
        return new(
            Errors(said => said.EstimateMs), Errors(said => lanes.WaitOfLastStart(said.At)), Errors(said => AsRateMs(lanes, said.At)),
            new(bounds.Count(one => one.Said.MinMs > one.Truth), bounds.Length));
    }

    public static DelayScore operator +(DelayScore one, DelayScore other) =>
        new([.. one.Errors, .. other.Errors], [.. one.AsLast, .. other.AsLast], [.. one.AsRate, .. other.AsRate],
            one.BrokenBounds + other.BrokenBounds);

    static double? AsRateMs(TrueLanes lanes, EventTime at) => lanes.StartsBetween(at.PlusMs(-SecondMs), at) is > 0 and var starts
        ? lanes.WaitingAt(at) * SecondMs / starts
        : null;
}

/// <summary>
/// What was said of the moment at which the queue is empty, against the truth, and what is said without a model: that items go on to
/// come and to start as in the second before. Errors are shares of the true span; without end where the answer was "never".
/// </summary>
/// <param name="Errors">Of what was said.</param>
/// <param name="AsBefore">Of the constant answer, at the same moments.</param>
sealed record QueueScore(ImmutableArray<double> Errors, ImmutableArray<double> AsBefore)
{
    /// <summary>A span shorter than this is the stream's own, and a share of it says nothing.</summary>
    const double ShortestMs = 500;

    const double SecondMs = 1_000;

    public static QueueScore None { get; } = new([], []);

    /// <param name="said">What was said while the run went on; the same more than once counts once.</param>
    /// <param name="truth">What happened.</param>
    public static QueueScore Of(IEnumerable<PoolForecast> said, RunTruth truth)
    {
        var lanes = new TrueLanes(truth);
        var known = said.Where(one => one.QueueEmpty is { At: not null } or { Never: true }).DistinctBy(one => one.At)
            .Select(one => (one.At, Said: one.QueueEmpty!, TrueMs: lanes.EmptyAfterMs(one.At)))
            .Where(one => one.TrueMs >= ShortestMs).ToArray();
        return new(
            [.. known.Select(one => Error(one.Said.At?.MsSince(one.At), one.TrueMs!.Value))],
            [.. known.Select(one => Error(AsBeforeMs(lanes, one.At), one.TrueMs!.Value))]);
    }

    public static QueueScore operator +(QueueScore one, QueueScore other) =>
        new([.. one.Errors, .. other.Errors], [.. one.AsBefore, .. other.AsBefore]);

    static double Error(double? saidMs, double trueMs) => saidMs is { } ms ? Math.Abs(ms - trueMs) / trueMs : double.PositiveInfinity;

    static double? AsBeforeMs(TrueLanes lanes, EventTime at)
    {
        var before = at.PlusMs(-SecondMs);
        var less = lanes.WaitingAt(before) - lanes.WaitingAt(at);
        return less > 0 ? lanes.WaitingAt(at) * SecondMs / less : null;
    }
}

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
            var steps = await WrongModel.StepsAsync(recording, truth, told);
            if (steps.Of < FewestSteps)
            {
                break;
            }

            scores.Add(new(what, steps));
        }

        foreach (var reason in (AdjustmentReason[])[AdjustmentReason.Starvation, AdjustmentReason.CooperativeBlocking])
        {
            var (_, other) = await WrongModel.KindsAsync(recording, truth, reason);
            if (other.Of >= FewestOfAKind)
            {
                scores.Add(new($"{reason} adjustments taken for the other kind", other));
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
