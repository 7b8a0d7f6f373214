namespace Tpwatch.Benchmarks.Compare;

/// <summary>Peers that are measured where they are found.</summary>
static class PeerPrograms
{
    /// <summary>dotnet-counters in the folder of another program, or on the path; null where it is in neither.</summary>
    public static string? CountersBeside(string program)
    {
        var path = Environment.GetEnvironmentVariable("PATH") ?? "";
        return path.Split(Path.PathSeparator).Prepend(Path.GetDirectoryName(Path.GetFullPath(program))!)
            .Select(folder => Path.Combine(folder, "dotnet-counters")).FirstOrDefault(File.Exists);
    }
}
