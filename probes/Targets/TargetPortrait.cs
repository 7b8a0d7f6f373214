using Tpwatch.Reports;

namespace Tpwatch.Targets;

/// <summary>Collects the facts about a target that do not come from its events. Nothing here fails; missing facts stay unknown.</summary>
static class TargetPortrait
{
    /// <summary>Collects the facts about a process of this machine; each of its queries has a time limit of 2 s.</summary>
    public static Task<TargetFacts> TakeAsync(Target target, CancellationToken cancel) =>
        TakeAsync(Machine.Local, target, TimeProvider.System, cancel);

    public static async Task<TargetFacts> TakeAsync(Machine machine, Target target, TimeProvider time, CancellationToken cancel)
    {
        var port = target.SocketPath is { } path ? new DiagnosticPort(path, time) : null;
        var info = port is null ? null : await port.ProcessInfoAsync(cancel).ConfigureAwait(false);

        // The environment at the start of the process counts. /proc hides that of a process with extra capabilities from the user, but the
        // runtime returns it.
        var environment = machine.IsLinux && !target.IsElsewhere ? machine.Tree.Environment(target.Pid) : null;
        environment ??= port is null || info is null ? null : await port.EnvironmentAsync(cancel).ConfigureAwait(false);
        return target.IsElsewhere ? FactsFromAfar(target, info, environment) : Facts(machine, target, info, environment);
    }

    // This machine's /proc does not describe the target.
    static TargetFacts FactsFromAfar(Target target, ProcessInfo? info, ProcEnvironment? environment)
    {
        var facts = Told(target, info, [.. PoolSettings.Of(environment ?? ProcEnvironment.Of([]))], allowedProcessors: null);
        return facts with { IsElsewhere = true };
    }

    static TargetFacts Facts(Machine machine, Target target, ProcessInfo? info, ProcEnvironment? environment)
    {
        var tree = machine.Tree;
        ImmutableArray<PoolSetting> settings = [.. PoolSettings.Of(environment ?? ProcEnvironment.Of([])),
            .. RuntimeconfigFile.Settings(tree, target.Pid)];
        return Told(target, info, settings, tree.Status(target.Pid).AllowedProcessors) with
        {
            Name = info?.EntryAssembly is { Length: > 0 } entry ? entry : target.Name,
            CommandLine = Whole(info?.CommandLine, tree.Arguments(target.Pid)),
            RuntimeVersion = info?.RuntimeVersion ?? RuntimeTrace.Of(tree, target.Pid).Version,
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

    // A runtime that is still suspended at its start reports only its executable.
    static string? Whole(string? said, IReadOnlyList<string>? seen) =>
        seen is null || (said is not null && (seen.Count == 1 || CommandLine.Split(said).Count > 1)) ? said : string.Join(' ', seen);
}

/// <summary>Reads the target's runtimeconfig.json. A single-file program has the file in its executable, where it is not found.</summary>
static class RuntimeconfigFile
{
    // Typical files have a few hundred bytes; the limit protects against an unexpected file.
    const long MostBytes = 1 << 20;

    public static ImmutableArray<PoolSetting> Settings(ProcTree tree, int pid) =>
        ProgramFiles.Candidates(tree, pid, "--runtimeconfig", ".runtimeconfig.json")
            .Select(path => ProgramFiles.Read(path, MostBytes)).FirstOrDefault(text => text is not null) is { } json
            ? PoolSettings.OfRuntimeconfig(json)
            : [];
}
