using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Judges a gap when it closes, and once more when a heartbeat has covered it: only that one says whether items completed inside, whether
/// any waited, and how busy the processors were. What loss touches is not judged.
/// </summary>
sealed class Judgements(GapJudge judge, GapBook book, BeatLog beats, NotRunning notRunning, EpisodeTracker episodes)
{
    readonly List<EventSpan> losses = [];
    readonly List<Pending> pending = [];

    readonly Dictionary<int, (Mechanism Mechanism, string Sentence)> notes = [];

    /// <summary>Losses that are kept apart; further ones extend the last.</summary>
    const int MaxLosses = 1000;

    /// <summary>Gaps that wait for the heartbeat that covers them; without one they are decided as they are.</summary>
    const int MaxPending = 1000;

    /// <summary>A heartbeat of one a second that has not come by then does not come.</summary>
    const double HeartbeatPatienceMs = 3000;

    bool blind;

    public void Lose(EventSpan span)
    {
        if (losses.Count < MaxLosses)
        {
            losses.Add(span);
        }
        else
        {
            losses[^1] = losses[^1] with { To = span.To };
        }
    }

    /// <summary>
    /// Whether anything waited cannot be known while no heartbeat has come; after some time its absence decides for starvation.
    /// </summary>
    public void DecideWithoutHeartbeat(double sinceStartMs)
    {
        blind = beats.Last is null && sinceStartMs > HeartbeatPatienceMs;
        if ((blind && pending.Count > 0) || pending.Count > MaxPending)
        {
            foreach (var gap in pending)
            {
                Starved(gap, judge.Judge(gap.Case, beats));
            }

            pending.Clear();
        }
    }

    /// <summary>Adds a gap, or replaces it when more was learned.</summary>
    public void Put(Gap gap) => book.Put(Final(gap));

    /// <summary>Closes a gap; once it is known that items waited at it, its time without a dequeue is one of starvation.</summary>
    public Gap Close(GapCase given)
    {
        var number = book.NextNumber();
        var gap = Final(judge.Judge(given, beats) with { Number = number });
        book.Put(gap);
        var closed = new Pending(number, given, Told: gap.Backlog > 0 || blind);
        if (closed.Told)
        {
            Starved(closed with { Told = false }, gap);
        }

        if (!blind)
        {
            pending.Add(closed);
        }

        return gap;
    }

    /// <summary>A heartbeat has come that covers everything up to <paramref name="covered"/>.</summary>
    public void JudgeAgain(EventTime covered)
    {
        foreach (var gap in pending.Where(p => p.Case.At <= covered))
        {
            var judged = Final(judge.Judge(gap.Case, beats) with { Number = gap.Number });
            book.Put(judged);
            if (judged.Backlog > 0)
            {
                Starved(gap, judged);
            }
        }

        pending.RemoveAll(p => p.Case.At <= covered);
    }

    /// <summary>A further rule bears on a gap that has closed, by what came after it.</summary>
    public void Note(int number, Mechanism rule, string sentence)
    {
        if (notes.Count >= MaxPending)
        {
            notes.Clear();
        }

        notes[number] = (rule, sentence);
        if (book.Find(number) is { } gap)
        {
            book.Put(Noted(gap));
        }
    }

    void Starved(Pending closed, Gap gap)
    {
        if (!closed.Told && closed.Case.WithoutDequeue is { } span)
        {
            episodes.Starved(span, gap.Cpu, gap.GoalAfter);
        }
    }

    Gap Noted(Gap gap) => notes.TryGetValue(gap.Number, out var note) && gap.Also is null && gap.Verdict != GapVerdict.NoData
        ? gap with { Also = note.Mechanism, Because = $"{gap.Because} {note.Sentence}" }
        : gap;

    /// <summary>Something was learned of why the process did not run since a moment: gaps that ended since are judged with it.</summary>
    public void Reconsider(EventTime since)
    {
        foreach (var gap in book.Since(since).ToArray())
        {
            var judged = notRunning.Judge(gap);
            if (!ReferenceEquals(judged, gap))
            {
                book.Put(judged);
            }
        }
    }

    Gap Final(Gap gap)
    {
        var span = new EventSpan(gap.Start ?? gap.End, gap.End);
        return losses.Exists(l => l.Touches(span))
            ? gap with { Verdict = GapVerdict.NoData, Because = StarvationJudge.LossSentence }
            : notRunning.Judge(Noted(gap));
    }

    /// <param name="Number">The gap's.</param>
    /// <param name="Case">What it is judged by, again and again.</param>
    /// <param name="Told">Whether its starvation has been told.</param>
    readonly record struct Pending(int Number, GapCase Case, bool Told);
}
