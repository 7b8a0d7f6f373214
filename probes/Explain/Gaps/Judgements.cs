using Tpwatch.Timeline;

namespace Tpwatch.Explain.Gaps;

/// <summary>
/// Judges a gap when it closes, and once more when a heartbeat has covered it: only that one says whether items completed inside, whether
/// any waited, and how busy the processors were. What loss touches is not judged.
/// </summary>
sealed class Judgements(GapBook book, BeatLog beats)
{
    readonly List<EventSpan> losses = [];
    readonly List<Pending> pending = [];

    public void Lose(EventSpan span) => losses.Add(span);

    /// <summary>Adds a gap, or replaces it when more was learned.</summary>
    public void Put(Gap gap) => book.Put(Lossless(gap));

    /// <summary>Closes a gap; <paramref name="starves"/> is called once it is known that items waited at it.</summary>
    public void Close(EventTime at, Func<BeatLog, Gap> judge, Action<Gap>? starves = null)
    {
        var number = book.NextNumber();
        var gap = Lossless(judge(beats) with { Number = number });
        book.Put(gap);
        var waited = gap.Backlog is null or > 0;
        if (waited)
        {
            starves?.Invoke(gap);
        }

        pending.Add(new(at, number, judge, waited ? null : starves));
    }

    /// <summary>A heartbeat has come that covers everything up to <paramref name="covered"/>.</summary>
    public void JudgeAgain(EventTime covered)
    {
        foreach (var gap in pending.Where(p => p.At <= covered))
        {
            var judged = Lossless(gap.Judge(beats) with { Number = gap.Number });
            book.Put(judged);
            if (judged.Backlog > 0)
            {
                gap.Starves?.Invoke(judged);
            }
        }

        pending.RemoveAll(p => p.At <= covered);
    }

    Gap Lossless(Gap gap)
    {
        var span = new EventSpan(gap.Start ?? gap.End, gap.End);
        return losses.Exists(l => l.Touches(span))
            ? gap with { Verdict = GapVerdict.NoData, Because = "Events were lost inside; not judged." }
            : gap;
    }

    readonly record struct Pending(EventTime At, int Number, Func<BeatLog, Gap> Judge, Action<Gap>? Starves);
}
