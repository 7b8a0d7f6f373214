using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;
using Tpwatch.Scoring.Readings;
using Tpwatch.Scoring.Truths;

namespace Tpwatch.Scoring.Scores;

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
