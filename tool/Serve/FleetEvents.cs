using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Label = System.Collections.Generic.KeyValuePair<string, object?>;

namespace Tpwatch.Serve;

/// <summary>
/// A log record about a process: an episode that began, changed or ended, or a new finding. An event holds only text and attributes,
/// because it may wait hours for a collector: a thousand events with whole snapshots of the process take 50 MB.
/// </summary>
/// <param name="At">When the event was observed, UTC.</param>
/// <param name="Name">The kind of event, such as <c>tpwatch.episode.begin</c>.</param>
/// <param name="Severity">The severity of the log record.</param>
/// <param name="Text">The message, one sentence.</param>
/// <param name="Attributes">The process and details of the event, named by the semantic conventions of OpenTelemetry.</param>
sealed record FleetEvent(DateTime At, string Name, LogLevel Severity, string Text, Label[] Attributes)
{
    /// <summary>Returns the value of an attribute; null if the event has no attribute with that name.</summary>
    public object? this[string name] => Attributes.FirstOrDefault(attribute => attribute.Key == name).Value;
}

/// <summary>
/// A bounded queue of events for a log collector: changes of episodes, and each finding once per episode. When the queue is full, the
/// oldest event is dropped. One thread writes and another thread reads.
/// </summary>
sealed class FleetEvents
{
    /// <summary>Maximum number of queued events: these take less than a megabyte, and cover hours of a machine in trouble.</summary>
    public const int Most = 1000;

    /// <summary>Minimum time between two reports of one process. A report takes a millisecond, and findings change slowly.</summary>
    static readonly TimeSpan BetweenReports = TimeSpan.FromSeconds(10);

    readonly Channel<FleetEvent> events;
    readonly Dictionary<string, HashSet<string>> found = [];
    readonly Dictionary<string, DateTime> looked = [];
    long dropped;

    public FleetEvents() => events = Channel.CreateBounded<FleetEvent>(
        new BoundedChannelOptions(Most) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true },
        _ => Interlocked.Increment(ref dropped));

    /// <summary>Number of events that were dropped because the queue was full.</summary>
    public long Dropped => Interlocked.Read(ref dropped);

    /// <summary>Adds the events of one round to the queue.</summary>
    /// <param name="changes">Episodes that began, changed or ended.</param>
    /// <param name="states">The states of all watched processes.</param>
    /// <param name="report">Returns the report of a process by the name of its page.</param>
    /// <param name="now">The current time, UTC.</param>
    public void Tell(
        ImmutableArray<EpisodeChange> changes, ImmutableArray<TargetState> states, Func<string, PoolReport?> report, DateTime now)
    {
        foreach (var change in changes)
        {
            events.Writer.TryWrite(Of(change, now));
            // A report at the beginning of an episode is incomplete, so the first report is made one interval later.
            looked.TryAdd(change.Target.Page, now);
        }

        foreach (var target in states.Where(s => s.Open is not null && IsDue(s.Page, now)))
        {
            Look(target, report, now);
        }

        foreach (var change in changes.Where(c => c.IsOver))
        {
            Look(change.Target, report, now);
            found.Remove(change.Target.Page);
            looked.Remove(change.Target.Page);
        }
    }

    /// <summary>Removes and returns the oldest event; null if the queue is empty.</summary>
    public FleetEvent? Take() => events.Reader.TryRead(out var next) ? next : null;

    bool IsDue(string page, DateTime now) => !looked.TryGetValue(page, out var last) || now - last >= BetweenReports;

    void Look(TargetState target, Func<string, PoolReport?> report, DateTime now)
    {
        looked[target.Page] = now;
        var known = found.TryGetValue(target.Page, out var before) ? before : found[target.Page] = [];
        foreach (var finding in report(target.Page)?.Findings ?? [])
        {
            if (known.Add(finding.Id))
            {
                events.Writer.TryWrite(Of(finding, target, now));
            }
        }
    }

    static FleetEvent Of(EpisodeChange change, DateTime now) => new(
        now, $"tpwatch.episode.{(change.IsOver ? "end" : change.Before is null ? "begin" : "change")}",
        change.IsOver ? LogLevel.Information : LogLevel.Warning, Sentence(change.Target, change.Words),
        [
            .. Process(change.Target), new("tpwatch.verdict", Instruments.Word(change.Episode.Kind)),
            new("tpwatch.episode.duration", change.Episode.Span.Ms / 1000),
        ]);

    static FleetEvent Of(Finding finding, TargetState target, DateTime now) => new(
        now, "tpwatch.finding", Level(finding.Severity), Sentence(target, finding.Headline),
        [
            .. Process(target), new("tpwatch.finding.id", finding.Id),
            .. target.Open is { } open ? [new Label("tpwatch.verdict", Instruments.Word(open.Kind))] : Enumerable.Empty<Label>(),
        ]);

    static IEnumerable<Label> Process(TargetState target) => target.Labels.Attributes.Prepend(new("process.pid", target.Pid));

    static LogLevel Level(Severity severity) => severity switch
    {
        Severity.Serious => LogLevel.Error,
        Severity.Warning => LogLevel.Warning,
        _ => LogLevel.Information,
    };

    static string Sentence(TargetState target, string what) => FormattableString.Invariant($"{target.Name} (pid {target.Pid}): {what}");
}
