using Tpwatch.Options;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>
/// Watches all that is wanted of a machine, one round a second: who has come, who has gone, how each is. What others see is the newest
/// <see cref="Latest"/>, which is immutable.
/// </summary>
sealed class FleetWatch : IAsyncDisposable
{
    static readonly TimeSpan Round = TimeSpan.FromSeconds(1);

    /// <summary>A stream that broke while its process lives may do so again.</summary>
    static readonly TimeSpan AfterBreak = TimeSpan.FromSeconds(10);

    readonly IMachine machine;
    readonly ServeRequest options;
    readonly CommandContext context;
    readonly Arriving arriving;
    readonly EpisodeChanges episodes = new();
    readonly EpisodeLines lines;
    readonly Incidents? incidents;
    readonly List<FleetTarget> targets = [];
    readonly Renewal renewal;
    ImmutableDictionary<string, FleetTarget> pages = ImmutableDictionary<string, FleetTarget>.Empty;
    FleetSnapshot latest;
    volatile bool isReady;
    long ended;

    public FleetWatch(IMachine machine, ServeRequest options, CommandContext context)
    {
        (this.machine, this.options, this.context) = (machine, options, context);
        (arriving, renewal) = (new(machine, options, context), new(machine, options));
        lines = new(context);
        incidents = options.Incidents is { } folder ? new(new(folder, context), context) : null;
        latest = new(context.Time.GetUtcNow().UtcDateTime, [], Own());
    }

    /// <summary>What happens, for a log elsewhere; null where nobody wants it.</summary>
    public FleetEvents? Events { get; init; }

    /// <summary>The newest look at all; for any thread.</summary>
    public FleetSnapshot Latest => Volatile.Read(ref latest);

    /// <summary>Whether every process that was there at the start was looked at; for any thread.</summary>
    public bool IsReady => isReady;

    /// <summary>The report of the process of that page, whole; null where there is none. For any thread.</summary>
    public PoolReport? Report(string page) => Volatile.Read(ref pages).GetValueOrDefault(page)?.Watch?.Report();

    /// <summary>The process of that page; null where there is none. For any thread.</summary>
    public ProcessRow? Process(string page) => Volatile.Read(ref pages).GetValueOrDefault(page)?.Row;

    /// <summary>Goes round until it is told to stop.</summary>
    public async Task RunAsync(CancellationToken cancel)
    {
        while (!cancel.IsCancellationRequested)
        {
            await RoundAsync(cancel);
            await Task.WhenAny(Task.Delay(Round, context.Time, cancel));
        }
    }

    public async Task RoundAsync(CancellationToken cancel)
    {
        await LeaveAsync();
        if (await renewal.StepAsync(targets, cancel) is { } lost)
        {
            incidents?.Leave(lost);
            Publish();
        }

        Join(await arriving.StepAsync(targets, cancel));
        var states = targets.Select(Look).OfType<TargetState>()
            .OrderBy(s => s.Labels, StringComparer.Ordinal).ThenBy(s => s.Pid).ToImmutableArray();
        Tell(episodes.Since(states), states);
        Volatile.Write(ref latest, new(context.Time.GetUtcNow().UtcDateTime, states, Own()));
        isReady |= arriving.IsIdle || targets.Count == options.Limit;
    }

    /// <summary>Leaves every process in order, all at once; bounded in time.</summary>
    public async ValueTask DisposeAsync()
    {
        Join(await arriving.LastAsync());
        await renewal.LastAsync(targets);
        await Task.WhenAll(targets.Select(t => t.Watch?.DisposeAsync().AsTask() ?? Task.CompletedTask));
        targets.Clear();
    }

    void Tell(ImmutableArray<EpisodeChange> changes, ImmutableArray<TargetState> states)
    {
        lines.Tell(changes);
        Events?.Tell(changes, states, Report, context.Time.GetUtcNow().UtcDateTime);
    }

    TargetState? Look(FleetTarget target)
    {
        var state = target.Look();
        if (state is not null)
        {
            incidents?.Look(target, state);
        }

        return state;
    }

    void Join(IReadOnlyList<Arrival> arrivals)
    {
        foreach (var (row, watch) in arrivals)
        {
            targets.Add(new(row, watch, LabelsOf(row), targets));
        }

        if (arrivals.Count > 0)
        {
            Publish();
        }
    }

    async Task LeaveAsync()
    {
        foreach (var target in targets.FindAll(t => t.Watch is { Completion.IsCompleted: true }))
        {
            targets.Remove(target);
            ended++;
            await WhyAsync(target);
            incidents?.Leave(target);
            await target.Watch!.DisposeAsync();
            Publish();
        }
    }

    async Task WhyAsync(FleetTarget target)
    {
#pragma warning disable CA1031 // a stream that our decoder stumbles over must not end the watch of all others
        try
        {
            if (await target.Watch!.Completion == SessionEnd.StreamBroken)
            {
                machine.Later(target.Row, AfterBreak);
            }
        }
        catch (Exception e)
        {
            context.Note($"this is a bug in tpwatch: reading {target.Page} failed: {e.Message}", "tpwatch keeps watching "
                + "the other processes");
        }
#pragma warning restore CA1031
    }

    void Publish() => Volatile.Write(ref pages, targets.DistinctBy(t => t.Page).ToImmutableDictionary(t => t.Page));

    TargetLabels LabelsOf(ProcessRow row)
    {
        TargetLabels first = new(row.Executable ?? row.Name, row.Name, row.Container ?? "", 0);
        var taken = targets.Select(t => t.Labels).Where(l => first == l with { Replica = 0 }).Select(l => l.Replica).ToHashSet();
        return first with { Replica = Enumerable.Range(0, taken.Count + 1).First(n => !taken.Contains(n)) };
    }

    OwnState Own() => OwnFacts.Now(targets.Count, arriving, options.Limit, ended) with
    {
        IncidentsKept = incidents?.Kept ?? 0,
        IncidentsFailed = incidents?.Failed ?? 0,
    };
}
