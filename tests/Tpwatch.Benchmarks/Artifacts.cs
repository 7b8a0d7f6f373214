using Tpwatch.Benchmarks.Figures;
using Tpwatch.Benchmarks.Scores;
using Tpwatch.Core;

namespace Tpwatch.Benchmarks;

/// <summary>How large what a build makes is, from what lies in artifacts. With --write the section of tests/SCORES.md is written.</summary>
static class Artifacts
{
    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var write = words.Has("--write");
        if (words.Rest.Count > 0)
            return words.Refuse("artifacts takes --write alone");
        var load = MachineWords.LoadNow();
        (long Package, long SingleFile) bytes = (Bytes("package/release", "dotnet-tpwatch.*.nupkg"),
            Bytes("publish/linux-x64", "dotnet-tpwatch"));
        var page = ArtifactsPage.Of(bytes, MachineWords.Of([], load));
        Console.WriteLine(page);
        if (write)
            await FiguresFile.WriteAsync(ArtifactsPage.Name, page);
        return ArtifactsPage.GoalsOf(bytes.Package).Conclude();
    }

    // Of several packages the largest.
    static long Bytes(string folder, string name) => Files(folder, name).Max(file => new FileInfo(file).Length);

    /// <summary>What a step of the build has left; none where it did not run.</summary>
    public static string[] Made(string folder, string name)
    {
        var place = Path.Combine(BuiltPrograms.Root, "artifacts", folder);
        return Directory.Exists(place) ? Directory.GetFiles(place, name) : [];
    }

    static string[] Files(string folder, string name) => Made(folder, name) is { Length: > 0 } files
        ? files
        : throw new UserErrorException(
            $"There is no {name} in artifacts/{folder}.",
            "Run `dotnet run build.cs -- pack publish` first.",
            ExitCode.Arguments);
}
