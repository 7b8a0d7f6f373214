using Tpwatch.Lab.Scores;
using Tpwatch.Lab.Screen;

namespace Tpwatch.Lab.Growth;

/// <summary>
/// How what the engine itself costs grows with all that may become much: <c>growth [--dry] [axis...]</c>. Writes tests/GROWTH.md and a
/// picture for each axis unless one is named; misses its goal where a cost grows faster than in proportion, by more than its spread.
/// </summary>
static class GrowthCommand
{
    public static async Task<int> RunAsync(string[] args)
    {
        var words = new Words(args);
        var dry = words.Has("--dry");
        using GrownRecording recording = new();
        var all = GrowthAxis.Of(recording);
        var names = words.Rest;
        if (names.Except(all.Select(axis => axis.Name)).Any())
            return words.Refuse($"growth takes --dry and some of {string.Join(", ", all.Select(axis => axis.Name))}");
        var load = MachineWords.LoadNow();
        List<GrownCosts> grown = [];
        foreach (var axis in all.Where(axis => names.Count == 0 || names.Contains(axis.Name)))
        {
            grown.Add(await axis.RunAsync());
            Console.WriteLine(GrowthPage.Table(grown[^1]));
        }

        var page = GrowthPage.Of(grown, MachineWords.Of(load));
        Console.WriteLine(page);
        if (!dry && names.Count == 0)
        {
            foreach (var costs in grown)
                await File.WriteAllTextAsync(BuiltPrograms.InTests(GrowthPage.Picture(costs.Axis)), GrowthPicture.Of(costs));
            GeneratedPart.Write(BuiltPrograms.InTests("GROWTH.md"), "growth", page);
        }

        return GrowthPage.GoalsOf(grown).Conclude();
    }
}

/// <summary>One thing that may become much.</summary>
/// <param name="Name">Of its picture.</param>
/// <param name="What">With its unit, as a row says it.</param>
/// <param name="Sizes">Ascending.</param>
/// <param name="Rounds">How often each size is measured.</param>
/// <param name="Measure">What a size costs.</param>
sealed record GrowthAxis(string Name, string What, double[] Sizes, int Rounds, Func<double, Task<Measured>> Measure)
{
    const int FoldRounds = 5, RecordingRounds = 2;

    /// <summary>Until the runtime has compiled anew what runs often: code that becomes faster meanwhile hides how cost grows.</summary>
    static readonly TimeSpan Warm = TimeSpan.FromSeconds(5);

    /// <summary>The runtime compiles beside, once nothing new has been called for a tenth of a second.</summary>
    static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(300);

    /// <summary>Round after round through all sizes, so that what else the machine does meets all alike.</summary>
    public async Task<GrownCosts> RunAsync()
    {
        // What is folded is measured in this process.
        for (var begun = TimeProvider.System.GetTimestamp();
            Rounds == FoldRounds && TimeProvider.System.GetElapsedTime(begun) < Warm; await Task.Delay(Rest))
        {
            foreach (var size in Sizes.SkipLast(1))
                await Measure(size);
        }

        List<Measured> all = [];
        foreach (var size in Enumerable.Repeat(Sizes, Rounds).SelectMany(sizes => sizes))
            all.Add(await Measure(size));
        return new(this, all);
    }

    public static IReadOnlyList<GrowthAxis> Of(GrownRecording recording) =>
    [
        Folded("workers", "workers", [10, 30, 100, 300, 1000, 2500, 5000], GrownStreams.Workers),
        Folded("items", "items a second", [1, 10, 100, 1000, 10_000, 50_000, 150_000, 500_000], GrownStreams.Items),
        Folded("lost", "losses of events in a minute", [1, 10, 100, 1000, 10_000, 30_000, 100_000], GrownStreams.Lost),
        Folded("length", "minutes of the capture", [1, 10, 60, 360, 1440, 3600, 10_080], GrownStreams.Minutes),
        // A day of them fills the book of gaps.
        Folded("episodes", "minutes with four seconds of starvation in each", [1, 10, 60, 360, 1440, 4320, 10_080, 20_160],
            GrownStreams.Episodes),
        Folded("hanging", "minutes in which items wait and no worker comes", [1, 3, 10, 60, 180, 480, 1440], GrownStreams.Hanging),
        new("recording", "megabytes of the recording", [1, 5, 20, 60, 200, 500, 1500, 4000], RecordingRounds, recording.MegabytesAsync),
    ];

    static GrowthAxis Folded(string name, string what, double[] sizes, Func<double, GrownFold> fold) =>
        new(name, what, sizes, FoldRounds, size => Task.FromResult(Measured.Of(size, fold)));
}

/// <summary>What was measured along an axis.</summary>
sealed record GrownCosts(GrowthAxis Axis, IReadOnlyList<Measured> All)
{
    /// <summary>
    /// Where a cost has a fixed part, or one that grows until some bound is reached, only large sizes show how the rest grows: those from a
    /// tenth of the largest on.
    /// </summary>
    const double Large = 0.1;

    /// <summary>Each cost of which there are figures.</summary>
    public IEnumerable<GrownCost> Costs =>
    [
        Of("processor time of the whole, ms", m => m.WholeMs),
        .. All.All(m => m.LookMs is not null) ? [Of("processor time of a report, ms", m => m.LookMs!.Value)] : (GrownCost[])[],
        Of("memory, MB", m => m.Megabytes),
    ];

    GrownCost Of(string name, Func<Measured, double> cost)
    {
        CostAt[] points = [.. All.Select(m => new CostAt(m.Size, cost(m)))];
        return new(name, points, Exponent.Of(points), Exponent.Of(points.Where(p => p.Size >= Large * Axis.Sizes[^1])));
    }
}

/// <summary>One cost over the sizes of an axis.</summary>
/// <param name="Name">With its unit.</param>
/// <param name="Points">Each measurement.</param>
/// <param name="Whole">Over all sizes.</param>
/// <param name="AtLarge">Over the largest.</param>
sealed record GrownCost(string Name, IReadOnlyList<CostAt> Points, Exponent Whole, Exponent AtLarge)
{
    /// <summary>Of each size, ascending.</summary>
    public IEnumerable<CostAt> Medians => Points.GroupBy(p => p.Size).OrderBy(same => same.Key)
        .Select(same => new CostAt(same.Key, new Spread(same.Select(p => p.Cost)).Median));
}

/// <summary>What one size cost.</summary>
/// <param name="Size">In the unit of its axis.</param>
/// <param name="WholeMs">Processor time from the first event to the last, milliseconds.</param>
/// <param name="LookMs">Processor time of one report after it, milliseconds; null where the pass made its report itself.</param>
/// <param name="Megabytes">What is held afterwards; of a pass that is a process of its own, the most that was resident.</param>
sealed record Measured(double Size, double WholeMs, double? LookMs, double Megabytes)
{
    /// <summary>Less than this is not told apart from what the clock and the collector do themselves, milliseconds.</summary>
    const double LeastMs = 20;

    /// <summary>So little is not told apart from what the runtime keeps for itself.</summary>
    const double LeastMegabytes = 0.001;

    /// <summary>Folds a stream of that size as often as it takes to be measured.</summary>
    public static Measured Of(double size, Func<double, GrownFold> fold)
    {
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var kept = fold(size);
        var report = kept.Look();
        var held = (GC.GetTotalMemory(forceFullCollection: true) - before) / 1e6;
        GC.KeepAlive(report);
        var look = MsEach(kept.Look);
        GC.KeepAlive(kept);
        return new(size, MsEach(() => fold(size)), look, Math.Max(held, LeastMegabytes));
    }

    static double MsEach<T>(Func<T> run)
    {
        var (start, times, taken) = (Processes.CpuMs(Environment.ProcessId), 0, 0.0);
        for (; taken < LeastMs; taken = Processes.CpuMs(Environment.ProcessId) - start)
        {
            GC.KeepAlive(run());
            times++;
        }

        return taken / times;
    }
}

/// <summary>
/// The whole analysis of a recording, from the file to its report, in a process of its own. Every event in it is ours, the dearest there
/// is: a stored recording again and again, each time later. Files are made once and deleted at the end.
/// </summary>
sealed class GrownRecording : IDisposable
{
    /// <summary>How many bytes an hour of it has must be known before one of so many bytes can be written.</summary>
    static readonly TimeSpan Tried = TimeSpan.FromHours(1);

    readonly string folder = Directory.CreateTempSubdirectory("tpwatch-growth-").FullName;

    public async Task<Measured> MegabytesAsync(double size)
    {
        var (stored, file) = (BuiltPrograms.Recording("recovering"), Path.Combine(folder, $"{size}.nettrace"));
        if (!File.Exists(file))
        {
            DayRecording.Write(stored, file, Tried);
            DayRecording.Write(stored, file, Tried * (size * 1e6 / new FileInfo(file).Length));
        }

        var pass = await Large.RunAsync(LargePass.Whole, file);
        return new(size, pass.CpuMs, null, pass.PeakBytes / 1e6);
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);
}
