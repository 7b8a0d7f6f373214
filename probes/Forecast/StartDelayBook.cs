using Tpwatch.Basics;
using Tpwatch.Reports;

namespace Tpwatch.Forecast;

/// <summary>
/// Scores start delays from the counters: an item queued at a heartbeat has started when as many items as waited there, and itself, have
/// been taken; while a backlog stands each completion and each further worker takes one, and the first completion after it would have.
/// </summary>
sealed class StartDelayBook
{
    /// <summary>An hour of heartbeats whose end is still out; older ones are forgotten.</summary>
    const int MostOpen = 3600;

    /// <summary>Errors that are kept for the median.</summary>
    const int MostKept = 1000;

    readonly Queue<Open> open = new();
    readonly Queue<double> errors = new();
    StartDelayScore? score;
    Heartbeat? before;
    int workedBefore;
    double taken;
    bool drained;
    int made;
    int within;
    int bounds;
    int broken;

    public StartDelayScore Score => score ??= new(
        made, errors.Count == 0 ? null : errors.Order().ElementAt(errors.Count / 2), within, bounds, broken);

    /// <summary>Takes a heartbeat, and what was said at it of a new item.</summary>
    public void Take(Heartbeat beat, int working, StartDelay? said)
    {
        if (beat is { Backlog: not null, Completed: { } completed } && before is { } last)
        {
            // A worker that is not used any more ends its item and takes none.
            Pass(last, beat, Math.Max(0, completed + working - workedBefore));
        }

        if (beat is not { Backlog: not null, Completed: not null } || (drained && beat.Backlog > 0))
        {
            Forget();
        }

        drained = beat.Backlog == 0;
        (before, workedBefore) = (beat, working);
        if (said is not null && open.Count < MostOpen)
        {
            open.Enqueue(new(said, taken + beat.Backlog!.Value + 1));
        }
    }

    void Pass(Heartbeat last, Heartbeat beat, double step)
    {
        while (open.TryPeek(out var first) && first.TakenAt <= taken + step)
        {
            open.Dequeue();
            // Where in the heartbeat it was is not known; evenly is as good as any.
            var share = step > 0 ? Math.Clamp((first.TakenAt - taken) / step, 0, 1) : 1;
            Settle(first.Said, last.At.PlusMs(beat.At.MsSince(last.At) * share), beat.At.MsSince(last.At));
        }

        taken += step;
    }

    /// <summary>Another backlog stands, or counting was interrupted.</summary>
    public void Forget()
    {
        open.Clear();
        before = null;
        taken = 0;
    }

    void Settle(StartDelay said, EventTime started, double doubtMs)
    {
        score = null;
        var truth = started.MsSince(said.At);
        if (said.EstimateMs is not { } estimate)
        {
            bounds++;
            broken += said.MinMs > truth + doubtMs ? 1 : 0;
            return;
        }

        made++;
        within += truth >= said.MinMs - doubtMs && truth <= (said.MaxMs ?? double.MaxValue) + doubtMs ? 1 : 0;
        errors.Enqueue(Math.Abs(estimate - truth) / Math.Max(1, truth));
        if (errors.Count > MostKept)
        {
            errors.Dequeue();
        }
    }

    readonly record struct Open(StartDelay Said, double TakenAt);
}
