using System.Diagnostics;
using Tpwatch.Pool;
using Tpwatch.Reports;
using Tpwatch.Wording;

namespace Tpwatch.Ledger;

/// <summary>
/// Judges each injection delay when it ends. Judges it again when the next counter sample arrives, and when later events or readings of the
/// process add evidence.
/// </summary>
sealed class DelayJudgements(
    IInjectionPolicy policy, InjectionDelayStore book, CounterSampleLog samples, StandstillEvidence notRunning, EpisodeTracker episodes)
{
    /// <summary>Maximum number of time spans with lost events kept separately; further losses extend the last span.</summary>
    const int MaxLosses = 1000;

    /// <summary>
    /// Maximum number of injection delays kept for another judgement: more than end between two counter samples, or between two readings of
    /// the process. If more end, delays are decided without a later sample or reading.
    /// </summary>
    const int MaxClosed = 1000;

    /// <summary>
    /// Maximum time to wait for the first counter sample, milliseconds. At one sample per second, a sample that has not arrived by then
    /// will not arrive.
    /// </summary>
    const double SamplePatienceMs = 3000;

    /// <summary>Minimum share of the lateness that hindrances must cover to excuse a late delay. The rest may be clock error.</summary>
    const double Covered = 0.8;

    /// <summary>How long before a delay became late hindrances begin to count, milliseconds: the width of a gate check's window.</summary>
    const double BeforeMs = 20;

    readonly List<EventSpan> losses = [];
    readonly SortedDictionary<int, ClosedDelay> closed = [];
    readonly List<ClosedDelay> pending = [];
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
    /// Treats the delays that await a counter sample as starvation if no sample has arrived within <see cref="SamplePatienceMs"/> or if too
    /// many delays wait. Whether items waited is then unknown.
    /// </summary>
    public void DecideWithoutSample(double sinceStartMs)
    {
        blind = samples.Last is null && sinceStartMs > SamplePatienceMs;
        if ((blind && pending.Count > 0) || pending.Count > MaxClosed)
        {
            pending.ForEach(one => Settle(one, starves: true));
            pending.Clear();
        }
    }

    /// <summary>Adds an injection delay that needs no later counter sample, or replaces the delay that has the same number.</summary>
    public void Put(InjectionDelay delay) => Judge(Add(new SettledCase(delay)));

    /// <summary>
    /// Judges an injection delay at its end. Its time without a dequeue counts as starvation once a counter sample shows that items waited.
    /// </summary>
    public InjectionDelay Close(DelayCase given)
    {
        var one = Add(given with { Number = book.NextNumber() });
        var delay = Judge(one);
        Starved(one, delay, blind);
        pending.Add(one);
        return delay;
    }

    /// <summary>Judges again the delays that ended at or before a given time. Later counter samples do not change them any more.</summary>
    public void JudgeAgain(EventTime covered)
    {
        foreach (var one in pending.Where(one => one.Case.At <= covered))
        {
            Settle(one, starves: false);
            Judge(one);
        }

        pending.RemoveAll(one => one.Case is SettledCase);
    }

    /// <summary>Adds to a delay a rule that later events reveal. After the final judgement, an existing note is kept.</summary>
    public void Note(int number, Mechanism rule, string sentence)
    {
        if (closed.TryGetValue(number, out var one) && (one.Note is null || one.Case is not SettledCase))
        {
            one.Note = (rule, sentence);
            Judge(one);
        }
    }

    /// <summary>Judges again the delays that ended since a given time, because new evidence shows whether the process ran.</summary>
    public void Reconsider(EventTime since)
    {
        foreach (var delay in book.Since(since).ToArray())
        {
            if (closed.TryGetValue(delay.Number, out var one))
            {
                Judge(one);
            }
        }
    }

    /// <summary>
    /// Turns a case into an injection delay with mechanism, windows, verdict and sentence. First applies the pool's rules, task waits and
    /// memory use included. Then considers lost events, later events, and whether the process ran.
    /// </summary>
    InjectionDelay Judge(ClosedDelay one)
    {
        var byRule = ByRule(one.Case);
        var span = new EventSpan(byRule.Start ?? byRule.End, byRule.End);
        var delay = losses.Any(loss => loss.Touches(span)) ? byRule with { Verdict = DelayVerdict.NoData, Because = DelayReasons.Lost }
            : Ran(one.Note is var (mechanism, sentence) && byRule.Also is null && byRule.Verdict != DelayVerdict.NoData
                ? byRule with { Also = mechanism, Because = $"{byRule.Because} {sentence}" }
                : byRule, span);
        book.Put(delay);
        return delay;
    }

    /// <summary>Judges by the counter samples so far and makes this judgement final.</summary>
    void Settle(ClosedDelay one, bool starves)
    {
        var delay = ByRule(one.Case);
        Starved(one, delay, starves);
        one.Case = new SettledCase(delay);
    }

    void Starved(ClosedDelay one, InjectionDelay delay, bool starves)
    {
        if ((starves || delay.QueueLength > 0) && !one.IsTold && one.Case.WithoutDequeue is { } span)
        {
            one.IsTold = true;
            episodes.Starved(span, delay.Cpu, delay.TargetThreadsAfter);
        }
    }

    ClosedDelay Add(DelayCase given)
    {
        var one = closed[given.Number] = new() { Case = given };
        if (closed.Count > MaxClosed)
        {
            closed.Remove(closed.First().Key);
        }

        return one;
    }

    /// <summary>Returns the injection delay of a case, judged only by the pool's rules and the counter samples so far.</summary>
    InjectionDelay ByRule(DelayCase given) => given switch
    {
        StarvationCase starved => WithTaskWaits(StarvationDelayJudge.Judge(policy, starved, samples), starved),
        CooperativeCase step => CooperativeDelayJudge.Judge(step, samples),
        SettledCase settled => settled.Delay,
        _ => throw new UnreachableException($"no judge for {given.GetType().Name}"),
    };

    /// <summary>
    /// Adds to a starvation delay why the pool added no thread for task waits: memory use counts as high (G6), or the target thread count
    /// was already raised for other blocking (G7). The gate thread checks for starvation only while no compensation step is pending. So an
    /// injection shows that a step was unnecessary or not allowed. Task waits are certain only if the last observed step raised the target
    /// thread count.
    /// </summary>
    static InjectionDelay WithTaskWaits(InjectionDelay delay, StarvationCase given)
    {
        var (known, settings) = (given.TaskWaits, given.Before.Settings);
        return delay.Mechanism != Mechanism.G1GateTick ? delay
            : known.High == true ? delay with
            {
                Mechanism = known.Stands ? Mechanism.G6MemoryVeto : delay.Mechanism,
                Also = known.Stands ? delay.Also : Mechanism.G6MemoryVeto,
                Because = TaskWaitSentence.Vetoed(delay.Because, known.Stands, known.Load, known.Veto, known.Setting),
            }
            : !known.Stands || delay.TargetThreadsBefore < CompensationSchedule.FreeUpTo(settings) ? delay
            : known.High == false ? delay with
            {
                Mechanism = Mechanism.G7Debt,
                Because = TaskWaitSentence.Debt(delay.Because, delay.TargetThreadsBefore, settings.Min),
            }
            : delay with
            {
                Also = Mechanism.G7Debt,
                Because = TaskWaitSentence.DebtOrMemory(delay.Because, delay.TargetThreadsBefore, settings.Min, known.Load),
            };
    }

    /// <summary>
    /// Applies the times at which the process did not run (G12). A delay that overlaps a stop or a standstill of the process gets no
    /// verdict. The lateness of a late delay is explained by such times if they cover it.
    /// </summary>
    InjectionDelay Ran(InjectionDelay delay, EventSpan span) =>
        // Delays found from counter samples alone come from WaitTracker, which has explained them already.
        !delay.IsWait || delay.Start is null || delay.Verdict is DelayVerdict.Open or DelayVerdict.NoData || IsFromCounters(delay) ? delay
        : notRunning.Stop(span) is { } stop
            ? Unjudged(delay, StandstillWords.Stopped(notRunning.Utc(stop.From), notRunning.Utc(stop.To)))
        : notRunning.Hole(span) is { } hole
            ? Unjudged(delay, StandstillWords.StoodStill(notRunning.Utc(hole.From), notRunning.Utc(hole.To), hole.Ms))
        : delay is { Verdict: DelayVerdict.Late, Mechanism: not Mechanism.G12NotRunning } ? Excused(delay)
        : delay;

    static bool IsFromCounters(InjectionDelay delay) =>
        delay.Reason is null && delay.Mechanism is not (Mechanism.G0Ramp or Mechanism.G13SlowThread or Mechanism.G15TimeoutChurn);

    static InjectionDelay Unjudged(InjectionDelay delay, string because) =>
        delay with
        {
            Verdict = DelayVerdict.NoData,
            Mechanism = Mechanism.G12NotRunning,
            Windows = [],
            Ticks = [],
            Because = because,
        };

    InjectionDelay Excused(InjectionDelay delay)
    {
        var late = delay.LateMs ?? 0;
        // If no adjustment ended the delay, the gate thread is not involved, and the processor waits of all threads count.
        var isOfTheGate = notRunning.IsGateKnown && delay.Reason is not null;
        var causes = notRunning.Causes(new(delay.End.PlusMs(-late - BeforeMs), delay.End), isOfTheGate);
        var sum = causes.Sum(c => c.Ms);
        if (late <= 0 || sum < Covered * late)
        {
            return delay;
        }

        return delay with
        {
            // The verdict stays late: the windows are the times that the rule allows, and this sentence says why the pool missed them.
            Mechanism = Mechanism.G12NotRunning,
            Ticks = [.. delay.Ticks.Select(Explained)],
            Because = $"{delay.Because} {StandstillWords.DidNotRun(causes, isOfTheGate)}",
        };
    }

    GateCheck Explained(GateCheck check) => check.Fired || notRunning.At(check.At) is not { } during
        ? check
        : new(check.At, check.SinceDequeueMs, check.Cpu, Fired: false,
            StandstillWords.OfGate(during.Kind, during.Ms), Sure: true, check.Basis)
        {
            Answer = check.Answer, IsByDispatch = check.IsByDispatch,
        };

    /// <summary>An ended injection delay: its case, a note on later events, and whether its starvation is recorded as an episode.</summary>
    sealed class ClosedDelay
    {
        public required DelayCase Case { get; set; }
        public (Mechanism Mechanism, string Sentence)? Note { get; set; }
        public bool IsTold { get; set; }
    }
}

/// <summary>Judges a blocking-compensation step: no delay up to MinThreads plus processors (G5), above that a delay (G4).</summary>
static class CooperativeDelayJudge
{
    /// <summary>
    /// Maximum time from a thread start or a previous step to an adjustment without delay, milliseconds: a scheduler's latency. The start
    /// or step stands for the beginning of the task wait, which has no event.
    /// </summary>
    const double JumpMs = 20;

    public static InjectionDelay Judge(CooperativeCase given, CounterSampleLog samples)
    {
        var injectionDelay = new InjectionDelay
        {
            Number = given.Number,
            StartBasis = Basis.Unknown,
            End = given.At,
            EndBasis = Basis.Observed,
            Reason = AdjustmentReason.CooperativeBlocking,
            TargetThreadsBefore = given.TargetThreadsBefore,
            TargetThreadsAfter = given.TargetThreadsAfter,
            Verdict = DelayVerdict.NotTimed,
            Mechanism = Mechanism.G4CooperativeStep,
            Because = TaskWaitSentence.UnknownBefore,
            Cpu = samples.CpuAt(given.At),
            QueueLength = samples.QueueLengthAround(given.At),
        };
        return given.TargetThreadsBefore is not { } before ? injectionDelay
            : given.TargetThreadsAfter <= before ? injectionDelay with { Because = TaskWaitSentence.Withdrawn }
            : given.Settings is { MinBasis: MinThreadsBasis.Refuted } or { CooperativeChanged: true }
            ? injectionDelay with { Because = TaskWaitSentence.Unknowable(given.Settings.CooperativeChanged) }
            : IsFree(given) ? Jump(injectionDelay, given)
            : Step(injectionDelay, given, before, samples);
    }

    static bool IsFree(CooperativeCase given) =>
        given.TargetThreadsAfter <= CompensationSchedule.FreeUpTo(given.Settings) || given.TargetThreadsAfter <= (given.Existing ?? 0);

    /// <summary>
    /// Whether a step proves that MinThreads is not the assumed default: the step came far earlier than the default allows, and machine
    /// noise cannot explain that.
    /// </summary>
    public static bool RefutesAssumedMin(InjectionDelay injectionDelay, CooperativeCase given) =>
        given.Settings.MinBasis == MinThreadsBasis.Assumed
        && injectionDelay is { Mechanism: Mechanism.G4CooperativeStep, Verdict: DelayVerdict.NotTimed, Windows.Length: > 0 };

    static InjectionDelay Jump(InjectionDelay injectionDelay, CooperativeCase given)
    {
        var free = CompensationSchedule.FreeUpTo(given.Settings);
        var cause = Latest(given.LastStart, given.PreviousStep);
        var (isBudget, began) = (given.TargetThreadsAfter <= free, cause is { } last && given.At.MsSince(last) <= JumpMs);
        var jump = injectionDelay with
        {
            Mechanism = Mechanism.G5CooperativeJump,
            Because = TaskWaitSentence.Jump(isBudget ? free : given.Existing ?? 0, isBudget, began),
        };
        return !began ? jump
            : jump with { Start = cause, StartBasis = Basis.Inferred, Windows = [new(0, JumpMs)], Verdict = DelayVerdict.AsExpected };
    }

    static InjectionDelay Step(InjectionDelay injectionDelay, CooperativeCase given, int before, CounterSampleLog samples)
    {
        var delay = CompensationSchedule.DelayAfter(before, given.Settings);
        var isAssumed = given.Settings.MinBasis == MinThreadsBasis.Assumed;
        var rule = TaskWaitSentence.Rule(delay, isAssumed);
        if (given.PreviousStep is not { } previous)
        {
            return injectionDelay with { Because = TaskWaitSentence.Unbegun(rule) };
        }

        var window = new DelayWindow(delay - CompensationSchedule.EarlyMs, delay + CompensationSchedule.LateMs);
        if (given.IsSinceCall && (given.At.MsSince(previous) < window.MinMs || given.At.MsSince(previous) > window.MaxMs))
        {
            // The stream does not show which task waits continued at the time of the call.
            return Anew(injectionDelay with { Start = previous, StartBasis = Basis.Inferred }, rule, DelayRestart.Call);
        }

        var timed = injectionDelay with { Start = previous, StartBasis = Basis.Observed, Windows = [window], Because = $"{rule}." };
        var observed = timed.ObservedMs!.Value;
        var isEarly = observed < window.MinMs;
        return isEarly && isAssumed ? timed with { Because = TaskWaitSentence.Came(rule, observed, CompensationDoubt.MinIsLarger) }
            : given.Settings.LimitsLost && (isEarly || observed > window.MaxMs)
                ? timed with { Windows = [], Because = TaskWaitSentence.Came(rule, observed, CompensationDoubt.LimitsLost) }
            : isEarly ? timed with { Verdict = DelayVerdict.Early, Because = TaskWaitSentence.Came(rule, observed, CompensationDoubt.None) }
            : observed <= window.MaxMs ? timed with { Verdict = DelayVerdict.AsExpected }
            : isAssumed ? timed with { Windows = [], Because = TaskWaitSentence.Came(rule, observed, CompensationDoubt.MinIsUnknown) }
            : Overdue(timed, rule, given, previous, samples);
    }

    /// <summary>
    /// Judges a step that came after its window. Either the step is late, or a later task wait restarted the delay at an unknown time. A
    /// later task wait is possible only if an item completed, a worker thread started, or a worker thread was idle meanwhile.
    /// </summary>
    static InjectionDelay Overdue(
        InjectionDelay injectionDelay, string rule, CooperativeCase given, EventTime previous, CounterSampleLog samples)
    {
        var (completed, due) = (samples.MayHaveCompleted(previous, given.At) ?? samples.Last is { Completed: > 0 },
            given.At.PlusMs(-injectionDelay.Windows[0].MaxMs));
        return completed ? Anew(injectionDelay, rule, DelayRestart.Completed)
            : given.LastStart >= due ? Anew(injectionDelay, rule, DelayRestart.Started)
            : !samples.NoWorkerWasIdle(due, given.At) ? Anew(injectionDelay, rule, DelayRestart.Free)
            : injectionDelay with
            {
                Verdict = DelayVerdict.Late,
                Because = TaskWaitSentence.Late(rule, injectionDelay.ObservedMs!.Value - injectionDelay.Windows[0].MaxMs),
            };
    }

    static InjectionDelay Anew(InjectionDelay injectionDelay, string rule, DelayRestart by) => injectionDelay with
    {
        Verdict = DelayVerdict.NotTimed,
        Windows = [],
        Because = TaskWaitSentence.Anew(rule, by),
    };

    static EventTime? Latest(EventTime? a, EventTime? b) => a is null ? b : b is null ? a : a > b ? a : b;
}
