using Tpwatch.Pool;
using Tpwatch.Reports;

namespace Tpwatch.Ledger;

/// <summary>
/// Judges an adjustment for task waits: without delay within the free budget (G5), otherwise after the delay of its step (G4).
/// </summary>
static class CooperativeJudge
{
    /// <summary>
    /// How long after its task wait an adjustment without delay arrives at most, milliseconds: a scheduler's latency. The task wait itself
    /// is not in the stream.
    /// </summary>
    const double JumpMs = 20;

    public static InjectionDelay Judge(CooperativeCase given, CounterSampleLog samples)
    {
        var injectionDelay = new InjectionDelay
        {
            Number = 0,
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
            : given.Settings is { MinBasis: MinBasis.Refuted } or { CooperativeChanged: true } ? Unknowable(injectionDelay, given)
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
    /// Whether a step proves that MinThreads is not the assumed default: it came far earlier than that MinThreads allows, which machine
    /// noise cannot explain.
    /// </summary>
    public static bool RefutesAssumedMin(InjectionDelay injectionDelay, CooperativeCase given) =>
        given.Settings.MinBasis == MinBasis.Assumed
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
            + (given.Settings.MinBasis == MinBasis.Assumed ? " by default" : "");
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
        return observed < window.MinMs && given.Settings.MinBasis == MinBasis.Assumed
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
            : given.Settings.MinBasis == MinBasis.Assumed ? timed with
            {
                Windows = [],
                Because = came + " MinThreads is not known. Below the default, it would make this delay longer, "
                    + "so tpwatch does not judge it.",
            }
            : Overdue(timed with { Because = rule }, given, previous, samples);
    }

    /// <summary>
    /// Judges a delay longer than the step. Either the series of steps had ended, because task waits ended (then items completed) or each
    /// had its worker thread, and the wait of another worker thread started a new series at an unknown time; or the step is late. Only a
    /// worker thread that started or was free can start a new series.
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
