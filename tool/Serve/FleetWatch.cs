using System.Text;
using Tpwatch.Recordings;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Serve;

/// <summary>
/// Watches the selected processes of this machine. One round a second finds new and ended processes, and takes a snapshot of all watched
/// processes. Other threads use only members marked as thread-safe; the snapshot in <see cref="Latest"/> is immutable.
/// </summary>
sealed class FleetWatch : IAsyncDisposable
{
    static readonly TimeSpan Round = TimeSpan.FromSeconds(1);

    /// <summary>Delay before tpwatch attaches again to a process whose stream broke.</summary>
    static readonly TimeSpan AfterBreak = TimeSpan.FromSeconds(10);

    readonly IProcessTracker machine;
    readonly ServeRequest options;
    readonly CommandContext context;
    readonly PrometheusPage? metrics;
    readonly AttachQueue arriving;
    readonly EpisodeChanges episodes = new();
    readonly IncidentSaver? incidents;
    readonly List<FleetTarget> targets = [];
    readonly SessionRotation renewal;
    ImmutableDictionary<string, FleetTarget> pages = ImmutableDictionary<string, FleetTarget>.Empty;
    FleetSnapshot latest;
    volatile bool isReady;
    long ended;

    public FleetWatch(IProcessTracker machine, ServeRequest options, CommandContext context, PrometheusPage? metrics = null)
    {
        (this.machine, this.options, this.context, this.metrics) = (machine, options, context, metrics);
        var watching = IncidentSaver.Retaining(options, context.Time);
        (arriving, renewal) = (new(machine, options, watching, context), new(machine, watching));
        incidents = options.Incidents is { } folder ? new(new(folder, context), context) : null;
        latest = new(context.Time.GetUtcNow().UtcDateTime, [], Own());
        metrics?.Begin(() => Latest.Own);
    }

    /// <summary>Queue of events for a log collector; null without <c>--otlp-logs</c>.</summary>
    public FleetEventQueue? Events { get; init; }

    /// <summary>The newest snapshot. Thread-safe.</summary>
    public FleetSnapshot Latest => Volatile.Read(ref latest);

    /// <summary>Whether all processes that ran at the start are attached or refused, or the limit is reached. Thread-safe.</summary>
    public bool IsReady => isReady;

    /// <summary>Returns the report of the process with this page name; null if there is none. Thread-safe.</summary>
    public PoolReport? Report(string page) => Volatile.Read(ref pages).GetValueOrDefault(page)?.Watch?.Report();

    /// <summary>Returns the process with this page name; null if there is none. Thread-safe.</summary>
    public ProcessRow? Process(string page) => Volatile.Read(ref pages).GetValueOrDefault(page)?.Row;

    /// <summary>Runs one round a second until <paramref name="cancel"/> is cancelled.</summary>
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
        var states = targets.Select(Look).OfType<TargetSnapshot>()
            .OrderBy(s => s.Page, StringComparer.Ordinal).ToImmutableArray();
        Tell(episodes.Since(states), states);
        Volatile.Write(ref latest, new(context.Time.GetUtcNow().UtcDateTime, states, Own()));
        isReady |= arriving.IsIdle || targets.Count == options.Limit;
    }

    /// <summary>Ends all sessions in parallel, each within a time limit.</summary>
    public async ValueTask DisposeAsync()
    {
        Join(await arriving.LastAsync());
        await renewal.LastAsync(targets);
        await Task.WhenAll(targets.Select(t => t.Watch?.DisposeAsync().AsTask() ?? Task.CompletedTask));
        targets.ForEach(t => t.Dispose());
        targets.Clear();
    }

    void Tell(ImmutableArray<EpisodeChange> changes, ImmutableArray<TargetSnapshot> states)
    {
        foreach (var change in changes)
        {
            context.Out.WriteLine($"{Format.Utc(context.Time.GetUtcNow().UtcDateTime)} {change.Target.Page} {change.Words}");
        }

        context.Out.Flush();
        Events?.Tell(changes, states, Report, context.Time.GetUtcNow().UtcDateTime);
    }

    TargetSnapshot? Look(FleetTarget target)
    {
        var state = target.Look();
        if (state is not null)
        {
            incidents?.Look(target, state);
        }

        return state;
    }

    void Join(IReadOnlyList<AttachedProcess> arrivals)
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
#pragma warning disable CA1031 // one stream that fails to decode must not end the watch of the other processes
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

    WatcherState Own() => new(
        targets.Count, arriving.Waiting, options.Limit, arriving.Refused, ended, incidents?.Kept ?? 0, incidents?.Failed ?? 0);
}

/// <summary>Replaces old sessions, one at a time. The old session of a process ends before its new session starts.</summary>
sealed class SessionRotation(IProcessTracker machine, WatchOptions watching)
{
    /// <summary>Delay before tpwatch attaches again to a process whose session could not be replaced.</summary>
    static readonly TimeSpan TryAgain = TimeSpan.FromSeconds(10);

    Attempt? underWay;

    /// <summary>Starts the next replacement or checks the one in progress. Returns a process whose replacement failed, else null.</summary>
    public async Task<FleetTarget?> StepAsync(List<FleetTarget> targets, CancellationToken cancel)
    {
        if (underWay is { Fresh.IsCompleted: true })
        {
            return await LastAsync(targets);
        }

        if (underWay is null && targets.Find(t => t.IsDue) is { } due)
        {
            await due.Rest().DisposeAsync();
            underWay = new(due, machine.AttachAsync(due.Row, watching, cancel));
        }

        return null;
    }

    /// <summary>Waits for the replacement in progress. Returns the process if its replacement failed, else null.</summary>
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

/// <summary>Attaches to new processes, a few at a time. While the limit is reached, further processes wait in order of arrival.</summary>
sealed class AttachQueue(IProcessTracker machine, ServeRequest options, WatchOptions watching, CommandContext context)
{
    /// <summary>Maximum number of parallel attempts: a frozen process delays one attempt for seconds, and seven others continue.</summary>
    const int AtOnce = 8;

    /// <summary>Delay before the next attempt to attach to a process after a failed attempt.</summary>
    static readonly TimeSpan TryAgain = TimeSpan.FromMinutes(1);

    readonly Queue<ProcessRow> waiting = new();
    readonly List<Attempt> attempts = [];
    readonly HashSet<string> told = [];
    bool limitTold;

    /// <summary>Number of processes that wait for an attempt, because of the limit or of other attempts.</summary>
    public int Waiting => waiting.Count;

    public bool IsIdle => waiting.Count == 0 && attempts.Count == 0;

    /// <summary>Number of failed attempts, and of processes that cannot be watched.</summary>
    public long Refused { get; private set; }

    /// <summary>Finds new processes, starts attempts up to the limit, and returns the processes whose attempt succeeded.</summary>
    public async Task<IReadOnlyList<AttachedProcess>> StepAsync(IReadOnlyCollection<FleetTarget> watched, CancellationToken cancel)
    {
        // A process that connects to the shared port may be watched already, because the scan may have found it.
        foreach (var row in machine.Arrivals().Where(row => options.Wants(row) && !watched.Any(t => t.Row.IsSameAs(row))))
        {
            Take(row);
        }

        while (waiting.Count > 0 && attempts.Count < AtOnce && watched.Count + attempts.Count < options.Limit)
        {
            var row = waiting.Dequeue();
            attempts.Add(new(row, machine.AttachAsync(row, watching, cancel)));
        }

        TellLimit(watched.Count + attempts.Count);
        return await EndedAsync();
    }

    /// <summary>Waits for the attempts in progress, and returns the processes whose attempt succeeded.</summary>
    public async Task<IReadOnlyList<AttachedProcess>> LastAsync()
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

    async Task<IReadOnlyList<AttachedProcess>> EndedAsync()
    {
        List<AttachedProcess> arrived = [];
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
                // serve is stopping.
            }
        }

        return arrived;
    }

    // Writes one note per process and reason, because a failed attempt is repeated every minute. An exited process is no failure.
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

sealed record AttachedProcess(ProcessRow Row, IWatch Watch);

/// <summary>Decides whether the options of <c>serve</c> select a process.</summary>
static class ProcessSelection
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
/// Saves the incident of an episode that has lasted ten seconds or has ended. An incident has a recording that begins minutes earlier, and
/// an HTML report. If the folder cannot be written, the first failure is reported and the watch continues.
/// </summary>
sealed class IncidentSaver(IncidentFolder folder, CommandContext context)
{
    /// <summary>Size in bytes of a process's flight recorder: some minutes of a busy process, or ten minutes of an idle one.</summary>
    const long RetainedBytes = 512 << 10;

    /// <summary>Age at which an episode is saved: low enough that the recording still contains the start of the episode.</summary>
    static readonly TimeSpan Ripe = TimeSpan.FromSeconds(10);

    /// <summary>Minimum time between two incidents of a process, so that one process does not displace incidents of others.</summary>
    static readonly TimeSpan Apart = TimeSpan.FromMinutes(10);

    readonly Dictionary<string, Incident> known = [];
    string? told;

    public long Kept { get; private set; }

    public long Failed { get; private set; }

    /// <summary>Maximum number of memory readings of suspected hangs for which no time between readings is required.</summary>
    const int ReadingsAtOnce = 4;

    /// <summary>
    /// Minimum time between further memory readings, for all processes together. A reading takes about half a second of a processor, so all
    /// readings together take a maximum of 10 % of a processor.
    /// </summary>
    static readonly TimeSpan ReadingsApart = TimeSpan.FromSeconds(5);

    /// <summary>Returns the options of each session: a flight recorder for incidents, and memory readings of suspected hangs.</summary>
    public static WatchOptions Retaining(ServeRequest asked, TimeProvider time) => new()
    {
        RetainBytes = asked.Incidents is null ? 0 : RetainedBytes,
        AsksForStacks = false,
        Inside = asked.NoInside ? null : OwnProgram.Reader,
        Readings = new(time, ReadingsAtOnce, ReadingsApart),
    };

    /// <summary>Starts, saves or ends the incident of a process, depending on the state of the process.</summary>
    public void Look(FleetTarget target, TargetSnapshot state)
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

    /// <summary>Saves the open incident of a process that is no longer watched.</summary>
    public void Leave(FleetTarget target)
    {
        if (known.Remove(target.Page, out var incident) && incident is { IsOver: false, IsWritten: false })
        {
            Write(target, incident, isLast: true);
            known.Remove(target.Page);
        }
    }

    // Without a session, as during its replacement, a later call saves the incident. With isLast there is no later call: saving fails.
    void Write(FleetTarget target, Incident incident, bool isLast = false)
    {
        if (incident.IsWritten || (target.Watch is null && !isLast))
        {
            return;
        }

        known[target.Page] = incident with { IsWritten = true };
        var name = string.Create(CultureInfo.InvariantCulture, $"{incident.Began.UtcDateTime:yyyyMMdd_HHmmss}_{target.Page}");
        try
        {
            var watch = target.Watch ?? throw new UserErrorException(
                "its session could not be replaced", "tpwatch attaches again", ExitCode.NoSession);
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

    // A full disk stays full for hours, so only the first of consecutive failures is reported.
    void Tell(string sentence)
    {
        if (told is null)
        {
            context.Note(sentence, "tpwatch keeps watching; tpwatch_incidents_total counts further failures");
        }

        told = sentence;
    }

    /// <param name="Began">When the episode was first seen.</param>
    sealed record Incident(DateTimeOffset Began)
    {
        public bool IsWritten { get; init; }
        public bool IsOver { get; init; }
    }
}

/// <summary>
/// The folder of incidents. Each incident has a recording, a side-car file and an HTML report. Old incidents are deleted; other files stay.
/// </summary>
sealed class IncidentFolder
{
    /// <summary>Maximum number of incidents in the folder.</summary>
    public const int MostIncidents = 20;

    /// <summary>Maximum size of all incidents, bytes.</summary>
    public const long MostBytes = 200 << 20;

    const string Recording = ".nettrace";

    /// <summary>Pattern of the time stamp at the start of a file name, such as 20261122_031500_.</summary>
    const string Stamp = "00000000_000000_";

    static readonly string[] Endings = [Recording, ".nettrace.json", ".html"];

    readonly DirectoryInfo folder;
    readonly CommandContext context;

    /// <summary>Opens the folder, and creates it if it does not exist.</summary>
    /// <exception cref="UserErrorException">The folder cannot be created or written.</exception>
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

    /// <summary>Returns the path of an incident, without file extension.</summary>
    public string PathOf(string name) => Path.Combine(folder.FullName, name);

    /// <summary>Saves an incident completely or not at all, and then deletes the oldest incidents above the limits.</summary>
    public void Write(string name, Action<string> save, Func<PoolReport> report)
    {
        try
        {
            save(PathOf(name) + Recording);
            OutputRequest html = new(null, "html", TimeStyle.Utc, ShowCommandLine: false);
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
