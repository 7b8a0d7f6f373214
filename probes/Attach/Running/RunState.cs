using Tpwatch.Attach.Processes;
using Tpwatch.Basics;

namespace Tpwatch.Attach.Running;

/// <summary>Whether the process is stopped at a look, and from which look to which it was.</summary>
/// <param name="Stopped">Whether it is.</param>
/// <param name="Since">The look that first found it stopped; null where it runs, and ran at the look before.</param>
/// <param name="Until">The look that last found it stopped.</param>
/// <param name="Changed">Whether it was otherwise at the look before.</param>
readonly record struct StopSpan(bool Stopped, EventTime? Since, EventTime? Until, bool Changed);

/// <summary>Follows whether the process is stopped, by a signal (T), a debugger (t) or a frozen control group.</summary>
sealed class RunState(ProcTree tree, int pid, ControlGroup group)
{
    EventTime? since;
    EventTime? until;
    volatile bool stopped;

    /// <summary>Whether it was stopped at the last look; for any thread.</summary>
    public bool Stopped => stopped;

    /// <summary>Looks once.</summary>
    public StopSpan Look(EventTime now)
    {
        var was = stopped;
        stopped = tree.Stat(pid) is { State: 'T' or 't' } || group.IsFrozen();
        if (stopped)
        {
            (since, until) = (was ? since : now, now);
        }

        return new StopSpan(stopped, was || stopped ? since : null, was || stopped ? until : null, stopped != was);
    }
}
