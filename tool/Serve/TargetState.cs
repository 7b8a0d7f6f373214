using Tpwatch.Watch;

namespace Tpwatch.Serve;

/// <summary>One watched process at one moment; immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Labels">What its series are told by, as it is written.</param>
/// <param name="Pid">Its process id.</param>
/// <param name="Page">The name of its page, <c>NAME-PID</c>.</param>
/// <param name="Tally">What was counted.</param>
sealed record TargetState(string Name, string Labels, int Pid, string Page, TargetTally Tally)
{
    /// <summary>The newest look.</summary>
    public required PoolGlance Glance { get; init; }

    /// <summary>How long nothing has come from it; null while all is well.</summary>
    public TargetSilence? Silence { get; init; }

    /// <summary>Its container; null where none shows.</summary>
    public string? Container { get; init; }

    public string? Runtime => Glance.Timeline.Target.RuntimeVersion;

    /// <summary>How it is now: who stands still is not starved, and of whom nothing is heard nothing is known.</summary>
    public Verdict Verdict => Silence switch
    {
        null => Glance.Verdict,
        { Stopped: true } => Verdict.NotThePool,
        _ => Verdict.Undecided,
    };

    /// <summary>The episode that lasts; null when none does.</summary>
    public StarvedEpisode? Open => Silence is null ? Glance.Ledger.Episodes.LastOrDefault(e => !e.Over) : null;
}
