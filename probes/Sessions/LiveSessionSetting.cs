using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>The surroundings of a live session; tests bring their own.</summary>
sealed record LiveSessionSetting
{
    public Machine Machine { get; init; } = Machine.Local;
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// For all that is asked of the target before events flow; a busy machine answers within 1 s, a stopped target never.
    /// </summary>
    public TimeSpan StartLimit { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>For a target that is stopped when we come: one that goes on at once answers within this, the others never.</summary>
    public TimeSpan StoppedLimit { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Who looks at the process from outside, for who watches many; null: threads of the session's own.</summary>
    public SharedSampling? Sampling { get; init; }

    /// <summary>What the session says of itself.</summary>
    public SessionSource Source { get; init; } = SessionSource.Live;

    /// <summary>Whether to let a runtime go on that waits, suspended at its start; one that runs already takes no notice.</summary>
    public bool Resume { get; init; }

    /// <summary>Whether a young process may still be starting; a suspended one has not begun to.</summary>
    public bool MayBeStarting { get; init; }

    /// <summary>Variables to set in the target before it goes on.</summary>
    public ImmutableDictionary<string, string> Environment { get; init; } = ImmutableDictionary<string, string>.Empty;

    /// <summary>How long a target may take.</summary>
    public TimeSpan LimitFor(Target target) =>
        Machine.IsLinux && !target.IsElsewhere && Machine.Tree.Stat(target.Pid)?.State is 'T' or 't'
            ? StoppedLimit
            : StartLimit;
}
