using System.Diagnostics;
using System.Text;
using Tpwatch.Options;
using Tpwatch.Recordings;
using Tpwatch.Run;
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
    readonly FleetMetrics? metrics;
    readonly AttachQueue arriving;
    readonly EpisodeChanges episodes = new();
    readonly EpisodeLines lines;
    readonly Incidents? incidents;
    readonly List<FleetTarget> targets = [];
    readonly SessionRotation renewal;
    ImmutableDictionary<string, FleetTarget> pages = ImmutableDictionary<string, FleetTarget>.Empty;
    FleetSnapshot latest;
    volatile bool isReady;
    long ended;

    public FleetWatch(IMachine machine, ServeRequest options, CommandContext context, FleetMetrics? metrics = null)
    {
        (this.machine, this.options, this.context, this.metrics) = (machine, options, context, metrics);
        (arriving, renewal) = (new(machine, options, context), new(machine, options));
        lines = new(context);
        incidents = options.Incidents is { } folder ? new(new(folder, context), context) : null;
        latest = new(context.Time.GetUtcNow().UtcDateTime, [], Own());
        metrics?.Begin(() => Latest.Own);
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
            await GoneAsync(lost);
        }

        Join(await arriving.StepAsync(targets, cancel));
        var states = targets.Select(Look).OfType<TargetState>()
            .OrderBy(s => s.Page, StringComparer.Ordinal).ToImmutableArray();
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
        targets.ForEach(t => t.Dispose());
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
            targets.Add(new(row, watch, LabelsOf(row), targets, metrics));
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
            await GoneAsync(target);
        }
    }

    async Task GoneAsync(FleetTarget target)
    {
        target.Dispose();
        await (metrics?.ForgetAsync() ?? Task.CompletedTask);
        Publish();
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

/// <summary>What the watcher itself takes.</summary>
static class OwnFacts
{
    public static OwnState Now(int watched, AttachQueue arriving, int limit, long ended)
    {
        using var process = Process.GetCurrentProcess();
        return new(ToolVersion.Text, watched, arriving.Waiting, arriving.Refused, limit)
        {
            ProcessorSeconds = process.TotalProcessorTime.TotalSeconds,
            ResidentBytes = process.WorkingSet64,
            StartedAt = (process.StartTime.ToUniversalTime() - DateTime.UnixEpoch).TotalSeconds,
            Ended = ended,
        };
    }
}

/// <summary>Replaces watches that have grown old, one at a time: the old session is ended first, so that a process never has two.</summary>
sealed class SessionRotation(IMachine machine, ServeRequest options)
{
    /// <summary>A process that lives and could not be attached to again arrives once more.</summary>
    static readonly TimeSpan TryAgain = TimeSpan.FromSeconds(10);

    Attempt? underWay;

    /// <summary>Begins with the next that is due, or goes on with the one under way; returns one that is lost by it.</summary>
    public async Task<FleetTarget?> StepAsync(List<FleetTarget> targets, CancellationToken cancel)
    {
        if (underWay is { Fresh.IsCompleted: true })
        {
            return await LastAsync(targets);
        }

        if (underWay is null && targets.Find(t => t.IsDue) is { } due)
        {
            await due.Rest().DisposeAsync();
            underWay = new(due, machine.AttachAsync(due.Row, Incidents.Retaining(options), cancel));
        }

        return null;
    }

    /// <summary>Waits for the one under way, so that none is left behind; returns it if it is lost.</summary>
    public async Task<FleetTarget?> LastAsync(List<FleetTarget> targets)
    {
        if (underWay is not { } attempt)
        {
            return null;
        }

        underWay = null;
        try
        {
            attempt.Target.Resume(await attempt.Fresh);
            return null;
        }
        catch (Exception e) when (e is UserErrorException or OperationCanceledException)
        {
            targets.Remove(attempt.Target);
            machine.Later(attempt.Target.Row, TryAgain);
            return attempt.Target;
        }
    }

    sealed record Attempt(FleetTarget Target, Task<IWatch> Fresh);
}

/// <summary>Attaches to those that have come, a few at a time; who has no room waits in the order of arrival.</summary>
sealed class AttachQueue(IMachine machine, ServeRequest options, CommandContext context)
{
    /// <summary>A process that is frozen holds an attachment up for seconds, and its seven neighbours go on.</summary>
    const int AtOnce = 8;

    /// <summary>Who could not be attached to is tried again after so long.</summary>
    static readonly TimeSpan TryAgain = TimeSpan.FromMinutes(1);

    readonly Queue<ProcessRow> waiting = new();
    readonly List<Attempt> attempts = [];
    readonly HashSet<string> told = [];
    bool limitTold;

    /// <summary>Processes for which there is no room.</summary>
    public int Waiting => waiting.Count;

    /// <summary>Whether nobody is being attached to or waits for it.</summary>
    public bool IsIdle => waiting.Count == 0 && attempts.Count == 0;

    /// <summary>Attempts that did not succeed.</summary>
    public long Refused { get; private set; }

    /// <summary>Looks who has come, begins to attach while there is room, and returns those that are attached to now.</summary>
    public async Task<IReadOnlyList<Arrival>> StepAsync(IReadOnlyCollection<FleetTarget> watched, CancellationToken cancel)
    {
        // Who comes to a port may have been found here already.
        foreach (var row in machine.Arrivals().Where(row => options.Wants(row) && !watched.Any(t => t.Row.IsSameAs(row))))
        {
            Take(row);
        }

        while (waiting.Count > 0 && attempts.Count < AtOnce && watched.Count + attempts.Count < options.Limit)
        {
            var row = waiting.Dequeue();
            attempts.Add(new(row, machine.AttachAsync(row, Incidents.Retaining(options), cancel)));
        }

        TellLimit(watched.Count + attempts.Count);
        return await EndedAsync();
    }

    /// <summary>Waits for those that are under way, so that none is left behind.</summary>
    public async Task<IReadOnlyList<Arrival>> LastAsync()
    {
        await Task.WhenAny(Task.WhenAll(attempts.Select(a => a.Watch)));
        return await EndedAsync();
    }

    void Take(ProcessRow row)
    {
        if (row.WhyNot is { } why)
        {
            Refuse(row, why, row.Hint);
        }
        else if (!waiting.Concat(attempts.Select(a => a.Row)).Any(row.IsSameAs))
        {
            waiting.Enqueue(row);
        }
    }

    async Task<IReadOnlyList<Arrival>> EndedAsync()
    {
        List<Arrival> arrived = [];
        foreach (var attempt in attempts.FindAll(a => a.Watch.IsCompleted))
        {
            attempts.Remove(attempt);
            try
            {
                arrived.Add(new(attempt.Row, await attempt.Watch));
            }
            catch (UserErrorException e)
            {
                Refuse(attempt.Row, e.Message, e.Hint);
                machine.Later(attempt.Row, TryAgain);
            }
            catch (OperationCanceledException)
            {
                // We are told to stop.
            }
        }

        return arrived;
    }

    // Once a process and reason: one that cannot be watched is met again every minute, for months. One that has ended is no failure.
    void Refuse(ProcessRow row, string why, string? hint)
    {
        const int MostTold = 1000;
        if (machine.HasGone(row))
        {
            return;
        }

        Refused++;
        if (told.Count < MostTold && told.Add($"{row.Pid} {why}"))
        {
            context.Note(FormattableString.Invariant($"not watching {row.Pid} ({row.Name}): {why}"), hint);
        }
    }

    void TellLimit(int taken)
    {
        var full = waiting.Count > 0 && taken >= options.Limit;
        if (full && !limitTold)
        {
            context.Note($"{Format.Plural(options.Limit, "process is", "processes are")} watched, which is the limit; "
                + $"{Format.Plural(waiting.Count, "more process waits", "more processes wait")} to be watched",
                "exclude some with --except NAME, or select some with -n NAME");
        }

        limitTold = full;
    }

    sealed record Attempt(ProcessRow Row, Task<IWatch> Watch);
}

/// <summary>A process that is attached to now.</summary>
sealed record Arrival(ProcessRow Row, IWatch Watch);

/// <summary>Whether a process is one of those that were asked for.</summary>
static class Wanted
{
    public static bool Wants(this ServeRequest asked, ProcessRow row) => !asked.Except.Any(name => IsCalled(row, name))
        && ((asked.Names.IsEmpty && asked.Pids.IsEmpty) || row.Run is not null
            || asked.Names.Any(name => IsCalled(row, name)) || asked.Pids.Contains(row.Pid));

    static bool IsCalled(ProcessRow row, string name) =>
        row.Name.Equals(Bare(name), StringComparison.OrdinalIgnoreCase)
        || row.Executable?.Equals(name, StringComparison.OrdinalIgnoreCase) == true;

    static string Bare(string name) =>
        name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
            ? name[..^".dll".Length]
            : name;
}

/// <summary>
/// Keeps the evidence of what begins while nobody looks: once an episode has lasted some seconds or is over, a recording of the minutes
/// before and a page. A folder that is full is told once, and the watch goes on.
/// </summary>
sealed class Incidents(IncidentFolder folder, CommandContext context)
{
    /// <summary>What a process's flight recorder holds for it: minutes of a busy one, ten of an idle one.</summary>
    const long RetainedBytes = 512 << 10;

    /// <summary>So long an episode may go on before it is written, so that its beginning is in the recording.</summary>
    static readonly TimeSpan Ripe = TimeSpan.FromSeconds(10);

    /// <summary>A process that starves again and again must not push the incidents of others out.</summary>
    static readonly TimeSpan Apart = TimeSpan.FromMinutes(10);

    readonly Dictionary<string, Incident> known = [];
    string? told;

    /// <summary>Incidents that were written.</summary>
    public long Kept { get; private set; }

    /// <summary>Incidents that could not be written.</summary>
    public long Failed { get; private set; }

    /// <summary>How a process is watched, so that there is something to keep; what seems to hang is read where that is allowed.</summary>
    public static WatchOptions Retaining(ServeRequest asked) => new()
    {
        RetainBytes = asked.Incidents is null ? 0 : RetainedBytes,
        AsksForStacks = false,
        Inside = asked.AllowInside ? OwnProgram.Reader : null,
    };

    /// <summary>Looks whether one begins, is to be written, or is over.</summary>
    public void Look(FleetTarget target, TargetState state)
    {
        var now = context.Time.GetUtcNow();
        var before = known.GetValueOrDefault(state.Page);
        if (state.Open?.Kind.IsStarvation() == true)
        {
            if (before is null || (before.IsOver && now - before.Began >= Apart))
            {
                known[state.Page] = before = new(now);
            }

            if (!before.IsWritten && now - before.Began >= Ripe)
            {
                Write(target, before);
            }
        }
        else if (before is { IsOver: false })
        {
            Write(target, before);
            known[state.Page] = known[state.Page] with { IsOver = true };
        }
    }

    /// <summary>A process that is no longer watched; what it did at its end is kept.</summary>
    public void Leave(FleetTarget target)
    {
        if (known.Remove(target.Page, out var incident) && !incident.IsOver)
        {
            Write(target, incident);
            known.Remove(target.Page);
        }
    }

    void Write(FleetTarget target, Incident incident)
    {
        if (incident.IsWritten || target.Watch is null)
        {
            return;
        }

        known[target.Page] = incident with { IsWritten = true };
        var name = string.Create(CultureInfo.InvariantCulture, $"{incident.Began.UtcDateTime:yyyyMMdd_HHmmss}_{target.Page}");
        try
        {
            // Whoever looks has a watch: incidents are written between rounds, not while one is replaced.
            var watch = target.Watch!;
            folder.Write(name, path => watch.SaveRetained(path), watch.Report);
            Kept++;
            told = null;
            context.Note($"saved the incident as {folder.PathOf(name)}.html, with the recording in the same folder");
        }
        catch (Exception e) when (e is UserErrorException or IOException or UnauthorizedAccessException)
        {
            Failed++;
            Tell($"could not save the incident of {target.Page}: {e.Message}");
        }
    }

    // A full disk stays full for hours.
    void Tell(string sentence)
    {
        if (told is null)
        {
            context.Note(sentence, "tpwatch keeps watching; tpwatch_incidents_total counts further failures");
        }

        told = sentence;
    }

    /// <summary>An episode of a process.</summary>
    /// <param name="Began">When it was first seen.</param>
    sealed record Incident(DateTimeOffset Began)
    {
        public bool IsWritten { get; init; }
        public bool IsOver { get; init; }
    }
}

/// <summary>
/// The folder of incidents: each a recording with its side-car and a page, the newest so many; nothing else there is touched.
/// </summary>
sealed class IncidentFolder
{
    /// <summary>As many as somebody reads the next morning.</summary>
    public const int MostIncidents = 20;

    /// <summary>A night of incidents fits, and no disk is filled by it.</summary>
    public const long MostBytes = 200 << 20;

    const string Recording = ".nettrace";

    /// <summary>A moment and an underscore: 20261122_031500_.</summary>
    const string Stamp = "00000000_000000_";

    static readonly string[] Endings = [Recording, ".nettrace.json", ".html"];

    readonly DirectoryInfo folder;
    readonly CommandContext context;

    /// <summary>Takes a folder, which is made where it is not there.</summary>
    /// <exception cref="UserErrorException">It cannot be made, or not be written to.</exception>
    public IncidentFolder(string path, CommandContext context)
    {
        this.context = context;
        try
        {
            folder = Directory.CreateDirectory(path);
            var probe = Path.Combine(folder.FullName, ".tpwatch-" + Guid.NewGuid().ToString("N"));
            using (PrivateFile.CreateNew(probe))
            {
                File.Delete(probe);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or UserErrorException)
        {
            throw new UserErrorException($"incidents cannot be saved in {path}: {e.Message}", "name another folder: --incidents DIR",
                ExitCode.Arguments, e);
        }
    }

    /// <summary>Where an incident of that name is, without ending.</summary>
    public string PathOf(string name) => Path.Combine(folder.FullName, name);

    /// <summary>Writes one, all of it or nothing; the oldest make room.</summary>
    public void Write(string name, Action<string> save, Func<PoolReport> report)
    {
        try
        {
            save(PathOf(name) + Recording);
            PrintRequest html = new(null, "html", TimeStyle.Utc, ShowCommandLine: false);
            var page = new ReportDocuments(context, []).Render(report(), html);
            using var file = PrivateFile.CreateNew(PathOf(name) + ".html");
            file.Write(Encoding.UTF8.GetBytes(page));
        }
        catch
        {
            Remove(name);
            throw;
        }
        finally
        {
            Rotate();
        }
    }

    void Rotate()
    {
        var oldestFirst = folder.EnumerateFiles().Where(IsOurs)
            .GroupBy(f => f.Name[..^Endings.First(end => f.Name.EndsWith(end, StringComparison.Ordinal)).Length])
            .OrderBy(g => g.Key, StringComparer.Ordinal).Select(g => (Name: g.Key, Bytes: g.Sum(f => f.Length))).ToList();
        while (oldestFirst.Count > MostIncidents || oldestFirst.Sum(i => i.Bytes) > MostBytes)
        {
            Remove(oldestFirst[0].Name);
            oldestFirst.RemoveAt(0);
        }
    }

    void Remove(string name)
    {
        foreach (var ending in Endings)
        {
            File.Delete(PathOf(name) + ending);
        }
    }

    static bool IsOurs(FileInfo file) => file.Name.Length > Stamp.Length
        && Stamp.Zip(file.Name).All(pair => pair.First == '_' ? pair.Second == '_' : char.IsAsciiDigit(pair.Second))
        && Array.Exists(Endings, end => file.Name.EndsWith(end, StringComparison.Ordinal));
}
