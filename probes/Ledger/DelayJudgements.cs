using System.Diagnostics;
using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Judges each injection delay when it ends. Judges it again when the next counter sample arrives, and when later events or readings of the
/// process add evidence.
/// </summary>
sealed class DelayJudgements(
    IInjectionPolicy policy, DelayBook book, CounterSampleLog samples, StandstillEvidence notRunning, EpisodeTracker episodes)
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

    readonly DelayJudge judge = new(policy);
    readonly List<EventSpan> losses = [];
    readonly SortedDictionary<int, Closed> closed = [];
    readonly List<Closed> pending = [];
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
    /// Decides the delays that wait for a counter sample as starvation, if no sample ever arrived within <see cref="SamplePatienceMs"/> or
    /// if too many delays wait. Whether items waited is then unknown.
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

    /// <summary>Judges the delays that ended by <paramref name="covered"/>. Later counter samples no longer change them.</summary>
    public void JudgeAgain(EventTime covered)
    {
        foreach (var one in pending.Where(one => one.Case.At <= covered))
        {
            Settle(one, starves: false);
            Judge(one);
        }

        pending.RemoveAll(one => one.Case is SettledCase);
    }

    /// <summary>Adds to an injection delay a rule that later events reveal. After its final judgement the first note stays.</summary>
    public void Note(int number, Mechanism rule, string sentence)
    {
        if (closed.TryGetValue(number, out var one) && (one.Note is null || one.Case is not SettledCase))
        {
            one.Note = new(rule, sentence);
            Judge(one);
        }
    }

    /// <summary>Judges the delays that ended since a given time again, because new evidence shows whether the process ran.</summary>
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

    InjectionDelay Judge(Closed one)
    {
        var delay = judge.Judge(one.Case, new(samples, notRunning, losses, one.Note));
        book.Put(delay);
        return delay;
    }

    /// <summary>Judges by the counter samples so far and makes this judgement final.</summary>
    void Settle(Closed one, bool starves)
    {
        var delay = judge.ByRule(one.Case, samples);
        Starved(one, delay, starves);
        one.Case = new SettledCase(delay);
    }

    void Starved(Closed one, InjectionDelay delay, bool starves)
    {
        if ((starves || delay.QueueLength > 0) && !one.IsTold && one.Case.WithoutDequeue is { } span)
        {
            one.IsTold = true;
            episodes.Starved(span, delay.Cpu, delay.TargetThreadsAfter);
        }
    }

    Closed Add(DelayCase given)
    {
        var one = closed[given.Number] = new() { Case = given };
        if (closed.Count > MaxClosed)
        {
            closed.Remove(closed.First().Key);
        }

        return one;
    }

    /// <summary>An ended injection delay: its case, a note on later events, and whether its starvation is recorded as an episode.</summary>
    sealed class Closed
    {
        public required DelayCase Case { get; set; }
        public DelayNote? Note { get; set; }
        public bool IsTold { get; set; }
    }
}

/// <summary>A further rule that applies to an ended injection delay, with the sentence that explains it.</summary>
readonly record struct DelayNote(Mechanism Mechanism, string Sentence);

/// <summary>The evidence about an ended injection delay so far; the next counter sample arrives up to a second after the end.</summary>
readonly record struct DelayEvidence(CounterSampleLog Samples, StandstillEvidence NotRunning, IReadOnlyList<EventSpan> Losses,
    DelayNote? Note);

/// <summary>
/// Turns a <see cref="DelayCase"/> and evidence into an injection delay with mechanism, windows, verdict and sentence. First applies the
/// pool's rules, task waits and memory use included. Then considers lost events, later events, and whether the process ran.
/// </summary>
sealed class DelayJudge(IInjectionPolicy policy)
{
    /// <summary>The sentence for an injection delay that overlaps lost events.</summary>
    public const string LossSentence = "Events were lost in that time, so tpwatch does not judge the delay.";

    /// <summary>Minimum share of the lateness that hindrances must cover to excuse a late delay. The rest is error of the clocks.</summary>
    const double Covered = 0.8;

    /// <summary>Maximum time from a hindrance to a late gate check caused by it, milliseconds: the width of a check's window.</summary>
    const double BeforeMs = 20;

    /// <summary>Returns the injection delay of a case, judged by all evidence.</summary>
    public InjectionDelay Judge(DelayCase given, DelayEvidence evidence)
    {
        var delay = ByRule(given, evidence.Samples);
        var span = new EventSpan(delay.Start ?? delay.End, delay.End);
        return evidence.Losses.Any(loss => loss.Touches(span)) ? delay with { Verdict = DelayVerdict.NoData, Because = LossSentence }
            : Ran(evidence.Note is { } note && delay.Also is null && delay.Verdict != DelayVerdict.NoData
                ? delay with { Also = note.Mechanism, Because = $"{delay.Because} {note.Sentence}" }
                : delay, span, evidence.NotRunning);
    }

    /// <summary>Returns the injection delay of a case, judged only by the pool's rules and the counter samples so far.</summary>
    public InjectionDelay ByRule(DelayCase given, CounterSampleLog samples) => given switch
    {
        StarvationCase starved => WithTaskWaits(StarvationDelayJudge.Judge(policy, starved, samples), starved),
        CooperativeCase step => CooperativeDelayJudge.Judge(step, samples),
        SettledCase settled => settled.Delay,
        _ => throw new UnreachableException($"no judge for {given.GetType().Name}"),
    };

    /// <summary>
    /// Adds to a starvation delay why the pool added no thread for task waits: memory use counts as high (G6), or the target thread count
    /// was already raised for other blocking (G7). The gate thread checks for starvation only while no compensation step is pending. So an
    /// injection shows that a step was unnecessary or not allowed. Task waits are certain only after observed steps that were not taken
    /// back.
    /// </summary>
    static InjectionDelay WithTaskWaits(InjectionDelay delay, StarvationCase given)
    {
        var (known, settings) = (given.TaskWaits, given.Before.Settings);
        return delay.Mechanism != Mechanism.G1GateTick ? delay
            : known.High == true ? Vetoed(delay, known)
            : !known.Stands || delay.TargetThreadsBefore < CooperativeSchedule.FreeUpTo(settings) ? delay
            : known.High == false ? delay with { Mechanism = Mechanism.G7Debt, Because = $"{Debt(delay, settings)} {delay.Because}" }
            : delay with
            {
                Also = Mechanism.G7Debt,
                Because = $"{delay.Because} {Debt(delay, settings)} High memory use may be the cause instead: "
                    + (known.Load is { } load ? $"at {Format.Percent(load)} it may count as high." : "the memory load is not known."),
            };
    }

    static InjectionDelay Vetoed(InjectionDelay delay, TaskWaitState known)
    {
        var load = known.Load is { } share ? $" ({Format.Percent(share)})" : "";
        var high = (known.Setting is null ? $"Memory use is high{load}" : $"Memory use{load} counts as high because of {known.Setting}")
            + $": from {Format.FinePercent(known.Veto)} on, task waits get no extra thread.";
        return known.Stands
            ? delay with
            {
                Mechanism = Mechanism.G6MemoryVeto,
                Because = $"{high} Only the gate thread adds threads then. {delay.Because}",
            }
            : delay with
            {
                Also = Mechanism.G6MemoryVeto,
                Because = $"{delay.Because} {high} Stacks would show whether the threads wait for tasks.",
            };
    }

    static string Debt(InjectionDelay delay, PoolSettings settings) =>
        $"Task waits get no extra thread here: the pool has raised the target thread count to "
        + $"{delay.TargetThreadsBefore} for other blocking. "
        + $"The threads above MinThreads ({delay.TargetThreadsBefore - settings.Min}) already count as extra threads for task waits.";

    /// <summary>
    /// Returns the delay, judged by the times at which the process did not run (G12). A delay that overlaps a stop of the process gets no
    /// verdict. A late delay is excused if such times cover its lateness.
    /// </summary>
    static InjectionDelay Ran(InjectionDelay delay, EventSpan span, StandstillEvidence process) =>
        // WaitTracker finds the delays that come from counters alone, and has explained them already.
        !delay.IsWait || delay.Start is null || delay.Verdict is DelayVerdict.Open or DelayVerdict.NoData || IsFromCounters(delay) ? delay
        : process.Stop(span) is { } stop
            ? Unjudged(delay, $"The process was stopped from {process.Utc(stop.From)} to {process.Utc(stop.To)}")
        : process.Hole(span) is { } hole
            ? Unjudged(delay, $"No event came from {process.Utc(hole.From)} to {process.Utc(hole.To)} "
                + $"({Format.Duration(hole.Ms)}), so the process stood still")
        : delay is { Verdict: DelayVerdict.Late, Mechanism: not Mechanism.G12NotRunning } ? Excused(delay, process)
        : delay;

    static bool IsFromCounters(InjectionDelay delay) =>
        delay.Reason is null && delay.Mechanism is not (Mechanism.G0Ramp or Mechanism.G13SlowThread or Mechanism.G15TimeoutChurn);

    static InjectionDelay Unjudged(InjectionDelay delay, string what) =>
        delay with
        {
            Verdict = DelayVerdict.NoData,
            Mechanism = Mechanism.G12NotRunning,
            Windows = [],
            Ticks = [],
            Because = $"{what}. tpwatch does not judge a delay across that time."
        };

    static InjectionDelay Excused(InjectionDelay delay, StandstillEvidence process)
    {
        var late = delay.LateMs ?? 0;
        // If no adjustment ended the delay, the gate thread did not cause it, so the processor waits of any thread count.
        var isOfTheGate = process.IsGateKnown && delay.Reason is not null;
        var causes = process.Causes(new(delay.End.PlusMs(-late - BeforeMs), delay.End), isOfTheGate);
        var sum = causes.Sum(c => c.Ms);
        if (late <= 0 || sum < Covered * late)
        {
            return delay;
        }

        var told = causes is [{ Kind: HindranceKind.ProcessorWait, Ms: var ms }]
            ? $"Around that time, {(isOfTheGate ? "the gate thread" : "a thread of the process")} "
                + $"was ready but had no processor for {Format.Duration(ms)}"
            : "The process did not run at that moment: "
                + string.Join(", ", causes.Select(c => $"{StandstillEvidence.Words(c.Kind)} for {Format.Duration(c.Ms)}"));
        return delay with
        {
            // The verdict stays late: the windows are the times that the rule allows, and this sentence says why the pool missed them.
            Mechanism = Mechanism.G12NotRunning,
            Ticks = [.. delay.Ticks.Select(check => Told(check, process))],
            Because = $"{delay.Because} {told}.",
        };
    }

    static GateCheck Told(GateCheck check, StandstillEvidence process) => check.Fired || process.At(check.At) is not { } during
        ? check
        : new(check.At, check.SinceDequeueMs, check.Cpu, Fired: false,
            $"the gate thread did not run: {StandstillEvidence.Words(during.Kind)} for {Format.Duration(during.Ms)}", Sure: true,
            check.Basis)
        {
            Answer = check.Answer, IsByDispatch = check.IsByDispatch,
        };
}

/// <summary>Judges an adjustment for task waits: without delay up to MinThreads plus processors (G5), above that with delay (G4).</summary>
static class CooperativeDelayJudge
{
    /// <summary>
    /// Maximum time from a thread start or a previous step to an adjustment without delay, milliseconds: a scheduler's latency. No event
    /// tells when the task wait began.
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
            Because = "The pool changed its target thread count for task waits. The previous target is not known, "
                + "so the expected delay is not known either.",
            Cpu = samples.CpuAt(given.At),
            QueueLength = samples.QueueLengthAround(given.At),
        };
        return given.TargetThreadsBefore is not { } before ? injectionDelay
            : given.TargetThreadsAfter <= before ? Withdrawn(injectionDelay)
            : given.Settings is { MinBasis: MinThreadsBasis.Refuted } or { CooperativeChanged: true } ? Unknowable(injectionDelay, given)
            : IsFree(given) ? Jump(injectionDelay, given)
            : Step(injectionDelay, given, before, samples);
    }

    static bool IsFree(CooperativeCase given) =>
        given.TargetThreadsAfter <= CooperativeSchedule.FreeUpTo(given.Settings) || given.TargetThreadsAfter <= (given.Existing ?? 0);

    static InjectionDelay Withdrawn(InjectionDelay injectionDelay) => injectionDelay with
    {
        Because = "Task waits ended, so the pool needs fewer of the threads that it added for them.",
    };

    /// <summary>
    /// Whether a step proves that MinThreads is not the assumed default: the step came far earlier than the default allows, and machine
    /// noise cannot explain that.
    /// </summary>
    public static bool RefutesAssumedMin(InjectionDelay injectionDelay, CooperativeCase given) =>
        given.Settings.MinBasis == MinThreadsBasis.Assumed
        && injectionDelay is { Mechanism: Mechanism.G4CooperativeStep, Verdict: DelayVerdict.NotTimed, Windows.Length: > 0 };

    static InjectionDelay Unknowable(InjectionDelay injectionDelay, CooperativeCase given) => injectionDelay with
    {
        Because = given.Settings.CooperativeChanged
            ? "The pool added a thread for a task wait. A setting of the process changes the delays, so tpwatch does not judge the delays."
            : "The pool added a thread for a task wait. The program has set MinThreads by a call, so the expected delay is not known.",
    };

    static InjectionDelay Jump(InjectionDelay injectionDelay, CooperativeCase given)
    {
        var free = CooperativeSchedule.FreeUpTo(given.Settings);
        var cause = Latest(given.LastStart, given.PreviousStep);
        var budget = given.TargetThreadsAfter <= free ? $"{Format.Plural(free, "thread")} (MinThreads plus processors)"
            : $"the {Format.Plural(given.Existing ?? 0, "thread")} that exist";
        var jump = injectionDelay with { Mechanism = Mechanism.G5CooperativeJump };
        return cause is { } c && given.At.MsSince(c) <= JumpMs
            ? jump with
            {
                Start = c,
                StartBasis = Basis.Inferred,
                Windows = [new(0, JumpMs)],
                Verdict = DelayVerdict.AsExpected,
                Because = $"Threads began to wait for tasks. Up to {budget}, the pool raises the target thread count for task waits "
                    + "without delay.",
            }
            : jump with
            {
                Because = $"Up to {budget}, the pool raises the target thread count for task waits without delay. "
                    + "No event says when the task wait began.",
            };
    }

    static InjectionDelay Step(InjectionDelay injectionDelay, CooperativeCase given, int before, CounterSampleLog samples)
    {
        var delay = CooperativeSchedule.DelayAfter(before, given.Settings);
        var rule = $"Above MinThreads plus processors, the pool adds threads for task waits after a delay, here {delay:0} ms"
            + (given.Settings.MinBasis == MinThreadsBasis.Assumed ? " by default" : "");
        if (given.PreviousStep is not { } previous)
        {
            return injectionDelay with { Because = rule + ". No event says when the task wait began." };
        }

        var window = new DelayWindow(delay - CooperativeSchedule.EarlyMs, delay + CooperativeSchedule.LateMs);
        if (given.IsSinceCall && (given.At.MsSince(previous) < window.MinMs || given.At.MsSince(previous) > window.MaxMs))
        {
            // The stream does not show which task waits continued at the time of the call.
            return Anew(injectionDelay with
            {
                Start = previous,
                StartBasis = Basis.Inferred,
                Because = rule
            }, "A call set the limits meanwhile");
        }

        var timed = injectionDelay with { Start = previous, StartBasis = Basis.Observed, Windows = [window], Because = rule + "." };
        var observed = timed.ObservedMs!.Value;
        var came = $"{rule}. The pool raised the target thread count after {Format.Duration(observed)}.";
        return observed < window.MinMs && given.Settings.MinBasis == MinThreadsBasis.Assumed
            ? timed with
            {
                Because = came + " So MinThreads is larger than the default. The program set MinThreads before tpwatch attached.",
            }
            : given.Settings.LimitsLost && (observed < window.MinMs || observed > window.MaxMs)
                ? timed with
                {
                    Windows = [],
                    Because = came + " Events were lost before that. A call that set MinThreads may have been among them.",
                }
            : observed < window.MinMs ? timed with { Verdict = DelayVerdict.Early, Because = came }
            : observed <= window.MaxMs ? timed with { Verdict = DelayVerdict.AsExpected }
            : given.Settings.MinBasis == MinThreadsBasis.Assumed ? timed with
            {
                Windows = [],
                Because = came + " MinThreads is not known. Below the default, it would make this delay longer, "
                    + "so tpwatch does not judge it.",
            }
            : Overdue(timed with { Because = rule }, given, previous, samples);
    }

    /// <summary>
    /// Judges a step that came after its window. Either the step is late, or a later task wait restarted the delay at an unknown time. A
    /// later task wait is possible only if an item completed, a worker thread started, or a worker thread was idle meanwhile.
    /// </summary>
    static InjectionDelay Overdue(InjectionDelay injectionDelay, CooperativeCase given, EventTime previous, CounterSampleLog samples)
    {
        var (completed, due) = (samples.MayHaveCompleted(previous, given.At) ?? samples.Last is { Completed: > 0 },
            given.At.PlusMs(-injectionDelay.Windows[0].MaxMs));
        return completed ? Anew(injectionDelay, "Items completed meanwhile")
            : given.LastStart >= due ? Anew(injectionDelay, "A thread started meanwhile")
            : !samples.NobodyWasFree(due, given.At) ? Anew(injectionDelay, "A thread was free meanwhile")
            : injectionDelay with
            {
                Verdict = DelayVerdict.Late,
                Because = $"{injectionDelay.Because}. The thread came "
                    + $"{Format.Duration(injectionDelay.ObservedMs!.Value - injectionDelay.Windows[0].MaxMs)} late.",
            };
    }

    static InjectionDelay Anew(InjectionDelay injectionDelay, string since) => injectionDelay with
    {
        Verdict = DelayVerdict.NotTimed,
        Windows = [],
        Because = $"{injectionDelay.Because}. {since}, and a later task wait restarted the delay. No event says when.",
    };

    static EventTime? Latest(EventTime? a, EventTime? b) => a is null ? b : b is null ? a : a > b ? a : b;
}
