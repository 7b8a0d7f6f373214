using System.Diagnostics;
using Tpwatch.Pool;
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

/// <summary>From a case and the evidence to a gap with its mechanism, windows, verdict and sentence. A pure function of the two.</summary>
sealed class GapJudge(IInjectionPolicy policy)
{
    /// <summary>The gap of a case, without a number; <paramref name="evidence"/> is what heartbeats have told so far.</summary>
    public Gap Judge(GapCase given, BeatLog evidence) => given switch
    {
        StarvationCase starved => starved.TaskWaits.Charge(StarvationJudge.Judge(policy, starved, evidence), starved.Before.Settings),
        CooperativeCase step => CooperativeJudge.Judge(step, evidence),
        _ => throw new UnreachableException($"no judge for {given.GetType().Name}"),
    };
}

/// <summary>
/// Judges a starvation gap (G1, G2): a whole number of gate ticks, of which each is asked whether it could, or had to, inject.
/// </summary>
static class StarvationJudge
{
    /// <summary>What is said of a gap that a loss touches.</summary>
    public const string LossSentence = "Events were lost in that time, so tpwatch does not judge the delay.";

    public static Gap Judge(IInjectionPolicy policy, StarvationCase given, BeatLog beats)
    {
        var start = StartOf(given);
        var gap = new Gap
        {
            Number = 0,
            Start = start,
            StartBasis = start is null ? Basis.Unknown : Basis.Observed,
            End = given.At,
            EndBasis = Basis.Observed,
            Reason = AdjustmentReason.Starvation,
            GoalBefore = given.Before.Goal ?? given.GoalAfter - 1,
            GoalAfter = given.GoalAfter,
            Verdict = GapVerdict.NotTimed,
            Mechanism = Mechanism.G1GateTick,
            Because = "",
            Cpu = beats.CpuAt(given.At),
            Backlog = beats.BacklogAround(given.At),
        };
        return given.IsLost ? gap with { Verdict = GapVerdict.NoData, Because = LossSentence }
            : start is { } dequeue && given.Before.LastTick is null && IsStale(dequeue, given.At, beats)
            ? Untimed(gap with { Start = null, StartBasis = Basis.Unknown }, given)
            : start is null || given.Before.LastTick is null ? Untimed(gap, given)
            : new GateTicks(policy, given).Asked(beats) is { } ticks ? Timed(gap, given, ticks, beats)
            : PhaseLost(gap);
    }

    /// <summary>
    /// Items have completed since a dequeue, so that others have been dequeued at moments that are not in the
    /// stream; or it lies so far back that nobody knows.
    /// </summary>
    static bool IsStale(EventTime dequeue, EventTime at, BeatLog beats) =>
        beats.MayHaveCompleted(dequeue, at) ?? at.MsSince(dequeue) > GateTiming.MaxUnseenTicks * GateTiming.AfterHold;

    static EventTime? StartOf(StarvationCase given)
    {
        var dequeue = given.Dequeues.Length > 0 ? given.Dequeues[^1] : given.Before.LastDequeue;
        if (given.Before.LastTick is not { } tick || given.Before.TickPeriodMs != GateTiming.AfterInjection)
        {
            return dequeue;
        }

        // The worker that the last tick added starts within moments; a later start is progress of its own.
        return dequeue is { } d && d.MsSince(tick) > GateTiming.LateMs ? d : tick;
    }

    static Gap Untimed(Gap gap, StarvationCase given) => gap with
    {
        Because = $"The gate thread adds one thread when no item was {given.Before.Settings.ClockDone} for more than 500 ms. "
            + "tpwatch saw no recent injection that tells when the gate thread checks, so tpwatch does not judge this delay.",
    };

    static Gap PhaseLost(Gap gap) => gap with
    {
        Because = $"More than {GateTiming.MaxUnseenTicks} gate checks passed without a thread injection. "
            + "So tpwatch cannot tell when the gate checks ran, and does not judge this delay.",
    };

    static Gap Timed(Gap gap, StarvationCase given, List<AskedTick> ticks, BeatLog beats)
    {
        var judged = Verdict(gap with { Ticks = Describe(given, ticks, beats) }, ticks);
        return judged with { Because = StarvationSentence.Of(judged, given.Before.Settings) };
    }

    static ImmutableArray<GateTick> Describe(StarvationCase given, List<AskedTick> ticks, BeatLog beats) =>
        [.. ticks.Select((tick, index) => Described(given, tick, index == ticks.Count - 1, beats))];

    static GateTick Described(StarvationCase given, AskedTick tick, bool fired, BeatLog beats)
    {
        var (at, decision) = (tick.At, tick.Decision);
        return new(
            fired ? given.At : at, decision.SinceDequeueMs, beats.CpuAt(at), fired, TickSentence.Of(decision, fired, at, beats),
            decision.Certain || (decision.Sure && fired == (decision.Kind == DecisionKind.Add)),
            fired ? Basis.Observed : Basis.Inferred)
        {
            Answer = decision.Kind == DecisionKind.Undecided ? null : decision.Kind == DecisionKind.Add,
            IsByDispatch = given.Before.Settings.ByDispatch,
        };
    }

    static Gap Verdict(Gap gap, List<AskedTick> ticks)
    {
        var start = gap.Start!.Value;
        var windows = ticks.Where(d => d.Decision.Possible && d.Tick.Latest > start)
            .Select(d => new GapWindow(d.Tick.Earliest.MsSince(start), d.Tick.Latest.MsSince(start))).ToImmutableArray();
        var observed = gap.ObservedMs!.Value;
        var missed = ticks.FindIndex(0, ticks.Count - 1, d => d.Decision.Certain);
        var verdict = missed >= 0 ? GapVerdict.Late
            : windows.Any(w => observed >= w.MinMs && observed <= w.MaxMs) ? GapVerdict.Fits
            : windows.Length == 0 || observed < windows[0].MinMs ? GapVerdict.Early
            : GapVerdict.Late;
        return gap with
        {
            Windows = windows.IsEmpty ? [FirstAllowed(ticks[^1].Tick, start, observed)] : windows,
            Verdict = verdict,
            Mechanism = ticks[^1].Decision.Mechanism,
        };
    }

    /// <summary>Where no tick up to the injection could add: the tick it came before, or the one after it.</summary>
    static GapWindow FirstAllowed(PoolTick tick, EventTime start, double observed)
    {
        var shift = observed < tick.Earliest.MsSince(start) ? 0 : GateTiming.AfterHold;
        return new(tick.Earliest.MsSince(start) + shift, tick.Latest.MsSince(start) + shift);
    }
}

/// <summary>The sentence of a starvation gap, with its numbers.</summary>
static class StarvationSentence
{
    public static string Of(Gap gap, PoolSettings settings) =>
        $"{(WasReadLess(gap) ? ReadLess(gap, settings) : $"{Rule(gap, settings)} {Ticks(gap)}")}{Verdict(gap)}{Nobody(gap)}".TrimEnd();

    static bool WasReadLess(Gap gap) =>
        gap.Mechanism == Mechanism.G2CpuThrottle && gap.Ticks is [.., var last] && TickSentence.IsReadLess(last.Why);

    // The rule that the counter sample suggests was not the one that the pool went by.
    static string ReadLess(Gap gap, PoolSettings settings) =>
        $"The counter sample shows {Use(gap)} processor use. At that use, the pool adds a thread only after {Limit(gap)} without a "
        + $"{settings.ClockWord}. The pool did not wait that long, so the runtime read less processor use.";

    static string Use(Gap gap) => Format.Percent(Math.Min(1, gap.Cpu ?? 0));

    static string Limit(Gap gap) => Format.Duration((gap.GoalBefore ?? 1) * 1000);

    static string Rule(Gap gap, PoolSettings settings) => gap.Mechanism == Mechanism.G2CpuThrottle
        ? $"The processors are {Use(gap)} busy, so 500 ms without a {settings.ClockWord} is not enough "
            + "to add a thread. "
            + "The limit is then one second for each thread of the target thread count, here "
            + $"{Limit(gap)}."
        : $"Every 500 ms, the gate thread adds one thread if no item was {settings.ClockDone} for more than 500 ms.";

    static string Nobody(Gap gap) => gap.Backlog == 0
        ? " The nearest counter samples show no waiting item, so probably no item had to wait for this thread."
        : "";

    static string Ticks(Gap gap)
    {
        if (gap.Ticks.Length == 0)
        {
            return "";
        }

        var held = gap.Ticks.Length - 1;
        var added = $"added the thread: {TickSentence.Spoken(gap.Ticks[^1].Why)}.";
        return held switch
        {
            0 => $"The first gate check {added}",
            1 => $"The first gate check added no thread: {TickSentence.Spoken(gap.Ticks[0].Why)}. The second check {added}",
            _ => $"{held} gate checks added no thread. The last of these checks: {TickSentence.Spoken(gap.Ticks[^2].Why)}. The next "
                + $"check {added}",
        };
    }

    static string Verdict(Gap gap) => gap.Verdict switch
    {
        GapVerdict.Late => $" {(WasReadLess(gap) ? "By the 500 ms rule, the" : "The")} thread came "
            + $"{Format.Duration(gap.LateMs ?? 0)} late.",
        GapVerdict.Early => " The thread came before the first moment that the rule allows.",
        _ => "",
    };
}

/// <summary>A tick of the gate that has gone by.</summary>
/// <param name="Tick">When the walk expects it.</param>
/// <param name="At">When it was, in stamps of the adjustment event, by the injection that ended the gap.</param>
/// <param name="Decision">What it had to decide.</param>
readonly record struct AskedTick(PoolTick Tick, EventTime At, Decision Decision);

/// <summary>The gate's ticks from the last known one to an injection, each asked whether it could, or had to, inject.</summary>
sealed class GateTicks(IInjectionPolicy policy, StarvationCase given)
{
    /// <summary>How far a tick may lie from the injection and still be the same tick: half a period.</summary>
    const double SameTickMs = GateTiming.AfterHold / 2;

    /// <summary>
    /// The ticks, the last of them the one that injected; null where the injection lies too far off to say which that is.
    /// </summary>
    public List<AskedTick>? Asked(BeatLog beats)
    {
        var walked = Walked();
        var fired = walked.FindIndex(w => w.At.MsSince(given.At) >= -SameTickMs);
        return fired < 0 ? null : Asked(walked.GetRange(0, fired + 1), beats);
    }

    /// <summary>The first one in any case, so that an injection that came too early has its measure.</summary>
    List<PoolTick> Walked() =>
        [.. GateWalk.From(policy, given.Before with { CooperativeDue = null }).Select(step => step.Tick).Take(GateTiming.MaxUnseenTicks)
            .TakeWhile((tick, index) => index == 0 || tick.At.MsSince(given.At) <= SameTickMs)];

    List<AskedTick> Asked(List<PoolTick> walked, BeatLog beats)
    {
        var asked = new List<AskedTick>();
        var state = given.Before with { CooperativeDue = null };
        for (var i = 0; i < walked.Count; i++)
        {
            var at = TimeOf(walked, i);
            var dequeue = given.Dequeues.Where(d => d < at).Select(d => (EventTime?)d).LastOrDefault() ?? given.Before.LastDequeue;
            state = dequeue is { } known && known != state.LastDequeue ? policy.Apply(state, new PoolInput.Dequeued(known)) : state;
            var cpu = beats.CpuAt(at);
            state = state with { Goal = GoalAt(at) };
            var completed = beats.MayHaveCompleted(at.PlusMs(-NeededMs(state, cpu)), at);
            state = policy.Apply(state, new PoolInput.Counted(at, completed, cpu, Outstanding: true)
            {
                CpuAtMost = beats.CpuAtMost(at),
            });
            var tick = new PoolTick(at, TickKind.Periodic);
            asked.Add(new(walked[i], at, policy.Decide(state with { CooperativeDue = PendingAt(at) }, tick)));
            state = GateWalk.After(policy, state, tick);
        }

        return asked;
    }

    /// <summary>The goal that held at a tick; of two of which either may have, the larger.</summary>
    int? GoalAt(EventTime at)
    {
        var held = given.Goals is [var first, ..] ? first.Before : given.Before.Goal;
        foreach (var move in given.Goals.TakeWhile(m => m.At <= at.PlusMs(GateTiming.EarlyMs)))
        {
            held = move.At <= at.PlusMs(-GateTiming.LateMs) ? move.After : Larger(held, move.After);
        }

        return held;
    }

    // Of a goal that is not known nobody says how large it is.
    static int? Larger(int? one, int? other) => one is { } a && other is { } b ? Math.Max(a, b) : null;

    /// <summary>
    /// How long nothing must have been dequeued at a tick with the processors so busy, milliseconds:
    /// what completes in that time sets the clock back.
    /// </summary>
    static double NeededMs(PoolState state, double? cpu) =>
        state.IsBusyAt(cpu) && state.Goal is { } goal ? GateTiming.BusyStarvationMs * goal : GateTiming.StarvationMs;

    /// <summary>The step that was due after a tick; none at the tick that injected, for it shows that none was.</summary>
    EventTime? PendingAt(EventTime at) =>
        at == given.At ? null : given.Steps.Where(s => s.From <= at && at < s.To).Select(s => (EventTime?)s.To).LastOrDefault();

    /// <summary>
    /// When tick <paramref name="index"/> was, in stamps of the adjustment event: counted back from the injection, but not later than
    /// counted forward from the worker's start, since ticks are late and never early. Where the injection lies off every tick, counting
    /// back from it says nothing about the ticks before.
    /// </summary>
    EventTime TimeOf(List<PoolTick> walked, int index)
    {
        var last = walked.Count - 1;
        if (index == last)
        {
            return given.At;
        }

        var back = given.At.PlusMs(-GateTiming.AfterHold * (last - index));
        if (back < walked[index].Earliest || (back > walked[index].Latest && given.Before.TickPeriodMs != GateTiming.AfterInjection))
        {
            return walked[index].At;
        }

        if (given.Dequeues.Length == 0 || given.Before.TickPeriodMs != GateTiming.AfterInjection)
        {
            return back;
        }

        var forward = given.Dequeues[0].PlusMs(GateTiming.AfterStart + GateTiming.AfterHold * index);
        return back < forward ? back : forward;
    }
}
