using Tpwatch.Attach.Processes;

namespace Tpwatch.Attach;

/// <summary>The surroundings of a live session; tests bring their own.</summary>
internal sealed record LiveSessionSetting
{
    public Machine Machine { get; init; } = Machine.Local;

    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>For all that is asked of the target before events flow; a busy machine answers within 1 s, a stopped target never.</summary>
    public TimeSpan StartLimit { get; init; } = TimeSpan.FromSeconds(10);
}
