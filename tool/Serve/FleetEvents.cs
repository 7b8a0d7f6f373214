using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Label = System.Collections.Generic.KeyValuePair<string, object?>;

namespace Tpwatch.Serve;

/// <summary>
/// Something that began, ended or was found in a process, as a record of a log. It may wait for a collector for hours, so that it holds
/// words alone: with all that was seen of the process a thousand of them are 50 MB.
/// </summary>
/// <param name="At">When it was seen, UTC.</param>
/// <param name="Name">What kind of event, such as <c>tpwatch.episode.begin</c>.</param>
/// <param name="Severity">How bad.</param>
/// <param name="Text">A sentence.</param>
/// <param name="Attributes">The process and what is told of it, as the semantic conventions of OpenTelemetry name them.</param>
sealed record FleetEvent(DateTime At, string Name, LogLevel Severity, string Text, Label[] Attributes)
{
    /// <summary>An attribute; null where the event has none of that name.</summary>
    public object? this[string name] => Attributes.FirstOrDefault(attribute => attribute.Key == name).Value;
}

/// <summary>
/// What happens to the processes, for a log elsewhere: episodes, and once an episode each finding. Nobody may take it for a while, and then
/// the oldest go. Told by one thread, taken by another.
/// </summary>
sealed class FleetEvents
{
    /// <summary>Hours of a machine in trouble, less than a megabyte.</summary>
    public const int Most = 1000;

    /// <summary>A report takes a millisecond, and what it finds changes slowly.</summary>
    static readonly TimeSpan BetweenReports = TimeSpan.FromSeconds(10);

    readonly Channel<FleetEvent> events;
    readonly Dictionary<string, HashSet<string>> found = [];
    readonly Dictionary<string, DateTime> looked = [];
    long dropped;

    public FleetEvents() => events = Channel.CreateBounded<FleetEvent>(
        new BoundedChannelOptions(Most) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true },
        _ => Interlocked.Increment(ref dropped));

    /// <summary>How many went that nobody had taken.</summary>
    public long Dropped => Interlocked.Read(ref dropped);

    /// <summary>Keeps what is new.</summary>
    /// <param name="changes">Episodes that began, changed or are over.</param>
    /// <param name="states">All processes.</param>
    /// <param name="report">The whole report of the process of a page.</param>
    /// <param name="now">The moment, UTC.</param>
    public void Tell(
        ImmutableArray<EpisodeChange> changes, ImmutableArray<TargetState> states, Func<string, PoolReport?> report, DateTime now)
    {
        foreach (var change in changes)
        {
            events.Writer.TryWrite(Of(change, now));
            // What is found in the first moment is half of it.
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

    /// <summary>The oldest that nobody has taken yet; null where there is none.</summary>
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
        change.IsOver ? LogLevel.Information : LogLevel.Warning, Sentence(change.Target, EpisodeLines.Words(change)),
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
