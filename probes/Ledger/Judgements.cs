using System.Diagnostics;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Judges an injection delay when it closes, and again when a counter sample covers it: only the sample shows whether items completed
/// inside, whether items waited, and how busy the processors were. A delay that overlaps lost events is not judged.
/// </summary>
sealed class Judgements(GapJudge judge, GapBook book, BeatLog beats, NotRunning notRunning, EpisodeTracker episodes)
{
    readonly List<EventSpan> losses = [];
    readonly List<Pending> pending = [];

    readonly Dictionary<int, (Mechanism Mechanism, string Sentence)> notes = [];

    /// <summary>The most losses kept separately; further ones extend the last.</summary>
    const int MaxLosses = 1000;

    /// <summary>
    /// The most injection delays that await the counter sample covering them. Beyond this number they are decided without it.
    /// </summary>
    const int MaxPending = 1000;

    /// <summary>
    /// How long to wait for the first counter sample, milliseconds. At one sample per second, a sample that has not arrived by then will
    /// not arrive.
    /// </summary>
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
    /// Decides pending delays as starvation when no counter sample has arrived for some time. Without one it is unknown whether items
    /// waited.
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

    /// <summary>Adds an injection delay, or replaces it when more was learned.</summary>
    public void Put(Gap gap) => book.Put(Final(gap));

    /// <summary>
    /// Closes an injection delay. Once a sample shows that items waited, its time without a dequeue counts as starvation.
    /// </summary>
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

    /// <summary>Judges pending delays again after a counter sample that covers everything up to <paramref name="covered"/>.</summary>
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

    /// <summary>Adds a further rule to a closed injection delay, based on later events.</summary>
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

    /// <summary>Judges the delays that ended since a given time again, after new information about why the process did not run.</summary>
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

    /// <param name="Number">The number of the injection delay.</param>
    /// <param name="Case">The state by which it is judged, possibly more than once.</param>
    /// <param name="Told">Whether its starvation has been passed to the episodes.</param>
    readonly record struct Pending(int Number, GapCase Case, bool Told);
}

/// <summary>
/// Turns a case and the evidence into an injection delay with its mechanism, windows, verdict and sentence. A pure function of both.
/// </summary>
sealed class GapJudge(IInjectionPolicy policy)
{
    /// <summary>The injection delay of a case, without a number; <paramref name="evidence"/> holds the counter samples so far.</summary>
    public Gap Judge(GapCase given, BeatLog evidence) => given switch
    {
        StarvationCase starved => starved.TaskWaits.Charge(StarvationJudge.Judge(policy, starved, evidence), starved.Before.Settings),
        CooperativeCase step => CooperativeJudge.Judge(step, evidence),
        _ => throw new UnreachableException($"no judge for {given.GetType().Name}"),
    };
}

/// <summary>
/// Judges a starvation delay (G1, G2): a whole number of gate checks, each tested for whether it could, or had to, inject.
/// </summary>
static class StarvationJudge
{
    /// <summary>The sentence for an injection delay that overlaps lost events.</summary>
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
    /// Whether the last known dequeue is too old to start the delay: items have completed since, so others have been dequeued at times that
    /// are not in the stream; or it is too long ago to know that.
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

        // The worker thread that the last gate check added starts within moments; a later start is separate progress.
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

    /// <summary>
    /// The window when no gate check up to the injection could add a thread: that of the check after the early injection, or of the next
    /// check.
    /// </summary>
    static GapWindow FirstAllowed(PoolTick tick, EventTime start, double observed)
    {
        var shift = observed < tick.Earliest.MsSince(start) ? 0 : GateTiming.AfterHold;
        return new(tick.Earliest.MsSince(start) + shift, tick.Latest.MsSince(start) + shift);
    }
}

/// <summary>Builds the sentence of a starvation delay, with its numbers.</summary>
static class StarvationSentence
{
    public static string Of(Gap gap, PoolSettings settings) =>
        $"{(WasReadLess(gap) ? ReadLess(gap, settings) : $"{Rule(gap, settings)} {Ticks(gap)}")}{Verdict(gap)}{Nobody(gap)}".TrimEnd();

    static bool WasReadLess(Gap gap) =>
        gap.Mechanism == Mechanism.G2CpuThrottle && gap.Ticks is [.., var last] && TickSentence.IsReadLess(last.Why);

    // The pool did not use the rule that the counter sample suggests.
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

/// <summary>A past gate check with its decision.</summary>
/// <param name="Tick">The gate check as predicted from the last known one.</param>
/// <param name="At">When it ran, in the time of the adjustment event, derived from the injection that ended the delay.</param>
/// <param name="Decision">The decision that the rule gives for it.</param>
readonly record struct AskedTick(PoolTick Tick, EventTime At, Decision Decision);

/// <summary>The gate checks from the last known one to an injection, each tested for whether it could, or had to, inject.</summary>
sealed class GateTicks(IInjectionPolicy policy, StarvationCase given)
{
    /// <summary>How far a gate check may be from the injection and still be the check that injected, milliseconds: half a period.</summary>
    const double SameTickMs = GateTiming.AfterHold / 2;

    /// <summary>
    /// The gate checks, of which the last one injected; null when the injection is too far from every check to identify it.
    /// </summary>
    public List<AskedTick>? Asked(BeatLog beats)
    {
        var walked = Walked();
        var fired = walked.FindIndex(w => w.At.MsSince(given.At) >= -SameTickMs);
        return fired < 0 ? null : Asked(walked.GetRange(0, fired + 1), beats);
    }

    /// <summary>The predicted gate checks. The first one is always included, so that an early injection can be compared with it.</summary>
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

    /// <summary>The target thread count at a gate check; if two counts are possible, the larger one.</summary>
    int? GoalAt(EventTime at)
    {
        var held = given.Goals is [var first, ..] ? first.Before : given.Before.Goal;
        foreach (var move in given.Goals.TakeWhile(m => m.At <= at.PlusMs(GateTiming.EarlyMs)))
        {
            held = move.At <= at.PlusMs(-GateTiming.LateMs) ? move.After : Larger(held, move.After);
        }

        return held;
    }

    // If one count is unknown, the larger one is unknown too.
    static int? Larger(int? one, int? other) => one is { } a && other is { } b ? Math.Max(a, b) : null;

    /// <summary>
    /// How long no item must have been dequeued at a gate check with this processor use, milliseconds. A completion within that time
    /// restarts the measurement.
    /// </summary>
    static double NeededMs(PoolState state, double? cpu) =>
        state.IsBusyAt(cpu) && state.Goal is { } goal ? GateTiming.BusyStarvationMs * goal : GateTiming.StarvationMs;

    /// <summary>
    /// When the step pending at a gate check was due; null at the check that injected, because its injection shows that no step was
    /// pending.
    /// </summary>
    EventTime? PendingAt(EventTime at) =>
        at == given.At ? null : given.Steps.Where(s => s.From <= at && at < s.To).Select(s => (EventTime?)s.To).LastOrDefault();

    /// <summary>
    /// When gate check <paramref name="index"/> ran, in the time of the adjustment event: counted back from the injection, but not later
    /// than counted forward from the start of the worker thread, because checks run late and never early. If the injection matches no
    /// check, counting back from it says nothing about the earlier checks.
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
