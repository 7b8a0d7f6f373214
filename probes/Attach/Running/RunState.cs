using Tpwatch.Attach.Processes;

namespace Tpwatch.Attach.Running;

/// <summary>Whether the process is stopped at a look, and since when.</summary>
/// <param name="Stopped">Whether it is.</param>
/// <param name="Since">Since when it is, or was until this look.</param>
/// <param name="Changed">Whether that differs from the look before.</param>
internal readonly record struct StopSpan(bool Stopped, EventTime? Since, bool Changed);

/// <summary>Follows whether the process is stopped, by a signal (T), a debugger (t) or a frozen control group.</summary>
internal sealed class RunState(ProcTree tree, int pid, ControlGroup group)
{
    EventTime? since;

    /// <summary>Looks once.</summary>
    public StopSpan Look(EventTime now)
    {
        bool stopped = tree.Stat(pid) is { State: 'T' or 't' } || group.IsFrozen();
        EventTime? was = since;
        since = stopped ? was ?? now : null;
        return new StopSpan(stopped, was ?? since, stopped != was is not null);
    }
}
