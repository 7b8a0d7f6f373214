using System.Text.Json;
using Tpwatch.Reports;

namespace Tpwatch.Targets;

/// <summary>Collects the facts about a target that do not come from its events. Nothing here fails; missing facts stay unknown.</summary>
static class TargetPortrait
{
    /// <summary>Collects the facts about a target; each query to its diagnostic port has a time limit of 2 s.</summary>
    public static Task<TargetFacts> TakeAsync(Target target, CancellationToken cancel) =>
        TakeAsync(SystemPaths.Local, target, TimeProvider.System, cancel);

    public static async Task<TargetFacts> TakeAsync(SystemPaths machine, Target target, TimeProvider time, CancellationToken cancel)
    {
        var port = target.SocketPath is { } path ? new DiagnosticPortClient(path, time) : null;
        var info = port is null ? null : await port.ProcessInfoAsync(cancel).ConfigureAwait(false);

        // /proc has the environment with which the process was started, which is the one that counts. For a process with extra
        // capabilities, /proc hides the environment, so the runtime is asked for it.
        var environment = machine.IsLinux && !target.IsElsewhere ? machine.Tree.Environment(target.Pid) : null;
        environment ??= port is null || info is null ? null : await port.EnvironmentAsync(cancel).ConfigureAwait(false);
        return target.IsElsewhere ? FactsFromAfar(target, info, environment) : Facts(machine, target, info, environment);
    }

    // This machine's /proc does not describe the target.
    static TargetFacts FactsFromAfar(Target target, ProcessInfo? info, ProcEnvironment? environment)
    {
        var facts = Told(target, info, [.. PoolConfigReader.Of(environment ?? ProcEnvironment.Of([]))], allowedProcessors: null);
        return facts with { IsElsewhere = true };
    }

    static TargetFacts Facts(SystemPaths machine, Target target, ProcessInfo? info, ProcEnvironment? environment)
    {
        var tree = machine.Tree;
        ImmutableArray<PoolSetting> settings = [.. PoolConfigReader.Of(environment ?? ProcEnvironment.Of([])),
            .. RuntimeconfigFile.Settings(tree, target.Pid)];
        return Told(target, info, settings, tree.Status(target.Pid).AllowedProcessors) with
        {
            Name = info?.EntryAssembly is { Length: > 0 } entry ? entry : target.Name,
            CommandLine = Whole(info?.CommandLine, tree.Arguments(target.Pid)),
            RuntimeVersion = info?.RuntimeVersion ?? MappedRuntime.Of(tree, target.Pid).Version,
        };
    }

    static TargetFacts Told(Target target, ProcessInfo? info, ImmutableArray<PoolSetting> settings, int? allowedProcessors)
    {
        var limits = PoolLimits.Of(settings, allowedProcessors);
        return new TargetFacts
        {
            Pid = target.Pid,
            Name = target.Name,
            CommandLine = info?.CommandLine,
            RuntimeVersion = info?.RuntimeVersion,
            Os = info?.Os,
            Architecture = info?.Architecture,
            Processors = limits.Processors,
            MinWorkers = limits.Min,
            MaxWorkers = limits.Max,
            Settings = settings,
        };
    }

    // A runtime that is still suspended at its start reports only the executable; the whole command line then comes from /proc.
    static string? Whole(string? said, IReadOnlyList<string>? seen) =>
        seen is null || (said is not null && (seen.Count == 1 || TargetCommandLine.Split(said).Count > 1)) ? said : string.Join(' ', seen);
}

/// <summary>Reads the target's runtimeconfig.json. A single-file program has the file in its executable, where it is not found.</summary>
static class RuntimeconfigFile
{
    // Typical files have a few hundred bytes; the limit protects against an unexpected file.
    const long MostBytes = 1 << 20;

    public static ImmutableArray<PoolSetting> Settings(ProcTree tree, int pid) =>
        ProgramFiles.Candidates(tree, pid, "--runtimeconfig", ".runtimeconfig.json")
            .Select(path => ProgramFiles.Read(path, MostBytes)).FirstOrDefault(text => text is not null) is { } json
            ? PoolConfigReader.OfRuntimeconfig(json)
            : [];
}

/// <summary>
/// The configured number of processors, MinThreads and MaxThreads. A value that configuration forces is known, because the runtime rejects
/// every call that would change it. Any other value is unknown, because the program may have called SetMinThreads or SetMaxThreads
/// before tpwatch attached. The treatment of unusual values was tested on runtime 10.0.12 and is documented in the tests.
/// </summary>
sealed record PoolLimits(SourcedValue Processors, SourcedValue Min, SourcedValue Max)
{
    // The runtime ignores larger values: the pool stores worker thread counts as signed 16-bit integers.
    const int MostWorkers = short.MaxValue;
    const int MostProcessors = ushort.MaxValue;

    /// <param name="settings">All settings of the pool in the environment and runtimeconfig.json.</param>
    /// <param name="allowedProcessors">
    /// Processors that the target may run on, an upper limit of the number that its runtime counts; null when unknown.
    /// </param>
    public static PoolLimits Of(ImmutableArray<PoolSetting> settings, int? allowedProcessors)
    {
        var processors = ProcessorsOf(PoolConfigReader.InEnvironment(settings, "PROCESSOR_COUNT"));
        var (min, max) = Forced(settings);
        return new(processors, min, min.Value is null ? RaisedToMin(max, processors.Value, allowedProcessors) : max);
    }

    /// <summary>
    /// MinThreads and MaxThreads as configuration forces them; if MaxThreads is below MinThreads, the runtime ignores both.
    /// </summary>
    public static (SourcedValue Min, SourcedValue Max) Forced(ImmutableArray<PoolSetting> settings)
    {
        var min = Forced(settings, "ThreadPool_ForceMinWorkerThreads", "MinThreads");
        var max = Forced(settings, "ThreadPool_ForceMaxWorkerThreads", "MaxThreads");
        return max.Value < min.Value ? (SourcedValue.Unknown, SourcedValue.Unknown) : (min, max);
    }

    // MinThreads starts as the number of processors, and the runtime raises a smaller MaxThreads to MinThreads. A forced MaxThreads is
    // therefore known only if the number of processors is known, or cannot exceed the forced value.
    static SourcedValue RaisedToMin(SourcedValue max, int? processors, int? allowedProcessors) => (max.Value, processors) switch
    {
        ({ } value, { } known) => max with { Value = Math.Max(value, known) },
        ({ } value, null) when value >= allowedProcessors => max,
        _ => SourcedValue.Unknown,
    };

    // An environment variable overrides the entry in runtimeconfig.json. A variable whose value is 0 or not a number gives no known limit:
    // in some versions of the runtime, the entry then applies.
    static SourcedValue Forced(ImmutableArray<PoolSetting> settings, string variable, string entry) =>
        (PoolConfigReader.InEnvironment(settings, variable), PoolConfigReader.InRuntimeconfig(settings, entry)) switch
        {
            ({ } set, _) => Workers(Hexadecimal(set.Value), SettingSource.Environment),
            (null, { } set) => Workers(AnyBase(set.Value), SettingSource.Runtimeconfig),
            _ => SourcedValue.Unknown,
        };

    static SourcedValue Workers(int? count, SettingSource source) =>
        count is > 0 and <= MostWorkers ? new SourcedValue(count, source) : SourcedValue.Unknown;

    // Parses decimal digits as the runtime does: text after the digits is ignored, so 0x10 counts as 0 and has no effect.
    static SourcedValue ProcessorsOf(PoolSetting? setting)
    {
        string digits = new([.. (setting?.Value ?? "").TrimStart().TakeWhile(char.IsAsciiDigit)]);
        return int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count is > 0 and <= MostProcessors
            ? new SourcedValue(count, SettingSource.Environment)
            : SourcedValue.Unknown;
    }

    /// <summary>Parses a variable's value as the runtime does, always as hexadecimal: "10" is 16, and so is "0x10".</summary>
    public static int? Hexadecimal(string value)
    {
        var digits = value.Trim();
        digits = digits is ['0', 'x' or 'X', ..] ? digits[2..] : digits;
        return int.TryParse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var count) ? count : null;
    }

    // Parses a number as C does: decimal 25, hexadecimal 0x19, octal 031.
    static int? AnyBase(string value) => value.Trim() switch
    {
        ['0', 'x' or 'X', ..] text => Hexadecimal(text),
        ['0', .. var octal] => Octal(octal),
        var text => int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var count) ? count : null,
    };

    static int? Octal(string digits) =>
        digits.Length <= 10 && digits.All(d => d is >= '0' and <= '7') ? digits.Aggregate(0, (sum, d) => (sum * 8) + (d - '0')) : null;
}

/// <summary>Selects the pool's settings from the target's configuration; all other settings are discarded.</summary>
static class PoolConfigReader
{
    public const string RuntimeconfigPrefix = "System.Threading.ThreadPool.";

    // DOTNET_ overrides COMPlus_ with the same name, even if the DOTNET_ value is not usable.
    static readonly string[] Prefixes = ["DOTNET_", "COMPlus_"];
    static readonly string[] Families = ["ThreadPool_", "HillClimbing_"];

    // Settings of the GC's high memory load threshold; above 80 % of it, the pool stops blocking compensation for task waits.
    const string HighMemoryVariable = "GCHighMemPercent";
    const string HighMemoryEntry = "System.GC.HighMemoryPercent";

    public static IEnumerable<PoolSetting> Of(ProcEnvironment environment) =>
        from pair in environment
        where IsOfThePool(pair.Key)
        orderby pair.Key
        select new PoolSetting(pair.Key, pair.Value, SettingSource.Environment);

    /// <summary>The pool's settings in runtimeconfig.json; empty if the text is not JSON or has another structure.</summary>
    public static ImmutableArray<PoolSetting> OfRuntimeconfig(string json)
    {
        try
        {
            using var document = JsonDocument.Parse(json, new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
            return ApplicationAssemblies.Member(document.RootElement, "runtimeOptions") is { } options
                && ApplicationAssemblies.Member(options, "configProperties") is { ValueKind: JsonValueKind.Object } all
                ? [.. all.EnumerateObject()
                    .Where(p => p.Name is HighMemoryEntry or NoPoolEvents.Entry
                        || p.Name.StartsWith(RuntimeconfigPrefix, StringComparison.Ordinal))
                    .Select(p => new PoolSetting(p.Name, p.Value.ToString(), SettingSource.Runtimeconfig))]
                : [];
        }
        catch (JsonException)
        {
            return [];
        }
    }

    /// <summary>The environment variable of a setting; DOTNET_ takes precedence over COMPlus_, as in the runtime.</summary>
    public static PoolSetting? InEnvironment(ImmutableArray<PoolSetting> settings, string name) =>
        Prefixes.Select(prefix => settings.FirstOrDefault(s => s.Source == SettingSource.Environment && s.Name == prefix + name))
            .FirstOrDefault(s => s is not null);

    public static PoolSetting? InRuntimeconfig(ImmutableArray<PoolSetting> settings, string name) =>
        settings.FirstOrDefault(s => s.Source == SettingSource.Runtimeconfig && s.Name == RuntimeconfigPrefix + name);

    static bool IsOfThePool(string name) =>
        Prefixes.FirstOrDefault(p => name.StartsWith(p, StringComparison.Ordinal)) is { } prefix
            && name[prefix.Length..] is var rest
            && (rest is "PROCESSOR_COUNT" or HighMemoryVariable || Families.Any(f => rest.StartsWith(f, StringComparison.Ordinal)));
}

/// <summary>
/// Finds files in the folder of a target's program, such as its runtimeconfig.json. A single-file program has no such files.
/// </summary>
static class ProgramFiles
{
    /// <summary>
    /// Possible paths of a file, most likely first: a path that an option of the dotnet host names, then the program's folder.
    /// </summary>
    /// <param name="tree">The /proc tree in which the target is visible.</param>
    /// <param name="pid">The target's process id.</param>
    /// <param name="option">The option of the dotnet host that names the file; null if there is none.</param>
    /// <param name="ending">The extension that replaces the assembly's extension, such as ".deps.json".</param>
    public static IEnumerable<string> Candidates(ProcTree tree, int pid, string? option, string ending) =>

        // The path through the target's root comes first: in a container, the plain path names another file in tpwatch's namespace.
        from path in Paths(tree, pid, option, ending)
        from seen in (string[])[tree.PathOf(pid, "root") + path, path]
        where path.StartsWith('/')
        select seen;

    /// <summary>Reads a file of the target; null if it is missing, empty, unreadable or larger than <paramref name="mostBytes"/>.</summary>
    public static string? Read(string path, long mostBytes)
    {
        try
        {
            // A named pipe has length 0 and is excluded, because reading a pipe would wait for a writer.
            FileInfo named = new(path);
            var file = named.ResolveLinkTarget(returnFinalTarget: true) as FileInfo ?? named;
            return file is { Exists: true, Length: > 0 } && file.Length <= mostBytes ? File.ReadAllText(path) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    static IEnumerable<string> Paths(ProcTree tree, int pid, string? option, string ending)
    {
        var arguments = tree.Arguments(pid) ?? [];
        var folder = tree.Link(pid, "cwd") ?? "/";
        var entry = TargetCommandLine.EntryAssembly(arguments);

        // The arguments before the assembly belong to the dotnet host: exec, options and their values.
        for (var i = 1; entry is not null && arguments[i] != entry; i++)
        {
            if (option is not null && arguments[i] == option)
            {
                yield return Path.Combine(folder, arguments[i + 1]);
            }
        }

        if (entry is { } assembly)
        {
            yield return Path.ChangeExtension(Path.Combine(folder, assembly), ending);
            yield return Path.ChangeExtension(Mapped(tree, pid, TargetCommandLine.FileName(assembly)), ending) ?? "";
        }
        else if (tree.Link(pid, "exe") is { } executable)
        {
            yield return executable + ending;
        }
    }

    // A relative path leads nowhere if the program has changed its current folder. The memory map has the assembly's full path.
    static string? Mapped(ProcTree tree, int pid, string fileName) =>
        (tree.Read(pid, "maps").Text ?? "").Split('\n')
            .Where(line => line.EndsWith("/" + fileName, StringComparison.Ordinal))
            .Select(line => line[line.IndexOf('/')..])
            .FirstOrDefault();
}
