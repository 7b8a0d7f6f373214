using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// One process as it is seen from outside; whoever looks decides how often. For one thread, but for what is taken from it. Publishes only
/// what says something new.
/// </summary>
sealed class ProcessLook : IDisposable
{
    readonly ReadingQueue<ProcessReading> readings = new(reading => reading.At);
    readonly RunState state;
    readonly ProcessSums sums;
    readonly Neighbours neighbours;
    readonly int pid;
    EventTime? lastSums;
    ImmutableArray<Neighbour> others;

    /// <summary>Of that process; <paramref name="neighbours"/> may be asked by others, too.</summary>
    public ProcessLook(Machine machine, int pid, Neighbours neighbours)
    {
        (this.neighbours, this.pid) = (neighbours, pid);
        var group = ControlGroup.Of(machine, pid);
        state = new RunState(machine.Tree, pid, group);
        sums = new ProcessSums(new ThreadWaits(machine.Tree, pid), group, new MemoryUse(machine, group));
    }

    /// <summary>Whether the process was stopped at the last look.</summary>
    public bool IsStopped => state.Stopped;

    public bool TryTake(EventTime until, out ProcessReading reading) => readings.TryTake(until, out reading);

    public void Dispose() => state.Dispose();

    /// <summary>Looks whether it is stopped, and takes the sums, which cost a file a thread, when the last are so old.</summary>
    public void Look(Func<EventTime> now, double betweenSumsMs)
    {
        if (lastSums is not { } last)
        {
            Sum(now());
            readings.Put(sums.Reading(now(), state.Look(now())));
            return;
        }

        var span = state.Look(now());
        if (span.Changed)
        {
            readings.Put(sums.Reading(now(), span) with { Others = others });
        }
        else if (now().MsSince(last) >= betweenSumsMs)
        {
            Sum(now());
            if (span.Stopped || sums.SaysSomethingNew)
            {
                readings.Put(sums.Reading(now(), span) with { Others = others });
            }
        }
    }

    /// <summary>
    /// Looks a last time, and takes the sums however old the last are: a short session would else miss most of its own time.
    /// </summary>
    public void Conclude(Func<EventTime> now)
    {
        Sum(now());
        var span = state.Look(now());
        if (span.Stopped || span.Changed || sums.SaysSomethingNew)
        {
            readings.Put(sums.Reading(now(), span) with { Others = others });
        }
    }

    void Sum(EventTime at)
    {
        lastSums = at;
        sums.Take(at);
        others = sums.IsCrowded ? neighbours.Look(at, pid) : default;
    }
}

/// <summary>
/// What has added up since the last reading that was published; small sums are left to grow, so that a quiet process says nothing.
/// </summary>
sealed class ProcessSums(ThreadWaits threads, ControlGroup group, MemoryUse memory)
{
    // A window of the gap ledger is 20 ms wide; what is shorter than half of it explains nothing.
    const double WorthMs = 10;

    // Of the gate alone; its lateness is judged by milliseconds.
    const double WorthOfGateMs = 3;

    // Of the time; a thread that waits longer for a processor has not just been unlucky.
    const double Crowded = 0.25;

    const double WorthOfMemory = 0.02;

    // So that a reader knows that the sampler lives, and how full memory is.
    const double SayAgainMs = 10_000;

    EventTime? published;
    EventTime now;
    ImmutableArray<QuotaUse> quotas = [];
    ImmutableArray<QuotaUse> quotasBefore = [];
    double? load;
    double? loadSaid;

    /// <summary>Whether the sums are worth a reading.</summary>
    public bool SaysSomethingNew =>
        threads.LongestMs >= WorthMs || threads.GateMs >= WorthOfGateMs || Throttled >= WorthMs
        || published is null || now.MsSince(published.Value) >= SayAgainMs
        || (load is { } l && Math.Abs(l - (loadSaid ?? -1)) >= WorthOfMemory);

    /// <summary>Whether one of its threads waited for a processor much of the time since the last reading that was published.</summary>
    public bool IsCrowded => published is { } before && threads.LongestMs > Crowded * now.MsSince(before);

    // A group stands still while any above it does; one that was throttled for long some time ago says nothing of now.
    double? Throttled => quotas.Zip(quotasBefore, (now, before) => now.Since(before)).Max();

    /// <summary>Reads everything once.</summary>
    public void Take(EventTime at)
    {
        now = at;
        threads.Take();
        quotas = group.Quotas();
        quotasBefore = quotasBefore.IsEmpty ? quotas : quotasBefore;
        load = memory.Load();
    }

    /// <summary>The sums as a reading; they begin anew.</summary>
    public ProcessReading Reading(EventTime at, StopSpan stop)
    {
        var interval = published is { } before ? at.MsSince(before) : 0;
        ProcessReading reading = new(at, interval, stop.Stopped)
        {
            StoppedSince = stop.Since,
            StoppedUntil = stop.Until,
            WaitMs = Within(threads.LongestMs, interval),
            GateWaitMs = Within(threads.GateMs, interval),
            ThrottledMs = Within(Throttled, interval),
            MemoryLoad = load is { } l ? Math.Round(l, 3) : null,
        };
        threads.BeginAnew();
        (published, quotasBefore, loadSaid) = (at, quotas, load);
        return reading;
    }

    // A group on several processors adds up their throttled times.
    static double? Within(double? ms, double interval) => ms is { } sum ? Math.Round(Math.Min(sum, interval), 3) : null;
}

/// <summary>
/// How full memory is for the process, as the collector reckons it: of its control group's limit, else of the machine.
/// </summary>
sealed class MemoryUse(Machine machine, ControlGroup group)
{
    /// <summary>0 to 1; null where the group's limit is not known: the machine's load then says nothing of the process.</summary>
    public double? Load()
    {
        var text = ProcTree.ReadFile(Path.Combine(machine.Proc, "meminfo")).Text;
        var total = Kilobytes(text, "MemTotal:") * 1024;
        return group.Memory() is not { } memory ? null
            : memory.Limit is { } limit ? memory.Used / Math.Min(limit, total ?? limit)
            : total > 0 ? 1 - Kilobytes(text, "MemAvailable:") * 1024 / total
            : null;
    }

    static double? Kilobytes(string? text, string key)
    {
        var line = text?.Split('\n').FirstOrDefault(l => l.StartsWith(key, StringComparison.Ordinal));
        return line?.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [_, var number, ..]
            && double.TryParse(number, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : null;
    }
}

/// <summary>Whether the process is stopped at a look, and from which look to which it was.</summary>
/// <param name="Stopped">Whether it is.</param>
/// <param name="Since">The look that first found it stopped; null where it runs, and ran at the look before.</param>
/// <param name="Until">The look that last found it stopped.</param>
/// <param name="Changed">Whether it was otherwise at the look before.</param>
readonly record struct StopSpan(bool Stopped, EventTime? Since, EventTime? Until, bool Changed);

/// <summary>Follows whether the process is stopped, by a signal (T), a debugger (t) or a frozen control group.</summary>
sealed class RunState(ProcTree tree, int pid, ControlGroup group) : IDisposable
{
    // Its number, its name of 15 bytes at most, its state, and some more.
    readonly byte[] line = new byte[64];

    // Kept open: it is read eight times a second, and opening costs more than reading.
    readonly SafeFileHandle? file = tree.Open(pid, "stat");
    EventTime? since;
    EventTime? until;
    volatile bool stopped;

    /// <summary>Whether it was stopped at the last look; for any thread.</summary>
    public bool Stopped => stopped;

    /// <summary>Looks once.</summary>
    public StopSpan Look(EventTime now)
    {
        var was = stopped;
        stopped = State() is 'T' or 't' || group.IsFrozen();
        if (stopped)
        {
            (since, until) = (was ? since : now, now);
        }

        return new StopSpan(stopped, was || stopped ? since : null, was || stopped ? until : null, stopped != was);
    }

    public void Dispose() => file?.Dispose();

    // The letter behind the name, which may itself hold blanks and parentheses; null when the process is gone.
    char? State()
    {
        try
        {
            var text = line.AsSpan(0, file is null ? 0 : RandomAccess.Read(file, line, 0));
            var after = text.LastIndexOf((byte)')') + 2;
            return after > 1 && after < text.Length ? (char)text[after] : null;
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            return null;
        }
    }
}

/// <summary>
/// How long the process's threads were ready and waited for a processor (/proc/PID/task/TID/schedstat, second number, nanoseconds). The
/// pool's gate thread is known by its name.
/// </summary>
sealed class ThreadWaits(ProcTree tree, int pid)
{
    // A file a thread and second: 4 ms of our processor time a second were measured with 160 threads, so 0.7 % of a core at most.
    const int MostThreads = 256;

    // "digits digits digits\n", 20 digits each at most.
    const int LineBytes = 64;

    const string GateName = ".NET TP Gate";

    readonly Dictionary<int, Seen> threads = [];
    readonly byte[] line = new byte[LineBytes];
    bool baseline = true;
    double longest;
    double? gate;

    /// <summary>Longest wait of one thread since the sums began, milliseconds; null where the kernel does not tell.</summary>
    public double? LongestMs => threads.Count > 0 ? longest : null;

    /// <summary>The same of the gate; null while it is not known.</summary>
    public double? GateMs => gate;

    /// <summary>Reads all threads once.</summary>
    public void Take()
    {
        HashSet<int> alive = [];
        foreach (var id in tree.Threads(pid))
        {
            if (alive.Count < MostThreads || threads.ContainsKey(id))
            {
                alive.Add(id);
                TakeOne(id);
            }
        }

        foreach (var gone in threads.Keys.Where(id => !alive.Contains(id)).ToArray())
        {
            threads.Remove(gone);
        }

        baseline = false;
    }

    /// <summary>The sums begin anew.</summary>
    public void BeginAnew()
    {
        longest = 0;
        gate = gate is null ? null : 0;
        foreach (var seen in threads.Values)
        {
            seen.SumMs = 0;
        }
    }

    void TakeOne(int id)
    {
        if (Waited(id) is not { } waited)
        {
            return;
        }

        if (!threads.TryGetValue(id, out var seen))
        {
            // A thread that was born since the last look has waited all of it since.
            seen = new Seen(IsGate(id)) { BeforeMs = baseline ? waited : 0 };
            threads.Add(id, seen);
        }

        seen.SumMs += Math.Max(0, waited - seen.BeforeMs);
        seen.BeforeMs = waited;
        longest = Math.Max(longest, seen.SumMs);
        gate = seen.IsGate ? seen.SumMs : gate;
    }

    bool IsGate(int id) => tree.ReadThread(pid, id, "comm").Text?.StartsWith(GateName, StringComparison.Ordinal) == true;

    double? Waited(int id)
    {
        ReadOnlySpan<byte> text = line.AsSpan(0, tree.ReadThread(pid, id, "schedstat", line));
        var blank = text.IndexOf((byte)' ');
        return blank > 0 && Utf8Parser.TryParse(text[(blank + 1)..], out long nanoseconds, out _) ? nanoseconds / 1e6 : null;
    }

    sealed class Seen(bool isGate)
    {
        public bool IsGate { get; } = isGate;
        public double BeforeMs { get; set; }
        public double SumMs { get; set; }
    }
}

/// <summary>Memory as the collector reckons it for a process in a control group, bytes.</summary>
/// <param name="Limit">The limit; null where there is none.</param>
/// <param name="Used">What its own group uses; null where that cannot be read.</param>
readonly record struct GroupMemory(double? Limit, double? Used);

/// <summary>What a group's quota of processor time has cost it since it exists.</summary>
/// <param name="ThrottledMs">Time that it was throttled, milliseconds, summed over the processors.</param>
/// <param name="Periods">Periods in which it was; null where that cannot be read.</param>
/// <param name="PeriodMs">Length of a period, milliseconds; null where that cannot be read.</param>
readonly record struct QuotaUse(double? ThrottledMs, double? Periods, double? PeriodMs)
{
    /// <summary>
    /// How long the group was throttled since an earlier reading, milliseconds. The kernel adds up what each processor stood still; longer
    /// than the periods in which any did it cannot have been. One more counts, the period that is not over.
    /// </summary>
    public double? Since(QuotaUse before) => ThrottledMs - before.ThrottledMs is not { } sum ? null
        : Math.Max(0, Math.Min(sum, (Periods - before.Periods + 1) * PeriodMs ?? sum));
}

/// <summary>
/// The control group of the process and those above it: a quota of processor time or a limit of memory may be set at any of them. Reads
/// versions 1 and 2; where the group is not visible it knows nothing.
/// </summary>
sealed class ControlGroup
{
    /// <summary>gc/unix/cgroup.cpp: for "no limit" version 1 says the largest number of pages; what is above this is none.</summary>
    const double NoLimit = 0x7FFFFFFF00000000;

    readonly GroupTree processor;
    readonly GroupTree memory;
    readonly GroupTree freezer;

    ControlGroup(GroupTree processor, GroupTree memory, GroupTree freezer) =>
        (this.processor, this.memory, this.freezer) = (processor, memory, freezer);

    /// <summary>Of a process, as the watcher sees it.</summary>
    public static ControlGroup Of(Machine machine, int pid) => new(
        GroupTree.Of(machine.Tree, pid, "cpu"), GroupTree.Of(machine.Tree, pid, "memory"), GroupTree.Of(machine.Tree, pid, "freezer"));

    /// <summary>The quota's own counters, of each of its levels in the same order at each call.</summary>
    public ImmutableArray<QuotaUse> Quotas() => [.. processor.Levels.Select(level => Quota(level, processor.IsUnified))];

    /// <summary>Whether it is frozen, as a paused container is.</summary>
    public bool IsFrozen() => freezer.Own is { } own && (freezer.IsUnified
        ? GroupFile.Field(GroupFile.Text(own, "cgroup.events"), "frozen") == 1
        : GroupFile.Text(own, "freezer.state") == "FROZEN");

    /// <summary>
    /// Its memory the way the collector reckons it: what its own group uses, of the lowest limit at or above it. Null where its own group
    /// is not visible: a limit may stand there.
    /// </summary>
    public GroupMemory? Memory() => memory.Own is not { } own ? null
        : memory.IsUnified ? new(memory.Levels.Min(level => GroupFile.Number(level, "memory.max")), Used(own, "memory.current", Stat(own)))
        : OfOne(own, Stat(own));

    static GroupMemory? OfOne(string own, string? stat) => GroupFile.Number(own, "memory.limit_in_bytes") is not { } limit ? null
        : Math.Min(limit, GroupFile.Field(stat, "hierarchical_memory_limit") ?? limit) is > 0 and <= NoLimit and { } lowest
            ? new(lowest, Used(own, "memory.usage_in_bytes", stat))
        : new(Limit: null, Used: null);

    static string? Stat(string level) => GroupFile.Text(level, "memory.stat");

    // What the kernel drops without asking anybody is not counted; version 1 has a sum of its own over the groups below.
    static double? Used(string own, string file, string? stat) =>
        GroupFile.Number(own, file) - (GroupFile.Field(stat, "total_inactive_file") ?? GroupFile.Field(stat, "inactive_file") ?? 0);

    static QuotaUse Quota(string level, bool isUnified)
    {
        var stat = GroupFile.Text(level, "cpu.stat");
        var periodMs = (isUnified
            ? GroupFile.Number(GroupFile.Text(level, "cpu.max")?.Split(' ')[^1]) : GroupFile.Number(level, "cpu.cfs_period_us")) / 1e3;
        return new(
            isUnified ? GroupFile.Field(stat, "throttled_usec") / 1e3 : GroupFile.Field(stat, "throttled_time") / 1e6,
            GroupFile.Field(stat, "nr_throttled"), periodMs);
    }
}

/// <summary>Numbers in the files of a control group.</summary>
static class GroupFile
{
    /// <summary>All of it; null where the file is not to be read.</summary>
    public static string? Text(string level, string file) => ProcTree.ReadFile(Path.Combine(level, file)).Text?.Trim();

    /// <summary>The only number of a file; null where it holds a word, such as <c>max</c>.</summary>
    public static double? Number(string level, string file) => Number(Text(level, file));

    /// <summary>The number behind a key of a file's text.</summary>
    public static double? Field(string? text, string key) =>
        text?.Split('\n').FirstOrDefault(line => line.StartsWith(key + " ", StringComparison.Ordinal)) is { } line
            ? Number(line[(key.Length + 1)..]) : null;

    /// <summary>A number by itself.</summary>
    public static double? Number(string? text) =>
        double.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : null;
}

/// <summary>
/// The folders of a process's control group and of those above it, for one controller, as the watcher sees them: the mounts tell where.
/// </summary>
/// <param name="Levels">Its own first, then those above it, as far as they are mounted here.</param>
/// <param name="IsOwnSeen">Whether the first is its own; else it belongs to a namespace that is not ours to see.</param>
/// <param name="IsUnified">Whether this is version 2, one tree for every controller.</param>
sealed record GroupTree(string[] Levels, bool IsOwnSeen, bool IsUnified)
{
    // Deeper than any container platform nests.
    const int MostLevels = 12;

    /// <summary>The folder of its own group; null where that is not visible.</summary>
    public string? Own => IsOwnSeen ? Levels[0] : null;

    /// <summary>
    /// Of a process: version 1 where its line names the controller, as the kernel gives a controller to one version alone, else version 2.
    /// </summary>
    public static GroupTree Of(ProcTree tree, int pid, string controller)
    {
        var lines = tree.Read(pid, "cgroup").Text?.Split('\n').Select(line => line.Split(':', 3)).Where(l => l.Length == 3).ToArray() ?? [];
        var one = Array.Find(lines, line => line[1].Split(',').Contains(controller));
        var path = (one ?? Array.Find(lines, line => line[0] == "0" && line[1].Length == 0))?[2].Trim();
        var mounts = tree.ReadSelf("mountinfo").Text?.Split('\n').Select(Mount) ?? [];
        var trees = mounts.OfType<(string Type, string Options, string Root, string Folder)>()
            .Where(m => one is null ? m.Type == "cgroup2" : m.Type == "cgroup" && m.Options.Split(',').Contains(controller))
            .Select(m => Below(m.Root, m.Folder, path) with { IsUnified = one is null }).ToArray();
        return Array.Find(trees, t => t.IsOwnSeen) ?? Array.Find(trees, t => t.Levels.Length > 0) ?? new([], IsOwnSeen: false, one is null);
    }

    // 36 35 0:31 /root/in/the/tree /where/it/is rw - type source options
    static (string Type, string Options, string Root, string Folder)? Mount(string line) =>
        line.Split(" - ", 2) is [var place, var what] && place.Split(' ') is [_, _, _, var root, var folder, ..]
            && what.Split(' ') is [var type, _, var options] ? (type, options, root, folder) : null;

    // A container's mount shows a part of the tree: what stands before it in the path is not there.
    static GroupTree Below(string root, string folder, string? path)
    {
        if (path is null || path.Contains("..", StringComparison.Ordinal) || Within(root, path) is not { } rest)
        {
            return new([], IsOwnSeen: false, IsUnified: false);
        }

        var parts = rest.Split('/', StringSplitOptions.RemoveEmptyEntries);
        var levels = Enumerable.Range(0, Math.Min(parts.Length + 1, MostLevels))
            .Select(up => Path.Combine([folder, .. parts.Take(parts.Length - up)])).ToArray();
        return new([.. levels.Where(Directory.Exists)], Directory.Exists(levels[0]), IsUnified: false);
    }

    static string? Within(string root, string path) => root == "/" ? path
        : path == root || path.StartsWith(root + "/", StringComparison.Ordinal) ? path[root.Length..]
        : null;
}
