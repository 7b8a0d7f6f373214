using System.Net;
using Tpwatch.Sessions;
using Tpwatch.Text;
using Tpwatch.Watch;
using Label = System.Collections.Generic.KeyValuePair<string, object?>;

namespace Tpwatch.Serve;

/// <summary>The state of all watched processes and of tpwatch at one moment; immutable.</summary>
/// <param name="At">The time of the snapshot, UTC.</param>
/// <param name="Targets">The watched processes, ordered by page name.</param>
sealed record FleetSnapshot(DateTime At, ImmutableArray<TargetSnapshot> Targets, WatcherState Own);

/// <summary>The state of tpwatch itself at one moment; immutable. Counters count from the start of tpwatch.</summary>
/// <param name="IncidentsKept">Number of starvation episodes for which a recording and a report were saved.</param>
/// <param name="IncidentsFailed">Number of starvation episodes for which a recording and a report could not be saved.</param>
sealed record WatcherState(int Watched, int Waiting, int Limit, long Refused, long Ended, long IncidentsKept, long IncidentsFailed);

/// <summary>The state of one watched process at one moment; immutable.</summary>
/// <param name="Page">Name of the process's HTTP page, <c>NAME-PID</c>.</param>
/// <param name="Tally">The counters of the process since the watch began.</param>
sealed record TargetSnapshot(ProcessRow Row, TargetLabels Labels, string Page, TargetCounters Tally)
{
    /// <summary>The newest verdict, levels and episodes of the process.</summary>
    public required CurrentPoolState Glance { get; init; }

    /// <summary>How long the process has sent no data; null while data arrives.</summary>
    public TargetSilence? Silence { get; init; }

    public string? Runtime => Glance.Timeline.Target.RuntimeVersion;

    /// <summary>The current verdict. A stopped process is not starved; a process that sends no data is undecided.</summary>
    public Verdict Verdict => Silence switch
    {
        null => Glance.Verdict,
        { Stopped: true } => Verdict.NotThePool,
        _ => Verdict.Undecided,
    };

    /// <summary>The starvation episode in progress; null if there is none, or if the process sends no data.</summary>
    public StarvedEpisode? Open => Silence is null ? Glance.Ledger.Episodes.LastOrDefault(e => !e.Over) : null;
}

/// <summary>
/// The labels that identify the series of a process. The process id is not a label: each restart of a service would create a new set of
/// series. The replica number separates processes with otherwise identical labels; a new process gets the lowest free number.
/// </summary>
/// <param name="Process">The file name of the executable.</param>
/// <param name="Container">The first twelve digits of the container id; empty outside of containers.</param>
sealed record TargetLabels(string Process, string Assembly, string Container, int Replica)
{
    /// <summary>Maximum length of a label value, which every series of the process repeats.</summary>
    const int Longest = 64;

    /// <summary>The labels with their names in Prometheus.</summary>
    public IEnumerable<Label> Labels => Named("process", "assembly", "container_id", "replica");

    /// <summary>The labels with their names in OpenTelemetry's semantic conventions.</summary>
    public IEnumerable<Label> Attributes => Named("process.executable.name", "tpwatch.assembly", "container.id", "tpwatch.replica");

    /// <summary>Returns a name from another program as a label value: shortened, with question marks for control characters.</summary>
    public static string Clean(string value) => string.Concat(
        value.Take(Longest).Select(c => char.IsControl(c) || char.IsSurrogate(c) ? '?' : c));

    IEnumerable<Label> Named(string process, string assembly, string container, string replica) =>
    [
        new(process, Clean(Process)), new(assembly, Clean(Assembly)),
        .. Container.Length == 0 ? Enumerable.Empty<Label>() : [new(container, Clean(Container))],
        new(replica, Replica.ToString(CultureInfo.InvariantCulture)),
    ];
}

/// <summary>Which processes <c>serve</c> watches, and where it publishes their state.</summary>
/// <param name="TokenFile">The file with the bearer token; null for none.</param>
sealed record ServeRequest(IPEndPoint Listen, string? TokenFile)
{
    /// <summary>Maximum value of <see cref="Limit"/>; the memory use of <c>serve</c> was measured up to this number of processes.</summary>
    public const int MostTargets = 200;

    /// <summary>Names of the processes to watch; empty if the user gave no name.</summary>
    public ImmutableArray<string> Names { get; init; } = [];

    /// <summary>Ids of the processes to watch; empty if the user gave no id.</summary>
    public ImmutableArray<int> Pids { get; init; } = [];

    /// <summary>A diagnostic port that processes may connect to; null for none.</summary>
    public PortAddress? Port { get; init; }

    /// <summary>Whether tpwatch scans the processes of this machine: for the given names and ids, or for all processes.</summary>
    public bool Scans => IsAll || !Names.IsEmpty || !Pids.IsEmpty;

    /// <summary>Whether tpwatch watches all processes, because the user gave no name, id or port.</summary>
    public bool IsAll => Names.IsEmpty && Pids.IsEmpty && Port is null;

    public ImmutableArray<string> Except { get; init; } = [];

    /// <summary>Minimum age at which tpwatch attaches to a process.</summary>
    public TimeSpan OlderThan { get; init; }

    public int Limit { get; init; }

    /// <summary>The folder for recordings and reports of starvation episodes; null to save none.</summary>
    public string? Incidents { get; init; }

    /// <summary>Whether clients that may read the state may also start a recording.</summary>
    public bool AllowRecord { get; init; }

    /// <summary>Whether clients that may read the state may also request a memory reading.</summary>
    public bool AllowInside { get; init; }

    /// <summary>Whether memory readings are forbidden, even for a process whose work items seem to hang.</summary>
    public bool NoInside { get; init; }

    /// <summary>The OpenTelemetry collector that metrics are pushed to; null for none.</summary>
    public Uri? Otlp { get; init; }

    /// <summary>Whether tpwatch also pushes log records to the collector.</summary>
    public bool OtlpLogs { get; init; }
}
