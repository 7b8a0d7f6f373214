using Tpwatch.Reports;

namespace Tpwatch.Targets;

/// <summary>Reads the target's runtimeconfig.json. A single-file program has it inside its executable: then nothing is found.</summary>
static class RuntimeconfigFile
{
    // Real ones have a few hundred bytes; the file belongs to somebody else.
    const long MostBytes = 1 << 20;

    public static ImmutableArray<PoolSetting> Settings(ProcTree tree, int pid) =>
        ProgramFiles.Candidates(tree, pid, "--runtimeconfig", ".runtimeconfig.json")
            .Select(path => ProgramFiles.Read(path, MostBytes)).FirstOrDefault(text => text is not null) is { } json
            ? PoolSettings.OfRuntimeconfig(json)
            : [];
}
