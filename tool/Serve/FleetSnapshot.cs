using Tpwatch.Watch;
using Label = System.Collections.Generic.KeyValuePair<string, object?>;

namespace Tpwatch.Serve;

/// <summary>All that is watched at one moment; immutable.</summary>
/// <param name="At">When it was looked, UTC.</param>
/// <param name="Targets">Ordered by their pages.</param>
/// <param name="Own">The watcher itself.</param>
sealed record FleetSnapshot(DateTime At, ImmutableArray<TargetState> Targets, OwnState Own);

/// <summary>The watcher itself at one moment; immutable.</summary>
/// <param name="Version">Of the tool.</param>
/// <param name="Watched">Processes that are watched.</param>
/// <param name="Waiting">Processes for which there is no room.</param>
/// <param name="Refused">Processes that could not be attached to since the start, or could not be watched.</param>
/// <param name="Limit">Processes that may be watched at once.</param>
sealed record OwnState(string Version, int Watched, int Waiting, long Refused, int Limit)
{
    /// <summary>Processor time used since the start, seconds.</summary>
    public required double ProcessorSeconds { get; init; }

    /// <summary>Memory that lies in the machine's own, bytes.</summary>
    public required long ResidentBytes { get; init; }

    /// <summary>When the watcher started, seconds since 1970.</summary>
    public required double StartedAt { get; init; }

    /// <summary>Watched processes that ended since the start.</summary>
    public required long Ended { get; init; }

    /// <summary>Incidents that were written.</summary>
    public long IncidentsKept { get; init; }

    /// <summary>Incidents that could not be written.</summary>
    public long IncidentsFailed { get; init; }
}

/// <summary>One watched process at one moment; immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Labels">What its series are told by.</param>
/// <param name="Pid">Its process id.</param>
/// <param name="Page">The name of its page, <c>NAME-PID</c>.</param>
/// <param name="Tally">What was counted.</param>
sealed record TargetState(string Name, TargetLabels Labels, int Pid, string Page, TargetTally Tally)
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

/// <summary>
/// What tells a target's series from those of others. A process id is none of it: a service that restarts would leave a new set of
/// series each time. Of several processes that are alike in all of it the replica counts, from 0; who comes takes the lowest that is free.
/// </summary>
/// <param name="Process">File name of the executable.</param>
/// <param name="Assembly">Entry assembly.</param>
/// <param name="Container">Twelve digits of the container's id; empty outside of containers.</param>
/// <param name="Replica">From 0.</param>
sealed record TargetLabels(string Process, string Assembly, string Container, int Replica)
{
    /// <summary>Longer than any name that somebody gave; who writes it into every series thinks of all of them.</summary>
    const int Longest = 64;

    /// <summary>As they stand in every series of the target.</summary>
    public IEnumerable<Label> Labels => Named("process", "assembly", "container_id", "replica");

    /// <summary>As the semantic conventions of OpenTelemetry name them.</summary>
    public IEnumerable<Label> Attributes => Named("process.executable.name", "tpwatch.assembly", "container.id", "tpwatch.replica");

    /// <summary>A name that somebody else gave, as a value of a label.</summary>
    public static string Clean(string value) => string.Concat(
        value.Take(Longest).Select(c => char.IsControl(c) || char.IsSurrogate(c) ? '?' : c));

    IEnumerable<Label> Named(string process, string assembly, string container, string replica) =>
    [
        new(process, Clean(Process)), new(assembly, Clean(Assembly)),
        .. Container.Length == 0 ? Enumerable.Empty<Label>() : [new(container, Clean(Container))],
        new(replica, Replica.ToString(CultureInfo.InvariantCulture)),
    ];
}
