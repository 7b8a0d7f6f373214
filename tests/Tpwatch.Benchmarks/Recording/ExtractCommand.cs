using System.Globalization;
using Tpwatch.Recordings;
using Tpwatch.Scoring.Extracts;

namespace Tpwatch.Benchmarks.Recording;

/// <summary>
/// Whether the extract of a recording tells the same as the recording: `extract [mutants] [file...]` reads each stored recording, or the
/// files that are named, both ways, then so many damaged ones of them. Ends with 1 at a difference.
/// </summary>
sealed class ExtractCommand
{
    const int DefaultMutants = 10_000;

    /// <summary>Larger ones take long to damage ten thousand times.</summary>
    const long LargestToDamage = 2 << 20;

    readonly List<string> reasons = [];
    int readings;
    int different;

    public static async Task<int> RunAsync(string[] args)
    {
        var mutants = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : DefaultMutants;
        var recordings = Path.Combine(BuiltPrograms.Root, "tests", "Recordings");
        var files = args.Length > 1 ? args[1..] : [.. Directory.GetFiles(recordings, "*.nettrace").Order(StringComparer.Ordinal)];
        var (whole, damaged) = (new ExtractCommand(), new ExtractCommand());
        foreach (var file in files)
            await whole.ReadAsync(file, file);
        whole.Conclude($"{files.Length} recordings");

        var small = files.Where(f => new FileInfo(f).Length <= LargestToDamage).ToArray();
        for (var number = 0; number < mutants && small.Length > 0; number++)
            await damaged.MutantAsync(small[number % small.Length], number);
        damaged.Conclude($"{mutants} damaged ones");
        return whole.different + damaged.different == 0 ? 0 : 1;
    }

    async Task MutantAsync(string file, int number)
    {
        var folder = Directory.CreateTempSubdirectory("tpwatch-mutant-");
        var (bytes, what) = Mutation.Of(await File.ReadAllBytesAsync(file), number);
        var mutant = Path.Combine(folder.FullName, "damaged.nettrace");
        await File.WriteAllBytesAsync(mutant, bytes);
        if (File.Exists(SideCarFile.PathFor(file)))
            File.Copy(SideCarFile.PathFor(file), SideCarFile.PathFor(mutant));
        await ReadAsync(mutant, $"{Path.GetFileName(file)} {what}");
        folder.Delete(recursive: true);
    }

    async Task ReadAsync(string file, string what)
    {
        foreach (var poolAlone in new[] { false, true })
        {
            var read = await ExtractComparison.OfAsync(file, poolAlone);
            readings++;
            reasons.AddRange(read.ReadAsItIs is { } reason ? [reason] : []);
            if (read.Difference is { } difference)
            {
                different++;
                Console.WriteLine($"DIFFERENT {what}: {difference}");
            }
        }
    }

    void Conclude(string what)
    {
        Console.WriteLine($"{what}, each read two times in both ways: {different} of {readings} differ, {reasons.Count} had no extract");
        foreach (var same in reasons.GroupBy(reason => reason).OrderByDescending(same => same.Count()))
            Console.WriteLine($"  {same.Count()} times: it has {same.Key}");
    }
}
