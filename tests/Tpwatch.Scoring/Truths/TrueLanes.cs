using Tpwatch.Core;
using Tpwatch.Fixtures.Truth;
using Tpwatch.Reports;

namespace Tpwatch.Scoring.Truths;

/// <summary>How many items waited and how many workers were held at a moment, by the fixture's own record.</summary>
sealed class TrueLanes
{
    readonly long[] queued;
    readonly long[] started;
    readonly double[] waits;
    readonly long[] ended;
    readonly long[] appeared;

    public TrueLanes(RunTruth truth)
    {
        queued = [.. truth.Items.Select(i => i.Enqueued).Order()];
        started = [.. truth.Starts().Select(i => i.Started!.Value)];
        waits = [.. truth.Starts().Select(i => (i.Started!.Value - i.Enqueued) / 1e6)];
        ended = [.. truth.Items.Select(i => i.Ended).OfType<long>().Order()];
        appeared = [.. truth.Starts().DistinctBy(i => i.OsThread ?? i.ManagedThread).Select(i => i.Started!.Value)];
    }

    /// <summary>Items that waited for a worker.</summary>
    public int WaitingAt(EventTime at) => UpTo(queued, at) - UpTo(started, at);

    /// <summary>Workers that had an item; of items that await it says nothing.</summary>
    public int BusyAt(EventTime at) => UpTo(started, at) - UpTo(ended, at);

    /// <summary>Workers that had taken an item by then, wherever they are now.</summary>
    public int AppearedBy(EventTime at) => UpTo(appeared, at);

    /// <summary>Items that began after one moment and not after another.</summary>
    public int StartsBetween(EventTime after, EventTime until) => UpTo(started, until) - UpTo(started, after);

    /// <summary>How long the item waited that began last, milliseconds; null where none has begun.</summary>
    public double? WaitOfLastStart(EventTime at) => UpTo(started, at) is > 0 and var begun ? waits[begun - 1] : null;

    /// <summary>When nothing waited any more, milliseconds after a moment at which something did; null when it never was so.</summary>
    public double? EmptyAfterMs(EventTime at) => WaitingAt(at) == 0 ? null
        : started[UpTo(started, at)..].Select(start => (EventTime?)new EventTime(start))
            .FirstOrDefault(start => WaitingAt(start!.Value) == 0)?.MsSince(at);

    /// <summary>How many of the ascending moments are not after one.</summary>
    static int UpTo(long[] moments, EventTime at)
    {
        var place = Array.BinarySearch(moments, at.Nanoseconds + 1);
        place = place < 0 ? ~place : place;
        while (place > 0 && moments[place - 1] > at.Nanoseconds)
        {
            place--;
        }

        return place;
    }
}

/// <summary>The stretches in which some item had waited for a second or more, by the fixture's own record.</summary>
static class TrueWaits
{
    /// <summary>What the contract calls a wait that matters, milliseconds.</summary>
    public const double LongMs = 1_000;

    /// <summary>Two stretches with less between them are one incident to whoever looks once a second.</summary>
    const double SameMs = 1_500;

    /// <summary>How long each item waited after somebody looked, milliseconds: what waited before was not seen to.</summary>
    public static IEnumerable<double> Seen(RunTruth truth, EventTime from) =>
        truth.Items.Select(item => Seen(item, truth, from).Ms).Where(ms => ms > 0);

    /// <summary>
    /// The stretches, in their order, each from the moment its first item was queued or somebody looked to the start of its last.
    /// </summary>
    /// <param name="truth">The record.</param>
    /// <param name="from">When somebody began to look.</param>
    /// <param name="atLeastMs">A wait of so long counts.</param>
    public static ImmutableArray<EventSpan> Stretches(RunTruth truth, EventTime from, double atLeastMs = LongMs)
    {
        var stretches = ImmutableArray.CreateBuilder<EventSpan>();
        foreach (var wait in truth.Items.Select(item => Seen(item, truth, from))
            .Where(wait => wait.Ms >= atLeastMs).OrderBy(wait => wait.From))
        {
            if (stretches is [.., var last] && wait.From.MsSince(last.To) <= SameMs)
            {
                stretches[^1] = last with { To = EventTime.Max(last.To, wait.To) };
            }
            else
            {
                stretches.Add(wait);
            }
        }

        return stretches.ToImmutable();
    }

    static EventSpan Seen(TruthItem item, RunTruth truth, EventTime from) =>
        new(EventTime.Max(from, ObservedRun.At(item.Enqueued)), ObservedRun.At(item.Started ?? truth.End.At));
}

/// <summary>When the machine did not let the fixture run, by its own hiccup log. It excuses only what it overlaps in time.</summary>
static class TrueStandstill
{
    /// <summary>The log sleeps 5 ms at a time, so that the begin of a standstill is known no better.</summary>
    const double LookMs = 5;

    /// <summary>How long the fixture stood still within a stretch of time, milliseconds.</summary>
    public static double MsWithin(RunTruth truth, EventTime from, EventTime to) =>
        truth.Hiccups.Sum(hiccup => OverlapMs(Span(hiccup), from, to));

    /// <summary>The longest standstill that touches a stretch of time, milliseconds.</summary>
    public static double LongestMs(RunTruth truth, EventTime from, EventTime to) =>
        truth.Hiccups.Where(hiccup => OverlapMs(Span(hiccup), from, to) > 0).Select(hiccup => hiccup.OvershootMs).DefaultIfEmpty().Max();

    /// <summary>
    /// Whether a late gap is late because the machine did not run the fixture: for all of the time between the last allowed moment before
    /// its end and that end, but for what the log cannot see. Early is excused by nothing.
    /// </summary>
    public static bool Excuses(InjectionDelay delay, RunTruth truth)
    {
        if (delay is not { Verdict: DelayVerdict.Late, Start: { } start, ObservedMs: { } observed }
            || !delay.Windows.Any(w => w.MaxMs < observed))
        {
            return false;
        }

        var due = start.PlusMs(delay.Windows.Where(w => w.MaxMs < observed).Max(w => w.MaxMs));
        return MsWithin(truth, due.PlusMs(-LookMs), delay.End) >= delay.End.MsSince(due) - LookMs;
    }

    static EventSpan Span(TruthHiccup hiccup) => new(ObservedRun.At(hiccup.At).PlusMs(-hiccup.OvershootMs), ObservedRun.At(hiccup.At));

    static double OverlapMs(EventSpan span, EventTime from, EventTime to) =>
        Math.Max(0, (span.To < to ? span.To : to).MsSince(span.From > from ? span.From : from));
}

/// <summary>
/// How long an item queued at a moment would have waited, by the truth: first in, first out, behind all that waited then.
/// </summary>
static class TrueStartDelay
{
    /// <summary>Milliseconds; null when the run ended before it would have begun, or when nothing waited.</summary>
    public static double? Of(RunTruth truth, EventTime at)
    {
        var ahead = truth.Items
            .Count(item => new EventTime(item.Enqueued) <= at && (item.Started is not { } started || new EventTime(started) > at));
        if (ahead == 0)
            return null;
        var starts = truth.Starts().Select(item => new EventTime(item.Started!.Value)).Where(start => start > at).ToArray();
        return starts.Length > ahead ? starts[ahead].MsSince(at)
            : starts.Length == ahead ? FreeAfter(truth, starts[^1])?.MsSince(at)
            : null;
    }

    /// <summary>Nothing was queued behind the last one, so the item asked for would have had the next worker that became free.</summary>
    static EventTime? FreeAfter(RunTruth truth, EventTime last) => truth.Items
        .Where(item => item.Ended is { } ended && new EventTime(ended) > last)
        .Select(item => (EventTime?)new EventTime(item.Ended!.Value)).Min();
}
