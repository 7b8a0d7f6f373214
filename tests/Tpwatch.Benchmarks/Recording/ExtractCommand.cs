using System.Globalization;
using Tpwatch.Recordings;
using Tpwatch.Scoring.Extracts;

namespace Tpwatch.Benchmarks.Recording;

/// <summary>
/// Whether the extract of a recording tells the same as the recording: `extract [mutants] [file...]` reads each stored recording, or the
/// files that are named, both ways, then so many damaged ones of them. Ends with 1 at a difference.
/// </summary>
static class ExtractCommand
{
    const int DefaultMutants = 10_000;

    /// <summary>Larger ones take long to damage ten thousand times.</summary>
    const long LargestToDamage = 2 << 20;

    public static async Task<int> RunAsync(string[] args)
    {
        var mutants = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : DefaultMutants;
        var files = args.Length > 1 ? args[1..]
            : Directory.GetFiles(Path.Combine(BuiltPrograms.Root, "tests", "Recordings"), "*.nettrace").Order(StringComparer.Ordinal).ToArray();
        var wrong = new List<string>();
        var (whole, asItIs) = (0, 0);
        foreach (var file in files)
            Tell(await BothAsync(file), file);
        Console.WriteLine($"{files.Length} recordings read twice in two ways: {asItIs} of {whole} readings had no extract");

        (whole, asItIs) = (0, 0);
        var small = files.Where(f => new FileInfo(f).Length <= LargestToDamage).ToArray();
        for (var i = 0; i < mutants && small.Length > 0; i++)
            await MutantAsync(small[i % small.Length], i);
        Console.WriteLine($"{mutants} damaged ones: {asItIs} of {whole} readings had no extract");
        Console.WriteLine($"{wrong.Count} differences");
        return wrong.Count == 0 ? 0 : 1;

        void Tell(IEnumerable<ExtractComparison> both, string what)
        {
            foreach (var one in both)
            {
                (whole, asItIs) = (whole + 1, asItIs + (one.ReadAsItIs is null ? 0 : 1));
                if (one.Difference is { } difference)
                {
                    wrong.Add(what);
                    Console.WriteLine($"DIFFERENT {what}: {difference}");
                }
            }
        }

        async Task MutantAsync(string file, int number)
        {
            var folder = Directory.CreateTempSubdirectory("tpwatch-mutant-");
            var (bytes, what) = Mutation.Of(await File.ReadAllBytesAsync(file), number);
            var damaged = Path.Combine(folder.FullName, "damaged.nettrace");
            await File.WriteAllBytesAsync(damaged, bytes);
            if (File.Exists(SideCarFile.PathFor(file)))
                File.Copy(SideCarFile.PathFor(file), SideCarFile.PathFor(damaged));
            Tell(await BothAsync(damaged), $"{Path.GetFileName(file)} {what}");
            folder.Delete(recursive: true);
        }
    }

    static async Task<ExtractComparison[]> BothAsync(string file) =>
        [await ExtractComparison.OfAsync(file, poolAlone: false), await ExtractComparison.OfAsync(file, poolAlone: true)];
}
