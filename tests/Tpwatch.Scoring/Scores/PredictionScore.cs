using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Readings;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

/// <summary>What could be read of the next worker before it came, against when it came by the fixture's own record.</summary>
/// <param name="Ticks">Workers by the gate of which the moment was right to within half a look.</param>
/// <param name="TwoTicks">The same workers by the constant answer "two looks after the last one".</param>
/// <param name="AsLast">The same by "as long as the last one took".</param>
/// <param name="Steps">Workers for task waits of which the moment was right to within a window of 30 ms.</param>
sealed record PredictionScore(Share Ticks, Share TwoTicks, Share AsLast, Share Steps)
{
    public static PredictionScore None { get; } = new(default, default, default, default);

    /// <summary>
    /// Error of the moment where the look was right, milliseconds; a list, since a percentile over all runs needs every one.
    /// </summary>
    public ImmutableArray<double> TimeErrorsMs { get; init; } = [];

    /// <summary>Error of the countdown to a step, milliseconds.</summary>
    public ImmutableArray<double> CountdownErrorsMs { get; init; } = [];

    /// <summary>Workers that came though nothing was foretold and nothing else had happened.</summary>
    public int Missed { get; init; }

    /// <summary>Workers that were foretold and did not come, though nothing else happened.</summary>
    public int Invented { get; init; }

    /// <summary>Workers that say nothing of a prediction, with the reason.</summary>
    public ImmutableSortedDictionary<Unscored, int> Unscored { get; init; } = ImmutableSortedDictionary<Unscored, int>.Empty;

    public static PredictionScore operator +(PredictionScore one, PredictionScore other) => new(
        one.Ticks + other.Ticks, one.TwoTicks + other.TwoTicks, one.AsLast + other.AsLast, one.Steps + other.Steps)
    {
        TimeErrorsMs = [.. one.TimeErrorsMs, .. other.TimeErrorsMs],
        CountdownErrorsMs = [.. one.CountdownErrorsMs, .. other.CountdownErrorsMs],
        Missed = one.Missed + other.Missed,
        Invented = one.Invented + other.Invented,
        Unscored = one.Unscored.Concat(other.Unscored).GroupBy(pair => pair.Key)
            .ToImmutableSortedDictionary(group => group.Key, group => group.Sum(pair => pair.Value)),
    };
}

/// <summary>Why a worker that came, or did not, says nothing of what was foretold.</summary>
enum Unscored
{
    /// <summary>It came sooner than the stream brings what it follows from: nobody could have read anything.</summary>
    BeforeAnythingWasRead,

    /// <summary>Nothing waited until a moment before, and counters come once a second: nobody could know that anything waits.</summary>
    BacklogTooYoung,

    /// <summary>
    /// It came after one that nobody saw, or within a second of attaching: neither the gate's looks nor the backlog are known before.
    /// </summary>
    FirstSeen,

    /// <summary>Another worker took an item in between, which is the condition that was printed with the prediction.</summary>
    ItemsWereTaken,

    /// <summary>The machine did not let the process run meanwhile.</summary>
    Standstill,

    /// <summary>The pool stood at its max, which nothing had told.</summary>
    AtMax,
}

/// <summary>
/// Scores predictions of the next worker from outside: the first thing that could be read after one worker had come, against the moment at
/// which the next took its first item. It knows the readings and the fixture's record, and asks the engine nothing.
/// </summary>
sealed class PredictionScorer
{
    /// <summary>The gate looks every 500 ms and some tenths; nearer than half of it is the right look.</summary>
    const double HalfLookMs = 250;

    /// <summary>Two looks of the gate, the first after an injection, as on an idle machine.</summary>
    const double TwoLooksMs = 1_001;

    /// <summary>After so long without a worker one that was foretold was invented: two looks and what a thread takes to start.</summary>
    const double TooLateMs = 1_100;

    /// <summary>What a countdown to a step is to be right within.</summary>
    const double StepMs = 30;

    /// <summary>An event and the item it lets begin are stamped on different threads.</summary>
    const double StampMs = 1;

    /// <summary>
    /// Counters come once a second, and the stream holds them back for up to 0.2 s more: what
    /// began to wait since is not known, milliseconds.
    /// </summary>
    const double CountersMs = 1_200;

    /// <summary>A standstill of so long changes which look finds what.</summary>
    const double StandstillMs = 20;

    readonly RunTruth truth;
    readonly ImmutableArray<Reading> readings;
    readonly EventTime[] workers;
    readonly EventTime[] starts;
    readonly TrueLanes lanes;

    PredictionScorer(RunTruth truth, ImmutableArray<Reading> readings)
    {
        (this.truth, this.readings, lanes) = (truth, readings, new(truth));
        workers = [.. truth.Appearances().Select(item => ObservedRun.At(item.Started!.Value))];
        starts = [.. truth.Starts().Select(item => ObservedRun.At(item.Started!.Value))];
    }

    /// <param name="truth">What happened.</param>
    /// <param name="readings">What could be read, in order of time.</param>
    public static PredictionScore Of(RunTruth truth, ImmutableArray<Reading> readings)
    {
        var scorer = new PredictionScorer(truth, readings);
        // The pool begins with as many as there are processors, or min: those need no prediction.
        var first = Math.Max(truth.Header.MinWorkers, truth.Header.Processors);
        return Enumerable.Range(first, Math.Max(0, scorer.workers.Length - first + 1))
            .Aggregate(PredictionScore.None, (sum, place) => sum + scorer.Score(place));
    }

    /// <summary>Scores what was said between one worker and the next; after the last one nobody came any more.</summary>
    PredictionScore Score(int place)
    {
        if (place == 0 || readings.IsEmpty || place < workers.Length && workers[place] < readings[0].At)
        {
            return PredictionScore.None;
        }

        var (before, came) = (workers[place - 1], place < workers.Length ? workers[place] : (EventTime?)null);
        var end = came ?? ObservedRun.At(truth.End.At);
        var read =
            readings.FirstOrDefault(reading => reading.At > before && reading.Forecast.At >= before.PlusMs(-StampMs) && reading.At < end);
        return Reason(before, end, read) is { } reason ? Left(came, read, reason)
            : read!.Forecast.NextInjection is not { } said ? Undetected(before, came)
            : came is not { } at || at.MsSince(said.At) > TooLateMs ? Absent(said, came)
            : said.Mechanism == Mechanism.G4CooperativeStep ? Step(at.MsSince(said.At))
            : Tick(place, said, at);
    }

    Unscored? Reason(EventTime before, EventTime end, Reading? read) =>
        read is null ? Unscored.BeforeAnythingWasRead
        : starts.Any(start => start > before.PlusMs(StampMs) && start < end.PlusMs(-StampMs)) ? Unscored.ItemsWereTaken
        : TrueStandstill.LongestMs(truth, before, end) > StandstillMs ? Unscored.Standstill
        : null;

    /// <summary>Nothing was said: a worker that comes all the same is missed, where somebody could have known.</summary>
    PredictionScore Undetected(EventTime before, EventTime? came) =>
        came is not { } at ? PredictionScore.None
        : at.MsSince(WaitingSince(at)) < CountersMs ? Left(came, null, Unscored.BacklogTooYoung)
        : before.MsSince(readings[0].At) < CountersMs ? Left(came, null, Unscored.FirstSeen)
        : PredictionScore.None with { Missed = 1 };

    /// <summary>Since when some item has waited that still does at a moment.</summary>
    EventTime WaitingSince(EventTime at) =>
        truth.Items.Where(item => ObservedRun.At(item.Enqueued) < at && (item.Started is not { } started || ObservedRun.At(started) >= at))
            .Select(item => ObservedRun.At(item.Enqueued)).DefaultIfEmpty(at).Min();

    // At the end of a run, and where nothing was said, there is nothing to score.
    static PredictionScore Left(EventTime? came, Reading? read, Unscored reason) => came is null && read?.Forecast.NextInjection is null
        ? PredictionScore.None
        : PredictionScore.None with { Unscored = ImmutableSortedDictionary<Unscored, int>.Empty.Add(reason, 1) };

    PredictionScore Absent(NextInjection said, EventTime? came)
    {
        var until = said.At.PlusMs(TooLateMs);
        var ended = came is null && until > ObservedRun.At(truth.End.At) || lanes.WaitingAt(until) == 0;
        return ended ? PredictionScore.None
            : workers.Length >= MaxAt(said.At) ? Left(until, null, Unscored.AtMax)
            : PredictionScore.None with { Invented = 1 };
    }

    int MaxAt(EventTime at) => truth.Pool.LastOrDefault(seen => ObservedRun.At(seen.At) <= at)?.Max ?? truth.Header.MaxWorkers;

    static PredictionScore Step(double errorMs) => PredictionScore.None with
    {
        Steps = new(Math.Abs(errorMs) <= StepMs ? 1 : 0, 1),
        CountdownErrorsMs = [Math.Abs(errorMs)],
    };

    PredictionScore Tick(int place, NextInjection said, EventTime at)
    {
        var right = Math.Abs(at.MsSince(said.At)) < HalfLookMs;
        var check = new Share(right ? 1 : 0, 1);
        var last = place > 1 ? workers[place - 1].MsSince(workers[place - 2]) : TwoLooksMs;
        return PredictionScore.None with
        {
            Ticks = check,
            TwoTicks = Constant(at, workers[place - 1].PlusMs(TwoLooksMs)),
            AsLast = Constant(at, workers[place - 1].PlusMs(last)),
            TimeErrorsMs = right ? [Math.Abs(at.MsSince(said.At))] : [],
        };
    }

    static Share Constant(EventTime at, EventTime said) => new(Math.Abs(at.MsSince(said)) < HalfLookMs ? 1 : 0, 1);
}
