using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// Samples one process from outside: whether it is stopped, how long its threads wait for processors, and its memory load. A sample without
/// new information yields no reading. One thread takes samples; any thread may take readings.
/// </summary>
sealed class ProcessSampler : IDisposable
{
    readonly ReadingQueue<ProcessReading> readings = new(reading => reading.At);
    readonly ProcessRunState state;
    readonly ProcessReadingSums sums;
    readonly Neighbours neighbours;
    readonly int pid;
    EventTime? lastSums;
    ImmutableArray<Neighbour> others;

    /// <summary>Prepares to sample a process. Several samplers may share <paramref name="neighbours"/>.</summary>
    public ProcessSampler(SystemPaths machine, int pid, Neighbours neighbours)
    {
        (this.neighbours, this.pid) = (neighbours, pid);
        var group = ControlGroup.Of(machine, pid);
        state = new ProcessRunState(machine.Tree, pid, group);
        sums = new ProcessReadingSums(new ProcessorWaits(machine.Tree, pid), group, new MemoryLoadReader(machine, group));
    }

    public bool IsStopped => state.Stopped;

    public bool TryTake(EventTime until, out ProcessReading reading) => readings.TryTake(until, out reading);

    public void Dispose() => state.Dispose();

    /// <summary>
    /// Takes one sample: checks whether the process is stopped. If the last sums are at least <paramref name="betweenSumsMs"/> old, also
    /// takes new sums of its threads' waits, which reads one file per thread.
    /// </summary>
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

    /// <summary>Takes the last sample, always with new sums: in a short session, these sums may cover most of the time.</summary>
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

/// <summary>Sums waits for processors and throttled time since the last published reading, until they are worth a new one.</summary>
sealed class ProcessReadingSums(ProcessorWaits threads, ControlGroup group, MemoryLoadReader memory)
{
    // Sum of waits or of throttled time from which a reading is published, milliseconds: half of a gate check's 20 ms window.
    const double WorthMs = 10;

    // Sum of the gate thread's waits that suffices, milliseconds. Lower, because this thread is expected to run at exact times.
    const double WorthOfGateMs = 3;

    // The processors count as overloaded if a thread waits for a processor for more than this share of its time (0 to 1).
    const double CpuContention = 0.25;

    const double WorthOfMemory = 0.02;

    // Maximum time between readings, milliseconds. Even a reading without sums shows the memory use, and that the sampler runs.
    const double SayAgainMs = 10_000;

    EventTime? published;
    EventTime now;
    ImmutableArray<QuotaUse> quotas = [];
    ImmutableArray<QuotaUse> quotasBefore = [];
    double? load;
    double? loadSaid;

    /// <summary>Whether the sums or the memory use are worth a reading, or the last reading is old.</summary>
    public bool SaysSomethingNew =>
        threads.LongestMs >= WorthMs || threads.GateMs >= WorthOfGateMs || Throttled >= WorthMs
        || published is null || now.MsSince(published.Value) >= SayAgainMs
        || (load is { } l && Math.Abs(l - (loadSaid ?? -1)) >= WorthOfMemory);

    /// <summary>Whether a thread has waited for a processor for more than 25 % of the time since the last published reading.</summary>
    public bool IsCrowded => published is { } before && threads.LongestMs > CpuContention * now.MsSince(before);

    // Throttled time since the last reading, milliseconds: the maximum of all groups, because a throttled group throttles those below it.
    double? Throttled => quotas.Zip(quotasBefore, (now, before) => now.Since(before)).Max();

    public void Take(EventTime at)
    {
        now = at;
        threads.Take();
        quotas = group.Quotas();
        quotasBefore = quotasBefore.IsEmpty ? quotas : quotasBefore;
        load = memory.Load();
    }

    /// <summary>Returns the sums as a reading, and resets them.</summary>
    public ProcessReading Reading(EventTime at, ProcessStopState stop)
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

    // The throttled time of a group is summed over its processors, so it is capped at the interval.
    static double? Within(double? ms, double interval) => ms is { } sum ? Math.Round(Math.Min(sum, interval), 3) : null;
}

/// <summary>Reads the memory load as the GC does: relative to the control group's limit or, without one, to the machine's memory.</summary>
sealed class MemoryLoadReader(SystemPaths machine, ControlGroup group)
{
    /// <summary>
    /// Memory in use, as a share from 0 to 1. Null if the group's limit is unknown: the machine's load may then not apply to the process.
    /// </summary>
    public double? Load()
    {
        if (group.Memory() is not { } memory)
        {
            return null;
        }

        var text = ProcTree.ReadFile(Path.Combine(machine.Proc, "meminfo")).Text;
        var total = Kilobytes(text, "MemTotal:") * 1024;
        return memory.Limit is { } limit ? memory.Used / Math.Min(limit, total ?? limit)
            : total > 0 ? 1 - Kilobytes(text, "MemAvailable:") * 1024 / total
            : null;
    }

    static double? Kilobytes(string? text, string key) => GroupFile.Number(GroupFile.Value(text, key).TrimEnd(" kB"));
}

/// <summary>Whether the process is stopped at a sample, and between which samples it was stopped.</summary>
/// <param name="Stopped">Whether the process is stopped.</param>
/// <param name="Since">Time of the sample that first found the process stopped; null if it ran at this and the previous sample.</param>
/// <param name="Until">Time of the sample that last found the process stopped; null if <paramref name="Since"/> is null.</param>
/// <param name="Changed">Whether the state differs from the previous sample.</param>
readonly record struct ProcessStopState(bool Stopped, EventTime? Since, EventTime? Until, bool Changed);

/// <summary>Tracks whether the process is stopped, by a signal (state T), a debugger (state t) or a frozen control group.</summary>
sealed class ProcessRunState(ProcTree tree, int pid, ControlGroup group) : IDisposable
{
    // Buffer for the start of /proc/PID/stat: the pid, the name (up to 15 bytes) and the state. Later fields are not used.
    readonly byte[] line = new byte[64];

    // The file is kept open: it is read up to eight times a second, and opening costs more than reading.
    readonly SafeFileHandle? file = tree.Open(pid, "stat");
    EventTime? since;
    EventTime? until;
    volatile bool stopped;

    /// <summary>Whether the process was stopped at the last sample; for any thread.</summary>
    public bool Stopped => stopped;

    /// <summary>Takes one sample.</summary>
    public ProcessStopState Look(EventTime now)
    {
        var was = stopped;
        stopped = State() is 'T' or 't' || group.IsFrozen();
        if (stopped)
        {
            (since, until) = (was ? since : now, now);
        }

        return new ProcessStopState(stopped, was || stopped ? since : null, was || stopped ? until : null, stopped != was);
    }

    public void Dispose() => file?.Dispose();

    // The state letter after the name's last parenthesis (the name may contain parentheses); null when the process is gone.
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
/// Measures how long each thread was ready to run but waited for a processor (/proc/PID/task/TID/schedstat, second number,
/// nanoseconds). Reports the longest wait and that of the pool's gate thread, which is recognised by its name.
/// </summary>
sealed class ProcessorWaits(ProcTree tree, int pid)
{
    // Maximum number of threads that are read, once a second. Measured for 160 threads: 4 ms of processor time a second. 256 threads thus
    // cost 0.7 % of a core or less.
    const int MostThreads = 256;

    // Maximum length of a schedstat file: three numbers of up to 20 digits.
    const int LineBytes = 64;

    const string GateName = ".NET TP Gate";

    readonly Dictionary<int, Seen> threads = [];
    readonly byte[] line = new byte[LineBytes];
    bool baseline = true;
    double longest;
    double? gate;

    /// <summary>
    /// Longest time that one thread has waited since the last reset, milliseconds; null if the kernel does not report it.
    /// </summary>
    public double? LongestMs => threads.Count > 0 ? longest : null;

    /// <summary>Time that the gate thread has waited since the last reset, milliseconds; null while the gate thread is not known.</summary>
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
            // Waits before the sampler's first read do not count. Of a thread that started after this read, all waits count.
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

/// <summary>A control group's memory limit and use, as the garbage collector computes them, bytes.</summary>
/// <param name="Limit">The limit; null where there is none.</param>
/// <param name="Used">The use of the process's own group; null where that cannot be read.</param>
readonly record struct GroupMemory(double? Limit, double? Used);

/// <summary>The throttling of a control group by its processor quota since the group was created.</summary>
/// <param name="ThrottledMs">Throttled time, milliseconds, summed over the processors.</param>
/// <param name="Periods">Number of periods with throttling; null where that cannot be read.</param>
/// <param name="PeriodMs">Length of a period, milliseconds; null where that cannot be read.</param>
readonly record struct QuotaUse(double? ThrottledMs, double? Periods, double? PeriodMs)
{
    /// <summary>
    /// Time for which the group was throttled since an earlier reading, milliseconds; null if unknown. The kernel sums throttled time over
    /// the processors, so the result is limited to the length of the throttled periods plus one period in progress.
    /// </summary>
    public double? Since(QuotaUse before) => ThrottledMs - before.ThrottledMs is not { } sum ? null
        : Math.Max(0, Math.Min(sum, (Periods - before.Periods + 1) * PeriodMs ?? sum));
}

/// <summary>
/// The control group of the process and the groups above it; each may set a processor quota or a memory limit. Reads cgroup versions 1 and
/// 2; values are unknown where the group is not visible.
/// </summary>
sealed class ControlGroup(GroupTree processor, GroupTree memory, GroupTree freezer)
{
    /// <summary>Value above which a limit of cgroup version 1 means no limit, as in the runtime (gc/unix/cgroup.cpp).</summary>
    const double NoLimit = 0x7FFFFFFF00000000;

    /// <summary>The group of a process, as it is visible to tpwatch.</summary>
    public static ControlGroup Of(SystemPaths machine, int pid) => new(
        GroupTree.Of(machine.Tree, pid, "cpu"), GroupTree.Of(machine.Tree, pid, "memory"), GroupTree.Of(machine.Tree, pid, "freezer"));

    /// <summary>The quota counters of the process's group and of each group above it, in the same order at each call.</summary>
    public ImmutableArray<QuotaUse> Quotas() => [.. processor.Levels.Select(level => Quota(level, processor.IsUnified))];

    /// <summary>Whether the group is frozen, as a paused container is.</summary>
    public bool IsFrozen() => freezer.Own is { } own && (freezer.IsUnified
        ? GroupFile.Field(GroupFile.Text(own, "cgroup.events"), "frozen") == 1
        : GroupFile.Text(own, "freezer.state") == "FROZEN");

    /// <summary>
    /// Memory as the garbage collector computes it: the use of the process's own group, and the lowest limit of this group and the groups
    /// above it. Null if the process's own group is not visible, because that group may have a limit.
    /// </summary>
    public GroupMemory? Memory() => memory.Own is not { } own ? null
        : memory.IsUnified ? new(memory.Levels.Min(level => GroupFile.Number(level, "memory.max")), Used(own, "memory.current", Stat(own)))
        : OfOne(own, Stat(own));

    static GroupMemory? OfOne(string own, string? stat) => GroupFile.Number(own, "memory.limit_in_bytes") is not { } limit ? null
        : Math.Min(limit, GroupFile.Field(stat, "hierarchical_memory_limit") ?? limit) is > 0 and <= NoLimit and { } lowest
            ? new(lowest, Used(own, "memory.usage_in_bytes", stat))
        : new(Limit: null, Used: null);

    static string? Stat(string level) => GroupFile.Text(level, "memory.stat");

    // Does not count inactive file pages, which the kernel can drop at any time. The total_ value of version 1 includes the groups below.
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

static class GroupFile
{
    /// <summary>The whole text of a file; null where it cannot be read.</summary>
    public static string? Text(string level, string file)
    {
        // Checks first whether the file exists: the root group lacks some files, and one exception per second and process is expensive.
        var path = Path.Combine(level, file);
        return File.Exists(path) ? ProcTree.ReadFile(path).Text?.Trim() : null;
    }

    /// <summary>The number that a file consists of; null if the file contains a word, such as <c>max</c>, or cannot be read.</summary>
    public static double? Number(string level, string file) => Number(Text(level, file));

    /// <summary>The number after a key in a file's text; null without such a line.</summary>
    public static double? Field(string? text, string key) => Number(Value(text, key));

    /// <summary>The text after a key and blanks at the start of a line; empty without such a line. Allocates nothing.</summary>
    public static ReadOnlySpan<char> Value(ReadOnlySpan<char> text, string key)
    {
        foreach (var line in text.EnumerateLines())
        {
            if (line.Length > key.Length && line[key.Length] == ' ' && line.StartsWith(key, StringComparison.Ordinal))
            {
                return line[key.Length..].Trim();
            }
        }

        return default;
    }

    public static double? Number(ReadOnlySpan<char> text) =>
        double.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var value) ? value : null;
}

/// <summary>The folders of a process's control group and of the groups above it, for one controller, as mounted for tpwatch.</summary>
/// <param name="Levels">The process's own group first, then the groups above it, as far as they are visible.</param>
/// <param name="IsOwnSeen">Whether the first level is the process's own group; false if a namespace hides that group.</param>
/// <param name="IsUnified">Whether this is cgroup version 2, which has one tree for all controllers.</param>
sealed record GroupTree(string[] Levels, bool IsOwnSeen, bool IsUnified)
{
    // More levels than any container platform nests.
    const int MostLevels = 12;

    /// <summary>The folder of the process's own group; null where that is not visible.</summary>
    public string? Own => IsOwnSeen ? Levels[0] : null;

    /// <summary>
    /// Finds the tree of a process: version 1 if /proc/PID/cgroup names the controller, otherwise version 2. No controller is in both.
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

    // Parses a line of mountinfo: 36 35 0:31 /root/in/the/tree /where/it/is rw - type source options.
    static (string Type, string Options, string Root, string Folder)? Mount(string line) =>
        line.Split(" - ", 2) is [var place, var what] && place.Split(' ') is [_, _, _, var root, var folder, ..]
            && what.Split(' ') is [var type, _, var options] ? (type, options, root, folder) : null;

    // A container may mount only a part of the tree: groups above the root of the mount are then not visible.
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

/// <summary>
/// Finds the processes that use the machine's processors most, by comparing two reads of /proc. Callers request a read only while threads
/// of a target wait for processors. Not thread-safe.
/// </summary>
sealed class Neighbours(SystemPaths machine)
{
    const double BetweenMs = 3000;

    // Minimum time between two reads, milliseconds per process of the machine. A read costs some 20 µs per process, so reads take
    // 2 % of a processor or less even with thousands of processes.
    const double BetweenMsEach = 1;

    // Maximum age of the previous read, milliseconds; an older read may date from before the processors were overloaded.
    const double StaleMs = 30_000;

    // Minimum number of processors that a reported process uses; a lower use does not explain waiting.
    const double Worth = 0.1;

    const int Most = 3;

    Dictionary<(int Pid, ulong Start), double> before = [];
    ImmutableArray<Neighbour> users = [];
    EventTime? looked;
    double pauseMs = BetweenMs;

    /// <summary>
    /// Returns up to three processes that use the processors most, except the target <paramref name="asks"/>; empty before the second read.
    /// </summary>
    public ImmutableArray<Neighbour> Look(EventTime at, int asks)
    {
        if (looked is not { } last || at.MsSince(last) >= pauseMs)
        {
            Take(looked is { } earlier && at.MsSince(earlier) <= StaleMs ? at.MsSince(earlier) : null);
            looked = at;
            pauseMs = Math.Max(BetweenMs, BetweenMsEach * before.Count);
        }

        return [.. users.Where(user => user.Pid != asks).Take(Most)];
    }

    void Take(double? sinceMs)
    {
        Dictionary<(int Pid, ulong Start), double> now = [];
        List<Neighbour> busy = [];
        var processors = Processors();
        foreach (var pid in machine.Tree.Pids())
        {
            if (machine.Tree.Stat(pid) is { ProcessorMs: { } used } stat)
            {
                now[(pid, stat.StartTime)] = used;
                // A process that started since the last read has used all of its processor time since then.
                var share = (used - before.GetValueOrDefault((pid, stat.StartTime))) / (sinceMs ?? double.PositiveInfinity) / processors;
                if (share * processors >= Worth)
                {
                    busy.Add(new(UntrustedText.Line(stat.Name), pid, Math.Min(1, share)));
                }
            }
        }

        (before, users) = (now, [.. busy.OrderByDescending(user => user.Share)]);
    }

    int Processors() => Math.Max(1, ProcTree.ReadFile(Path.Combine(machine.Proc, "stat")).Text?.Split('\n')
        .Count(line => line.StartsWith("cpu", StringComparison.Ordinal) && line.Length > 3 && char.IsAsciiDigit(line[3])) ?? 0);
}
