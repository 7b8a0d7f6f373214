using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>The settings and dependencies of a live session; tests supply their own.</summary>
sealed record LiveSessionSetting
{
    public Machine Machine { get; init; } = Machine.Local;
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// The limit for all requests to the target before events flow; a busy machine answers within 1 s, a stopped target never.
    /// </summary>
    public TimeSpan StartLimit { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The limit for a target that is stopped at attach: a target that continues at once answers within this time, others never.
    /// </summary>
    public TimeSpan StoppedLimit { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The sampler to use when many targets are watched; if null, the session starts its own threads.</summary>
    public SharedSampling? Sampling { get; init; }

    /// <summary>The source that the session reports.</summary>
    public SessionSource Source { get; init; } = SessionSource.Live;

    /// <summary>Whether to resume a runtime that waits suspended at its start; a runtime that already runs ignores the command.</summary>
    public bool Resume { get; init; }

    /// <summary>Whether a young process may still be starting; false for a suspended process, which has not begun to start.</summary>
    public bool MayBeStarting { get; init; }

    /// <summary>Environment variables to set in the target before it is resumed.</summary>
    public ImmutableDictionary<string, string> Environment { get; init; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>The limit for opening a session with this target.</summary>
    public TimeSpan LimitFor(Target target) =>
        Machine.IsLinux && !target.IsElsewhere && Machine.Tree.Stat(target.Pid)?.State is 'T' or 't'
            ? StoppedLimit
            : StartLimit;
}
