using System.Xml.Linq;
using Tpwatch.Benchmarks.Figures;
using Tpwatch.Benchmarks.Scores;

namespace Tpwatch.Benchmarks;

/// <summary>
/// How large what a build makes is, and how long all tests took: from what lies in artifacts. With --write the section of tests/SCORES.md is written.
/// </summary>
static class Artifacts
{
    static readonly XNamespace Trx = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";

    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var write = words.Has("--write");
        if (words.Rest.Count > 0)
            return words.Refuse("artifacts takes --write alone");
        var load = MachineWords.LoadNow();
        var bytes = (Bytes("package/release", "dotnet-tpwatch.*.nupkg"), Bytes("publish/linux-x64", "dotnet-tpwatch"));
        var page = ArtifactsPage.Of(bytes, TestsTook(), MachineWords.Of([], load));
        Console.WriteLine(page);
        if (write)
            await FiguresFile.WriteAsync(ArtifactsPage.Name, page);
        return 0;
    }

    static long Bytes(string folder, string name) => new FileInfo(Files(folder, name).Single()).Length;

    /// <summary>From the first test's begin to the last one's end, the projects one after another.</summary>
    static TimeSpan TestsTook()
    {
        var times = Files("tests", "*.trx").Select(file => XDocument.Load(file).Descendants(Trx + "Times").Single()).ToArray();
        return times.Max(time => (DateTimeOffset)time.Attribute("finish")!) - times.Min(time => (DateTimeOffset)time.Attribute("start")!);
    }

    static string[] Files(string folder, string name)
    {
        var place = Path.Combine(BuiltPrograms.Root, "artifacts", folder);
        return Directory.Exists(place) && Directory.GetFiles(place, name) is { Length: > 0 } files
            ? files
            : throw new ForeseenException(
                $"There is no {name} in artifacts/{folder}.",
                "Run `dotnet test --logger trx --results-directory artifacts/tests` and `dotnet run build.cs -- pack publish` first.",
                ExitCode.Arguments);
    }
}
