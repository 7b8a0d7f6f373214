using Tpwatch.Core;
using Tpwatch.Lab.Figures;

namespace Tpwatch.Lab;

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
        var bytes = (Package: Bytes("package/release", "dotnet-tpwatch.*.nupkg"), File: Bytes("publish/linux-x64", "dotnet-tpwatch"));
        return await FiguresFile.ConcludeAsync(
            ArtifactsPage.Name, ArtifactsPage.Of(bytes, MachineWords.Of(load)), write, ArtifactsPage.GoalsOf(bytes.Package));
    }

    // What a step of the build has left; of several packages the largest.
    static long Bytes(string folder, string name)
    {
        var place = new DirectoryInfo(Path.Combine(BuiltPrograms.Root, "artifacts", folder));
        return place.Exists && place.GetFiles(name) is { Length: > 0 } files
            ? files.Max(file => file.Length)
            : throw new UserErrorException(
                $"There is no {name} in artifacts/{folder}.", "Run `dotnet run build.cs -- pack publish` first.", ExitCode.Arguments);
    }
}
